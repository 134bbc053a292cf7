/* SPDX-License-Identifier: MIT */
/* rule_checks.c - warnings about valid rules that are probably mistakes, once all are known. */
#include "pattern.h"
#include "rules.h"
#include <pcm/messages.h>

/* ---- Rules that never win --------------------------------------------------------------------------------------- */

/* The sides that match everything that one side matches, including itself. */
typedef struct covers {
    uint32_t *sides;
    uint32_t  count;
} covers;

/* A pattern without '.' or ':' (see pcm_object_def) matches objects by name, and rules for aliases win over it. */
static bool can_precede(const char *cover, const char *text)
{
    return strpbrk(text, ".:") == NULL || strpbrk(cover, ".:") != NULL;
}

static void find_covers(const pcm_side_names *known, uint32_t side, covers *found)
{
    const char *text = pcm_names_text(&known->names, side);
    found->count = 0;
    found->sides[found->count++] = side;
    for (uint32_t i = 0; i < known->n_patterns; i++) {
        const char *cover = pcm_names_text(&known->names, known->patterns[i]);
        if (known->patterns[i] != side && can_precede(cover, text) && pcm_pattern_covers(cover, text))
            found->sides[found->count++] = known->patterns[i];
    }
}

/* The last rule of the kind between two of the sides + 1; 0: there is none. */
static uint32_t last_between(const pcm_rules *rules, pcm_rule_kind kind, const covers *a, const covers *b)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++) {
            const uint32_t found = pcm_rules_between(rules, kind, a->sides[i], b->sides[j]);
            last = found > last && pcm_rules_at(rules, found - 1)->pattern ? found : last;
        }
    return last;
}

/* The rule for any two objects + 1; 0: there is none. */
static uint32_t rule_for_all(const pcm_rules *rules)
{
    const pcm_names *names = &rules->sides[PCM_OBJECT_PAIR].names;
    const uint32_t   all = pcm_names_find(names, "*", 1);
    return all == PCM_NO_NAME ? 0 : pcm_rules_between(rules, PCM_OBJECT_PAIR, all, all);
}

static void report_dead(pcm_reports *reports, const pcm_rule *rule, const pcm_rule *winner)
{
    pcm_message *report =
        pcm_report_add(reports, PCM_WARNING, PCM_MSG_DEAD_RULE, rule->place, "this rule never wins: %s",
                       rule->kind == winner->kind ? "a later pattern covers it" : "an object rule covers every pair");
    pcm_report_note(reports, report, winner->place, "covered here");
}

static void check_dead(const pcm_rules *rules, pcm_reports *reports)
{
    const uint32_t patterns[2] = {rules->sides[0].n_patterns, rules->sides[1].n_patterns};
    const uint32_t most = patterns[0] > patterns[1] ? patterns[0] : patterns[1], all = rule_for_all(rules);
    covers         a = {.sides = pcm_arena_take(&reports->arena, (most + 1) * sizeof *a.sides)};
    covers         b = {.sides = pcm_arena_take(&reports->arena, (most + 1) * sizeof *b.sides)};
    reports->no_memory |= a.sides == NULL || b.sides == NULL;
    for (uint32_t i = 0; i < rules->count && !reports->no_memory; i++) {
        const pcm_rule     *rule = pcm_rules_at(rules, i);
        const pcm_rule_kind kind = (pcm_rule_kind)rule->kind;
        if (kind != PCM_OBJECT_PAIR && all > 0) {
            report_dead(reports, rule, pcm_rules_at(rules, all - 1));
            continue;
        }
        if (!rule->pattern)
            continue;
        find_covers(&rules->sides[kind], rule->a, &a);
        find_covers(&rules->sides[kind], rule->b, &b);
        const uint32_t last = last_between(rules, kind, &a, &b);
        if (last > i + 1)
            report_dead(reports, rule, pcm_rules_at(rules, last - 1));
    }
}

/* ---- Misspelt names --------------------------------------------------------------------------------------------- */

enum { SHORTEST = 5, LONGEST = 64 };

static bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/* The number of another name that differs only by a missing small letter, two exchanged letters, or the case of one
 * letter; PCM_NO_NAME: there is none. A plural is not taken for a mistake, nor is a different capital, digit or sign,
 * since these may distinguish left from right. */
static uint32_t find_similar(const pcm_names *names, const char *text, size_t length)
{
    char slip[LONGEST];
    for (size_t i = 0; i < length; i++) {
        const bool small = is_lower(text[i]), plural = i + 1 == length && text[i] == 's';
        uint32_t   found = PCM_NO_NAME;
        memcpy(slip, text, i);
        memcpy(slip + i, text + i + 1, length - i - 1);
        if (small && !plural)
            found = pcm_names_find(names, slip, length - 1);
        memcpy(slip, text, length);
        if (found == PCM_NO_NAME && small && i + 1 < length && is_lower(text[i + 1]) && text[i] < text[i + 1]) {
            slip[i] = text[i + 1];
            slip[i + 1] = text[i];
            found = pcm_names_find(names, slip, length);
            memcpy(slip, text, length);
        }
        if (found == PCM_NO_NAME && small) {
            slip[i] = (char)(text[i] - 'a' + 'A');
            found = pcm_names_find(names, slip, length);
        }
        if (found != PCM_NO_NAME)
            return found;
    }
    return PCM_NO_NAME;
}

/* A name: the number of rules that contain it, and the first of them. */
typedef struct use {
    uint32_t count, rule;
} use;

static void report_similar(const pcm_rules *rules, pcm_rule_kind kind, const use *uses, uint32_t a, uint32_t b,
                           pcm_reports *reports)
{
    const bool a_slipped = uses[a].count != uses[b].count ? uses[a].count < uses[b].count : uses[a].rule > uses[b].rule;
    const uint32_t slip = a_slipped ? a : b, other = a_slipped ? b : a;
    if (uses[slip].count != 1 || uses[other].count == 0)
        return;
    pcm_message *report =
        pcm_report_add(reports, PCM_WARNING, PCM_MSG_SIMILAR_NAMES, pcm_rules_at(rules, uses[slip].rule)->place,
                       "'%s' is named only here; did you mean '%s'?", pcm_rules_side(rules, kind, slip),
                       pcm_rules_side(rules, kind, other));
    pcm_report_note(reports, report, pcm_rules_at(rules, uses[other].rule)->place, "'%s' is named here",
                    pcm_rules_side(rules, kind, other));
}

static void count_use(use *uses, uint32_t side, uint32_t rule)
{
    if (uses[side].count++ == 0)
        uses[side].rule = rule;
}

static void check_similar(const pcm_rules *rules, pcm_rule_kind kind, pcm_reports *reports)
{
    const pcm_names *names = &rules->sides[kind].names;
    use             *uses = pcm_arena_take(&reports->arena, (names->count + 1) * sizeof *uses);
    reports->no_memory |= uses == NULL;
    for (uint32_t i = 0; i < rules->count && uses != NULL; i++) {
        const pcm_rule *rule = pcm_rules_at(rules, i);
        if (rule->kind != (uint32_t)kind)
            continue;
        count_use(uses, rule->a, i);
        if (rule->b != rule->a)
            count_use(uses, rule->b, i);
    }
    for (uint32_t i = 0; i < names->count && uses != NULL; i++) {
        const char  *text = pcm_names_text(names, i);
        const size_t length = strlen(text);
        if (length < SHORTEST || length > LONGEST || pcm_is_pattern(text))
            continue;
        const uint32_t similar = find_similar(names, text, length);
        if (similar != PCM_NO_NAME)
            report_similar(rules, kind, uses, i, similar, reports);
    }
}

void pcm_rules_check(const pcm_rules *rules, pcm_reports *reports)
{
    /* Larger files are written by programs, which make no slips, and should not wait for this check. */
    enum { NAMES_MOST = 10000, COMPARISONS_MOST = 1 << 24 };
    const pcm_side_names *sides = rules->sides;
    if (rules->n_slots == 0)
        return;
    if ((uint64_t)rules->count * (sides[0].n_patterns + sides[1].n_patterns) <= COMPARISONS_MOST)
        check_dead(rules, reports);
    for (int kind = 0; kind < 2; kind++)
        if (sides[kind].names.count <= NAMES_MOST)
            check_similar(rules, (pcm_rule_kind)kind, reports);
}
