/* SPDX-License-Identifier: MIT */
#include "characters.h"
#include "utf8.h"
#include <pcm/messages.h>

#include <stdio.h>

typedef enum character_kind { USUAL, NO_UTF8, BLANK, INVISIBLE, ACCENT, CHARACTER_KINDS } character_kind;

typedef struct character {
    character_kind kind;
    uint32_t       code, bytes;
} character;

/* The first places of a kind of character, and how many there are. */
typedef struct finding {
    pcm_span  span[PCM_FIXES_MOST];
    character first;
    size_t    count;
} finding;

/* The character of a byte >= 0x80. */
static character character_at(const char *text, size_t length)
{
    const size_t   bytes = pcm_utf8_bytes(text, length);
    const uint32_t code = bytes > 0 ? pcm_utf8_code(text, bytes) : 0;
    character      found = {bytes == 0 ? NO_UTF8 : USUAL, code, bytes == 0 ? 1 : (uint32_t)bytes};
    if (code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x202f || code == 0x205f ||
        code == 0x3000 || code == 0x85)
        found.kind = BLANK;
    if (code == 0xad || code == 0x200b || code == 0x2060 || code == 0xfeff)
        found.kind = INVISIBLE;
    if (code >= 0x300 && code <= 0x36f)
        found.kind = ACCENT;
    return found;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

static bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || (unsigned char)c >= 0x80; }

/* Whether the character is a fault where it stands. A blank between digits separates groups of them, which the scanner
 * reports; one in quotes may belong to a name. */
static bool is_fault(const pcm_source *source, uint32_t at, const character *found, bool quoted)
{
    const char before = at > source->start ? source->text[at - 1] : ' ', after = source->text[at + found->bytes];
    if (found->kind == ACCENT)
        return is_letter(before);
    if (found->kind == BLANK)
        return !quoted && !(is_digit(before) && is_digit(after));
    return found->kind != USUAL;
}

static void report_bytes(pcm_reports *reports, const finding *found, const char *others)
{
    const unsigned char byte = (unsigned char)*pcm_span_text(reports->sources, found->span[0]);
    const char          latin[] = {(char)(0xc0 | byte >> 6), (char)(0x80 | (byte & 0x3f)), '\0'};
    pcm_report_add(reports, PCM_ERROR, PCM_MSG_NOT_UTF8, found->span[0],
                   "the byte 0x%02x is no UTF-8%s%s%s%s; save the file as UTF-8", byte, byte >= 0xa0 ? " ('" : "",
                   byte >= 0xa0 ? latin : "", byte >= 0xa0 ? "' in Latin-1)" : "", others);
}

static void report_unseen(pcm_reports *reports, const finding *found, const char *others)
{
    const bool   blank = found->first.kind == BLANK;
    pcm_message *message = pcm_report_add(reports, PCM_ERROR, PCM_MSG_BAD_BYTE, found->span[0],
                                          blank ? "the blank U+%04X is not a plain one%s; write a plain one"
                                                : "an invisible character, U+%04X%s; remove it",
                                          (unsigned)found->first.code, others);
    for (size_t i = 0; i < found->count && i < PCM_FIXES_MOST; i++)
        pcm_report_add_fix(reports, message, found->span[i], "%s", blank ? " " : "");
}

static void report(pcm_reports *reports, character_kind kind, const finding *found)
{
    char others[64] = "";
    if (found->count > 1)
        (void)snprintf(others, sizeof others, ", and %zu more like it", found->count - 1);
    if (kind == NO_UTF8)
        report_bytes(reports, found, others);
    else if (kind == ACCENT)
        pcm_report_add(reports, PCM_WARNING, PCM_MSG_DECOMPOSED, found->span[0],
                       "a letter and its accent U+%04X are two characters here%s; a name matches only what is written "
                       "the same way, mostly as one",
                       (unsigned)found->first.code, others);
    else
        report_unseen(reports, found, others);
}

/* Makes the character plain blanks. False: it is inside a word, which cannot be read. */
static bool make_plain(pcm_source *source, uint32_t at, const character *found, bool quoted)
{
    const char before = at > source->start ? source->text[at - 1] : ' ', after = source->text[at + found->bytes];
    if (found->kind == INVISIBLE && (quoted || (is_word(before) && is_word(after))))
        return false;
    memset(source->text + at, ' ', found->bytes);
    return true;
}

bool pcm_check_characters(pcm_reports *reports, uint32_t index)
{
    pcm_source *source = &reports->sources->list[index];
    finding     findings[CHARACTER_KINDS] = {{.count = 0}};
    bool        good = true, quoted = false, comment = false;
    for (uint32_t at = source->start; at < source->length;) {
        const char c = source->text[at];
        character  found = {USUAL, (unsigned char)c, 1};
        comment = c != '\n' && (comment || (c == '#' && !quoted));
        quoted = c != '\n' && quoted != (c == '"' && !comment);
        if ((unsigned char)c >= 0x80)
            found = character_at(source->text + at, source->length - at);
        if (!comment && found.kind != USUAL && is_fault(source, at, &found, quoted)) {
            finding *of_kind = &findings[found.kind];
            if (of_kind->count == 0)
                of_kind->first = found;
            if (of_kind->count < PCM_FIXES_MOST)
                of_kind->span[of_kind->count] = (pcm_span){at, (uint16_t)found.bytes, (uint16_t)index};
            of_kind->count++;
            if (found.kind == BLANK || found.kind == INVISIBLE)
                good &= make_plain(source, at, &found, quoted);
        }
        at += found.bytes;
    }
    for (int kind = 0; kind < CHARACTER_KINDS; kind++)
        if (findings[kind].count > 0)
            report(reports, (character_kind)kind, &findings[kind]);
    return good;
}
