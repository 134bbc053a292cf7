/* SPDX-License-Identifier: MIT */
#include "rules.h"
#include "config.h"
#include "pattern.h"
#include <pcm/messages.h>

enum { FEWEST = 64 };

void pcm_rules_start(pcm_rules *rules, pcm_arena *arena)
{
    rules->arena = arena;
    rules->sides[PCM_OBJECT_PAIR].names.allocator = arena->allocator;
    rules->sides[PCM_SURFACE_PAIR].names.allocator = arena->allocator;
}

static void release(pcm_rules *rules, void *memory, size_t bytes)
{
    if (memory != NULL)
        rules->arena->allocator.release(rules->arena->allocator.user, memory, bytes);
}

void pcm_rules_free(pcm_rules *rules)
{
    for (int kind = 0; kind < 2; kind++) {
        release(rules, rules->sides[kind].patterns, rules->sides[kind].capacity * sizeof(uint32_t));
        pcm_names_free(&rules->sides[kind].names);
    }
    release(rules, rules->pages, rules->page_capacity * sizeof *rules->pages);
    release(rules, rules->slots, rules->n_slots * sizeof *rules->slots);
}

/* ---- Building --------------------------------------------------------------------------------------------------- */

static void *grow(pcm_rules *rules, void *old, size_t bytes, size_t new_bytes)
{
    void *memory = rules->arena->allocator.allocate(rules->arena->allocator.user, new_bytes);
    if (memory == NULL)
        return NULL;
    if (bytes > 0)
        memcpy(memory, old, bytes);
    memset((char *)memory + bytes, 0, new_bytes - bytes);
    release(rules, old, bytes);
    return memory;
}

/* The number of a side; *pattern is set when it is one. */
static uint32_t side_add(pcm_rules *rules, pcm_rule_kind kind, const pcm_sources *sources, pcm_span span, bool *pattern)
{
    pcm_side_names *sides = &rules->sides[kind];
    bool            quoted = *pcm_span_text(sources, span) == '"';
    uint32_t        known = sides->names.count;
    span = pcm_span_unquoted(sources, span);
    uint32_t side = pcm_names_add(&sides->names, pcm_span_text(sources, span), span.length);
    if (side == PCM_NO_NAME || !quoted || !pcm_is_pattern(pcm_names_text(&sides->names, side)))
        return side;
    *pattern = true;
    if (side < known)
        return side;
    if (sides->n_patterns == sides->capacity) {
        uint32_t  capacity = sides->capacity == 0 ? FEWEST : 2 * sides->capacity;
        uint32_t *patterns =
            grow(rules, sides->patterns, sides->capacity * sizeof *patterns, capacity * sizeof *patterns);
        if (patterns == NULL)
            return PCM_NO_NAME;
        sides->patterns = patterns;
        sides->capacity = capacity;
    }
    sides->patterns[sides->n_patterns++] = side;
    return side;
}

static pcm_rule *rule_new(pcm_rules *rules)
{
    uint32_t page = rules->count / PCM_RULES_PAGE;
    if (rules->count % PCM_RULES_PAGE == 0) {
        if (page == rules->page_capacity) {
            uint32_t   capacity = page == 0 ? FEWEST : 2 * page;
            pcm_rule **pages = grow(rules, rules->pages, page * sizeof *pages, capacity * sizeof *pages);
            if (pages == NULL)
                return NULL;
            rules->pages = pages;
            rules->page_capacity = capacity;
        }
        rules->pages[page] = pcm_arena_take(rules->arena, PCM_RULES_PAGE * sizeof(pcm_rule));
        if (rules->pages[page] == NULL)
            return NULL;
    }
    return pcm_rules_at(rules, rules->count++);
}

static uint32_t pair_hash(pcm_rule_kind kind, uint32_t a, uint32_t b)
{
    uint64_t low = a < b ? a : b, high = a < b ? b : a;
    uint64_t hash = (high << 32 | low) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)kind;
    hash = (hash ^ hash >> 32) * UINT64_C(0xbf58476d1ce4e5b9);
    return (uint32_t)(hash >> 32);
}

/* The slot of a pair in either order, or the free one where it belongs. */
static uint32_t *pair_slot(const pcm_rules *rules, pcm_rule_kind kind, uint32_t a, uint32_t b)
{
    for (uint32_t i = pair_hash(kind, a, b);; i++) {
        uint32_t *slot = &rules->slots[i & (rules->n_slots - 1)];
        if (*slot == 0)
            return slot;
        const pcm_rule *rule = pcm_rules_at(rules, *slot - 1);
        if (rule->kind == kind && ((rule->a == a && rule->b == b) || (rule->a == b && rule->b == a)))
            return slot;
    }
}

uint32_t pcm_rules_between(const pcm_rules *rules, pcm_rule_kind kind, uint32_t a, uint32_t b)
{
    return *pair_slot(rules, kind, a, b);
}

static bool grow_slots(pcm_rules *rules)
{
    uint32_t *old = rules->slots, n_old = rules->n_slots;
    uint32_t  n_slots = n_old == 0 ? FEWEST : 2 * n_old;
    uint32_t *slots = grow(rules, NULL, 0, n_slots * sizeof *slots);
    if (slots == NULL)
        return false;
    rules->slots = slots;
    rules->n_slots = n_slots;
    for (uint32_t i = 0; i < n_old; i++) {
        if (old[i] == 0)
            continue;
        const pcm_rule *rule = pcm_rules_at(rules, old[i] - 1);
        uint32_t        at = pair_hash(rule->kind, rule->a, rule->b);
        while (slots[at & (n_slots - 1)] != 0)
            at++;
        slots[at & (n_slots - 1)] = old[i];
    }
    release(rules, old, n_old * sizeof *old);
    return true;
}

static void report_double(pcm_reports *reports, const pcm_rule *first, const pcm_rule *rule)
{
    pcm_message *report;
    if (first->type != rule->type)
        report =
            pcm_report_add(reports, PCM_ERROR, PCM_MSG_CONTRADICTORY_RULES, rule->place,
                           "this pair has another contact type already, in either order of its sides: keep one rule");
    else if (first->a != rule->a)
        report = pcm_report_add(reports, PCM_ERROR, PCM_MSG_CONTRADICTORY_RULES, rule->place,
                                "this pair is assigned already, with the other side as its base");
    else
        report = pcm_report_add(reports, PCM_WARNING, PCM_MSG_REPEATED_RULE, rule->place,
                                "this rule is written here already");
    pcm_report_note(reports, report, first->place, "first assigned here");
}

static bool pair_add(pcm_rules *rules, uint32_t index, pcm_reports *reports)
{
    const pcm_rule *rule = pcm_rules_at(rules, index);
    if (rules->n_used >= rules->n_slots / 3 * 2 && !grow_slots(rules))
        return false;
    uint32_t *slot = pair_slot(rules, rule->kind, rule->a, rule->b);
    if (*slot == 0)
        rules->n_used++;
    else if (!rule->pattern)
        report_double(reports, pcm_rules_at(rules, *slot - 1), rule);
    *slot = index + 1;
    return true;
}

/* Signs that have a meaning only in other languages' patterns. A leading ".*" can be recognised. */
static void check_regex(pcm_reports *reports, pcm_span span)
{
    const pcm_span inside = pcm_span_unquoted(reports->sources, span);
    const char    *text = pcm_arena_text(&reports->arena, pcm_span_text(reports->sources, inside), inside.length);
    const char    *sign = text == NULL ? NULL : pcm_pattern_regex_sign(text);
    reports->no_memory |= text == NULL;
    if (sign == NULL)
        return;
    const uint32_t at = inside.offset + (uint32_t)(sign - text);
    const bool     star = strncmp(sign, ".*", 2) == 0;
    pcm_message   *report = pcm_report_add(
          reports, PCM_WARNING, PCM_MSG_REGEX, (pcm_span){at, 1, span.source},
          "'%c' is taken literally: in a pattern only '*' (any characters) and '?' (one character) are special", *sign);
    if (star)
        pcm_report_add_fix(reports, report, (pcm_span){at, 1, span.source}, "%s", "");
}

void pcm_check_name(pcm_reports *reports, pcm_span span)
{
    if (*pcm_span_text(reports->sources, span) != '"')
        return;
    if (span.length == 2)
        pcm_report_add(reports, PCM_ERROR, PCM_MSG_EMPTY_NAME, span, "a name cannot be empty");
    else
        check_regex(reports, span);
}

static bool default_add(pcm_rules *rules, uint32_t index, pcm_reports *reports)
{
    const pcm_rule *rule = pcm_rules_at(rules, index);
    if (rules->default_rule == 0) {
        rules->default_rule = index + 1;
        return true;
    }
    pcm_message *report =
        pcm_report_add(reports, PCM_ERROR, PCM_MSG_SECOND_DEFAULT, rule->place, "there is a DefaultPair already");
    pcm_report_note(reports, report, pcm_rules_at(rules, rules->default_rule - 1)->place, "first assigned here");
    return true;
}

bool pcm_rules_add(pcm_rules *rules, const pcm_rule_node *node, uint32_t type, pcm_reports *reports)
{
    uint32_t a = 0, b = 0;
    bool     pattern = false;
    if (node->kind != PCM_DEFAULT_PAIR) {
        pcm_check_name(reports, node->a);
        pcm_check_name(reports, node->b);
        a = side_add(rules, node->kind, reports->sources, node->a, &pattern);
        b = side_add(rules, node->kind, reports->sources, node->b, &pattern);
    }
    uint32_t  index = rules->count;
    pcm_rule *rule = a == PCM_NO_NAME || b == PCM_NO_NAME ? NULL : rule_new(rules);
    if (rule == NULL)
        return false;
    rule->a = a;
    rule->b = b;
    rule->type = type & ((UINT32_C(1) << 29) - 1);
    rule->kind = (uint32_t)node->kind & 3;
    rule->pattern = pattern;
    rule->place = node->place;
    return node->kind == PCM_DEFAULT_PAIR ? default_add(rules, index, reports) : pair_add(rules, index, reports);
}

/* ---- Lookups ---------------------------------------------------------------------------------------------------- */

pcm_fit pcm_object_fit(const pcm_object_def *object, const char *text, bool is_pattern)
{
    const char *const *alias = object->aliases;
    if (is_pattern ? pcm_name_matches(text, object->name) : strcmp(text, object->name) == 0)
        return PCM_FITS_NAME;
    if (alias == NULL || (is_pattern && strpbrk(text, ".:") == NULL))
        return PCM_FITS_NOT;
    while (*alias != NULL && !(is_pattern ? pcm_name_matches(text, *alias) : strcmp(text, *alias) == 0))
        alias++;
    return *alias != NULL ? PCM_FITS_ALIAS : PCM_FITS_NOT;
}

bool pcm_object_fits(const pcm_object_def *object, const char *text)
{
    return pcm_object_fit(object, text, pcm_is_pattern(text)) != PCM_FITS_NOT;
}

/* A name that is also the text of a pattern acts as that pattern. */
static uint32_t find_exact(const pcm_side_names *known, const char *name)
{
    return *name == '\0' || pcm_is_pattern(name) ? PCM_NO_NAME : pcm_names_find(&known->names, name, strlen(name));
}

/* The sides that match the object in that way, into ids unless it is NULL. Returns how many. */
static uint32_t collect(const pcm_side_names *known, const pcm_object_def *object, pcm_fit fit, uint32_t *ids)
{
    uint32_t           count = 0;
    const char *const *alias = object->aliases;
    for (const char *name = fit == PCM_FITS_NAME ? object->name
                            : alias != NULL      ? *alias
                                                 : NULL;
         name != NULL; name = fit == PCM_FITS_NAME ? NULL : *++alias) {
        const uint32_t exact = find_exact(known, name);
        if (exact == PCM_NO_NAME || pcm_object_fit(object, name, false) != fit)
            continue;
        if (ids != NULL)
            ids[count] = exact;
        count++;
    }
    for (uint32_t i = 0; i < known->n_patterns; i++) {
        if (pcm_object_fit(object, pcm_names_text(&known->names, known->patterns[i]), true) != fit)
            continue;
        if (ids != NULL)
            ids[count] = known->patterns[i];
        count++;
    }
    return count;
}

static pcm_status find_sides(const pcm_config *config, const pcm_side_names *known, const pcm_object_def *object,
                             pcm_sides *sides)
{
    *sides = (pcm_sides){0};
    if (object->name == NULL || *object->name == '\0')
        return PCM_OK;
    const uint32_t by_alias = object->aliases != NULL ? collect(known, object, PCM_FITS_ALIAS, NULL) : 0;
    const uint32_t count = by_alias + collect(known, object, PCM_FITS_NAME, NULL);
    if (count == 0)
        return PCM_OK;
    uint32_t *ids = pcm_allocate(config->context, count * sizeof *ids);
    if (ids == NULL)
        return PCM_NO_MEMORY;
    if (by_alias > 0)
        collect(known, object, PCM_FITS_ALIAS, ids);
    collect(known, object, PCM_FITS_NAME, ids + by_alias);
    *sides = (pcm_sides){ids, count, by_alias};
    return PCM_OK;
}

pcm_status pcm_sides_of_object(const pcm_config *config, const pcm_object_def *object, pcm_sides *sides)
{
    return find_sides(config, &config->rules.sides[PCM_OBJECT_PAIR], object, sides);
}

pcm_status pcm_sides_of_surface(const pcm_config *config, const char *surface, pcm_sides *sides)
{
    return find_sides(config, &config->rules.sides[PCM_SURFACE_PAIR], &PCM_OBJECT(.name = surface), sides);
}

void pcm_sides_free(const pcm_config *config, pcm_sides *sides)
{
    pcm_free(config->context, sides->ids, sides->count * sizeof *sides->ids);
    *sides = (pcm_sides){0};
}

/* A rule that matches a pair, and whether only by an alias of one of the two. */
typedef struct match {
    uint32_t rule; /* + 1; 0: none */
    bool     by_alias;
} match;

/* Whether a has precedence over b, both of one kind: aliases before names, exact names before patterns, then the later
 * line. */
static bool comes_before(const pcm_rules *rules, match a, match b)
{
    if (b.rule == 0 || a.by_alias != b.by_alias)
        return b.rule == 0 || a.by_alias;
    const bool a_pattern = pcm_rules_at(rules, a.rule - 1)->pattern,
               b_pattern = pcm_rules_at(rules, b.rule - 1)->pattern;
    return a_pattern != b_pattern ? b_pattern : a.rule > b.rule;
}

/* The winning rule of one kind + 1, or 0. */
static uint32_t resolve_kind(const pcm_rules *rules, pcm_rule_kind kind, const pcm_sides *a, const pcm_sides *b,
                             bool *swapped)
{
    match best = {0};
    for (uint32_t i = 0; i < a->count; i++)
        for (uint32_t j = 0; j < b->count; j++) {
            const match found = {pcm_rules_between(rules, kind, a->ids[i], b->ids[j]),
                                 i < a->by_alias || j < b->by_alias};
            if (found.rule == 0 || (found.rule != best.rule && !comes_before(rules, found, best)))
                continue;
            bool straight = pcm_rules_at(rules, found.rule - 1)->a == a->ids[i];
            *swapped = !straight && (found.rule != best.rule || *swapped);
            best = (match){found.rule, found.by_alias || (found.rule == best.rule && best.by_alias)};
        }
    return best.rule;
}

pcm_answer pcm_rules_resolve(const pcm_config *config, const pcm_sides *object_a, const pcm_sides *surface_a,
                             const pcm_sides *object_b, const pcm_sides *surface_b)
{
    const pcm_rules *rules = &config->rules;
    bool             swapped = false;
    uint32_t         found = 0;
    if (rules->n_slots > 0) {
        found = resolve_kind(rules, PCM_OBJECT_PAIR, object_a, object_b, &swapped);
        if (found == 0)
            found = resolve_kind(rules, PCM_SURFACE_PAIR, surface_a, surface_b, &swapped);
    }
    if (found == 0)
        found = rules->default_rule;
    if (found == 0)
        return (pcm_answer){NULL, 0, false};
    return (pcm_answer){pcm_config_type_of(config, pcm_rules_at(rules, found - 1)), found - 1, swapped};
}

/* Two objects, with the surfaces that the file gives them. */
typedef struct question {
    const pcm_rules *rules;
    pcm_object_def   a, b;
} question;

/* Whether that side of a rule matches the object, or its surface. */
static pcm_fit fit_side(const question *q, const pcm_rule *rule, uint32_t side, const pcm_object_def *object)
{
    const char           *text = pcm_names_text(&q->rules->sides[rule->kind].names, side);
    const pcm_object_def  surface = PCM_OBJECT(.name = object->surface);
    const pcm_object_def *named = rule->kind == PCM_OBJECT_PAIR ? object : &surface;
    if (named->name == NULL || *named->name == '\0')
        return PCM_FITS_NOT;
    return pcm_object_fit(named, text, pcm_is_pattern(text));
}

enum { FITS_NOT = -1, BY_DEFAULT = 6 };

/* The rank of a rule among those that match: from 0 for ObjectPair rules that match an alias, exact ones before
 * patterns, to BY_DEFAULT; or FITS_NOT. */
static int rank_of(const question *q, uint32_t index, bool *swapped)
{
    const pcm_rule *rule = pcm_rules_at(q->rules, index);
    *swapped = false;
    if (rule->kind == PCM_DEFAULT_PAIR)
        return BY_DEFAULT;
    const pcm_fit fits[2][2] = {{fit_side(q, rule, rule->a, &q->a), fit_side(q, rule, rule->b, &q->b)},
                                {fit_side(q, rule, rule->b, &q->a), fit_side(q, rule, rule->a, &q->b)}};
    int           best = FITS_NOT;
    for (int order = 1; order >= 0; order--) {
        const bool by_alias = fits[order][0] == PCM_FITS_ALIAS || fits[order][1] == PCM_FITS_ALIAS;
        const int  rank = (by_alias ? 0 : 2 + 2 * (int)rule->kind) + (int)rule->pattern;
        if (fits[order][0] == PCM_FITS_NOT || fits[order][1] == PCM_FITS_NOT)
            continue;
        *swapped = order == 1;
        best = best == FITS_NOT || rank < best ? rank : best;
    }
    return best;
}

/* Inserts a rule into the list at its rank; the list keeps the first `capacity`. Lines come in order, and of equal rank
 * the later wins. */
static void insert(const question *q, size_t *list, bool *swaps, size_t count, size_t capacity, uint32_t index)
{
    bool      swapped, ignored;
    const int rank = rank_of(q, index, &swapped);
    size_t    at = 0;
    while (at < count && rank_of(q, (uint32_t)list[at], &ignored) < rank)
        at++;
    if (at == capacity)
        return;
    size_t moved = (count < capacity ? count : capacity - 1) - at;
    memmove(list + at + 1, list + at, moved * sizeof *list);
    list[at] = index;
    if (swaps == NULL)
        return;
    memmove(swaps + at + 1, swaps + at, moved * sizeof *swaps);
    swaps[at] = swapped;
}

/* Tests every rule by its text. It needs no memory, so it cannot fail. */
static size_t resolve(const question *q, size_t *rules, bool *swapped, size_t capacity)
{
    size_t count = 0;
    bool   ignored;
    for (uint32_t i = 0; i < q->rules->count; i++) {
        if (rank_of(q, i, &ignored) == FITS_NOT)
            continue;
        insert(q, rules, swapped, count < capacity ? count : capacity, capacity, i);
        count++;
    }
    return count;
}

size_t pcm_config_resolve_objects(const pcm_config *config, const pcm_object_def *a, const pcm_object_def *b,
                                  size_t *rules, bool *swapped, size_t capacity)
{
    question q = {&config->rules, pcm_object_defaults(), pcm_object_defaults()};
    if (!pcm_def_fill(config->context, "pcm_object_def", &q.a, a) ||
        !pcm_def_fill(config->context, "pcm_object_def", &q.b, b))
        return 0;
    q.a.surface = pcm_config_object_surface(config, a);
    q.b.surface = pcm_config_object_surface(config, b);
    return resolve(&q, rules, swapped, capacity);
}

size_t pcm_config_resolve(const pcm_config *config, const char *object_a, const char *surface_a, const char *object_b,
                          const char *surface_b, size_t *rules, bool *swapped, size_t capacity)
{
    return pcm_config_resolve_objects(config, &PCM_OBJECT(.name = object_a, .surface = surface_a),
                                      &PCM_OBJECT(.name = object_b, .surface = surface_b), rules, swapped, capacity);
}
