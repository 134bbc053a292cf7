/* SPDX-License-Identifier: MIT */
/* format.c - the canonical layout of a .pcm file. Words and comments stay as they are and in their order; spaces and
 * line ends follow these rules:
 *
 * one statement per line; one blank line where the text has any; a block on one line if it was on one and fits, else
 * one parameter per line, with the '=' and the trailing comments aligned; comments stay at the end of a line or on
 * lines of their own. */
#include "diagnostic.h"
#include "parse.h"
#include <pcm/messages.h>

enum { INDENT = 4, LINE_MOST = 120 };

typedef struct token {
    const char *text;
    uint32_t    length;
    bool        is_dot; /* after a table's name; elsewhere a '.' is a name */
} token;

typedef struct tokens {
    pcm_context *context;
    pcm_reports *reports;
    token       *list;
    size_t       count, capacity;
} tokens;

/* Output text; only counted if `to` is NULL. */
typedef struct writer {
    char  *to;
    size_t used, line; /* bytes in total, and of this line */
} writer;

typedef struct layout {
    const tokens *all;
    const char   *end; /* of the text */
    writer        out;
    size_t        parentheses;
    bool          in_block, broken; /* inside braces; one parameter per line */
    bool          line_done;        /* the next token starts a line */
    bool          new_statement;
    bool          opened; /* the block is empty so far */
    bool          measured;
    size_t        equals; /* bytes of this line before its '='; 0: it has none yet */
    size_t left, right;   /* of the block's widest line: bytes before its '=', and from there to a trailing comment */
} layout;

/* ---- Tokens ----------------------------------------------------------------------------------------------------- */

static bool is(const token *t, const char *sign) { return t->length == 1 && strchr(sign, *t->text) != NULL; }

static bool keep_token(void *user, pcm_span span)
{
    tokens *all = user;
    if (!pcm_grow(all->context, &all->list, &all->capacity, all->count + 1, sizeof *all->list))
        return false;
    token *t = &all->list[all->count];
    *t = (token){pcm_span_text(all->reports->sources, span), span.length, false};
    t->is_dot = is(t, ".") && all->count > 0 && *t[-1].text == '"';
    all->count++;
    return true;
}

/* Whether a sign belongs to the number after it, rather than standing between two numbers. */
static bool is_unary(const layout *l, size_t index)
{
    return is(&l->all->list[index], "+-") && index > 0 && is(&l->all->list[index - 1], "=(,+-*/^");
}

/* Whether there is a space between a token and the one before it on the same line. */
static bool blank_before(const layout *l, size_t index)
{
    const token *next = &l->all->list[index], *last = next - 1;
    if (is(next, ";,)]^") || is(last, "([^") || next->is_dot || last->is_dot || is_unary(l, index - 1))
        return false;
    if (is(next, "}") && is(last, "{"))
        return false;
    return !(is(next, "(") && !is(last, "=,+-*/(")); /* the parenthesis of a call */
}

/* ---- Lines ------------------------------------------------------------------------------------------------------ */

static void put(layout *l, const char *text, size_t length)
{
    if (l->out.to != NULL)
        memcpy(l->out.to + l->out.used, text, length);
    l->out.used += length;
    l->out.line += length;
}

static void end_line(layout *l)
{
    if (l->out.line > 0)
        put(l, "\n", 1);
    l->out.line = l->equals = 0;
}

/* Spaces up to that column. */
static void put_blanks(layout *l, size_t place)
{
    while (l->out.line < place)
        put(l, " ", 1);
}

static size_t widest(size_t a, size_t b) { return a > b ? a : b; }

/* In a block with one parameter per line: spaces that align the '=' and trailing comments. */
static void align_equals(layout *l)
{
    if (!l->in_block || !l->broken || l->equals > 0)
        return;
    if (l->measured)
        put_blanks(l, l->left);
    l->equals = l->out.line;
    l->left = widest(l->left, l->equals);
}

static void align_comment(layout *l, size_t length)
{
    put(l, "  ", 2);
    if (l->equals == 0)
        return;
    const size_t place = l->left + l->right;
    if (l->measured && place + length <= LINE_MOST)
        put_blanks(l, place);
    l->right = widest(l->right, l->out.line - l->equals);
}

static void put_indented(layout *l, const char *text, size_t length)
{
    static const char blanks[2 * INDENT + 1] = "        ";
    const size_t      inside = l->in_block ? INDENT : 0;
    put(l, blanks, inside + (l->new_statement || l->line_done ? 0 : INDENT));
    put(l, text, length);
}

static size_t count_line_ends(const char *from, const char *to)
{
    size_t count = 0;
    for (; from < to; from++)
        count += *from == '\n';
    return count;
}

static void blank_line(layout *l)
{
    if (l->out.used > 0)
        put(l, "\n", 1);
    l->out.line = 0;
}

/* The comments between two tokens, before the first or after the last. */
static void put_comments(layout *l, const char *from, const char *to)
{
    const char *comment = memchr(from, '#', (size_t)(to - from));
    for (; comment != NULL; comment = memchr(from, '#', (size_t)(to - from))) {
        const char  *line_end = memchr(comment, '\n', (size_t)(to - comment));
        const size_t lines = count_line_ends(from, comment);
        size_t       length = (size_t)((line_end != NULL ? line_end : to) - comment);
        while (strchr(" \t\r\f\v", comment[length - 1]) != NULL)
            length--;
        if (lines == 0 && l->out.line > 0) {
            align_comment(l, length);
            put(l, comment, length);
        } else {
            end_line(l);
            if (lines > 1 && !l->opened)
                blank_line(l);
            put_indented(l, comment, length);
            l->opened = false;
        }
        end_line(l);
        from += (size_t)(comment - from) + length; /* its line end counts as one before the next token */
    }
    const bool may = (l->line_done || l->new_statement) && !l->opened && to < l->end && *to != '}';
    if (may && count_line_ends(from, to) > 1 && l->out.used > 0) {
        end_line(l);
        blank_line(l);
    }
}

/* ---- Statements ------------------------------------------------------------------------------------------------- */

/* Whether a token outside a block is the last of its statement. For a material that may be its '}'. */
static bool ends_statement(const layout *l, size_t index)
{
    const token *t = &l->all->list[index];
    return is(t, ";") || (is(t, "}") && !(index + 1 < l->all->count && is(t + 1, ";]")));
}

/* Whether the block that opens here gets one parameter per line: it contains a line end, or does not fit on this line.
 */
static bool breaks(const layout *l, size_t open)
{
    size_t close = open, width = l->out.line;
    while (close + 1 < l->all->count && !is(&l->all->list[close], "}"))
        close++;
    for (size_t i = open; i < l->all->count; i++) {
        width += l->all->list[i].length + blank_before(l, i);
        if (i >= close && ends_statement(l, i))
            break;
    }
    const char *from = l->all->list[open].text, *to = l->all->list[close].text;
    return width > LINE_MOST || memchr(from, '\n', (size_t)(to - from)) != NULL;
}

static void put_next(layout *l, size_t index);

/* Measures the lines of the block that a token opens. */
static void measure(layout *l, size_t open)
{
    layout dry = *l;
    dry.out.to = NULL;
    dry.measured = false;
    dry.left = dry.right = 0;
    for (size_t i = open + 1; i < l->all->count && !is(&l->all->list[i - 1], "}"); i++)
        put_next(&dry, i);
    l->measured = true;
    l->left = dry.left;
    l->right = dry.right;
}

/* Updates the state after a token has been written. */
static void step(layout *l, size_t index)
{
    const token *t = &l->all->list[index];
    l->new_statement = l->line_done = l->opened = false;
    l->parentheses += is(t, "(");
    l->parentheses -= is(t, ")") && l->parentheses > 0;
    if (is(t, "{")) {
        l->in_block = l->opened = true;
        l->broken = breaks(l, index);
        l->line_done = l->broken && !(index + 1 < l->all->count && is(t + 1, "}"));
        if (l->line_done)
            measure(l, index);
    } else if (l->in_block && is(t, ";,") && l->parentheses == 0) {
        l->line_done = l->broken;
    } else if (!l->in_block) {
        l->new_statement = ends_statement(l, index);
    }
}

static void put_token(layout *l, size_t index)
{
    const token *t = &l->all->list[index];
    if (is(t, "}") && l->in_block) {
        l->line_done |= l->broken && !is(t - 1, "{");
        l->in_block = false;
    }
    if (l->new_statement || l->line_done)
        end_line(l);
    if (l->out.line == 0)
        put_indented(l, t->text, t->length);
    else {
        if (is(t, "=") && l->parentheses == 0)
            align_equals(l);
        if (blank_before(l, index))
            put(l, " ", 1);
        put(l, t->text, t->length);
    }
    step(l, index);
}

/* Writes the token of that index with the comments before it. */
static void put_next(layout *l, size_t index)
{
    const token *t = &l->all->list[index];
    put_comments(l, t[-1].text + t[-1].length, t->text);
    put_token(l, index);
}

/* Writes everything; returns the number of bytes. */
static size_t write_all(const tokens *all, const pcm_source *source, char *to)
{
    const char *at = source->text + source->start;
    layout      l = {.all = all, .end = source->text + source->length, .out.to = to, .new_statement = true};
    if (all->count > 0) {
        put_comments(&l, at, all->list[0].text);
        put_token(&l, 0);
        for (size_t i = 1; i < all->count; i++)
            put_next(&l, i);
        at = all->list[all->count - 1].text + all->list[all->count - 1].length;
    }
    put_comments(&l, at, l.end);
    end_line(&l);
    return l.out.used;
}

/* ---- The public function ---------------------------------------------------------------------------------------- */

static bool no_type(void *user, const pcm_type_node *type) { return user != NULL && type != NULL; }
static bool no_rule(void *user, const pcm_rule_node *rule) { return user != NULL && rule != NULL; }
static bool no_let(void *user, const pcm_let_node *let) { return user != NULL && let != NULL; }
static bool no_material(void *user, const pcm_material_node *material) { return user != NULL && material != NULL; }
static bool no_surface(void *user, const pcm_surface_node *surface) { return user != NULL && surface != NULL; }

static pcm_status format(tokens *all, pcm_sources *sources, char **formatted, size_t *formatted_length)
{
    const pcm_listener listener = {all, no_type, no_rule, no_let, no_surface, no_material, NULL, keep_token};
    bool               incomplete = false;
    if (!pcm_parse(all->reports, 0, &listener, &incomplete))
        return PCM_NO_MEMORY;
    if (all->reports->errors > 0) {
        pcm_reports_send(all->reports, all->context);
        return PCM_BAD_CONFIG;
    }
    const pcm_source *source = &sources->list[0];
    const size_t      length = write_all(all, source, NULL);
    *formatted = pcm_allocate(all->context, length + 1);
    if (*formatted == NULL)
        return PCM_NO_MEMORY;
    *formatted_length = write_all(all, source, *formatted);
    return PCM_OK;
}

pcm_status pcm_config_format(pcm_context *context, const char *name, const char *text, size_t length, char **formatted,
                             size_t *formatted_length)
{
    pcm_sources sources = {.arena.allocator = context->allocator};
    pcm_reports reports;
    pcm_status  status = PCM_NO_MEMORY;
    *formatted = NULL;
    *formatted_length = 0;
    pcm_reports_start(&reports, &sources);
    tokens all = {.context = context, .reports = &reports};
    if (pcm_sources_add(&sources, name, strlen(name)) != UINT32_MAX) {
        const bool open = pcm_source_open(&reports, 0, text, length);
        status = open ? format(&all, &sources, formatted, formatted_length) : PCM_BAD_CONFIG;
        if (!open && !reports.no_memory)
            pcm_reports_send(&reports, context);
    }
    if (status == PCM_NO_MEMORY || reports.no_memory)
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "out of memory while '%s' was formatted", name);
    pcm_free(context, all.list, all.capacity * sizeof *all.list);
    pcm_reports_free(&reports);
    pcm_sources_free(&sources);
    return status;
}
