/* SPDX-License-Identifier: MIT */
/* parser.y - the statements of a .pcm file.
 *
 * Tokens that people forget (a ';', a '}') are part of the grammar, so that they are reported where they belong and
 * nothing after them is lost. All other errors end a parameter or a statement, and parsing continues at the next one.
 */
%require "3.8"
%define api.pure full
%define api.prefix {pcm_grammar_}
%define api.token.raw
%define api.location.type {pcm_span}
%define lr.type canonical-lr
%define lr.default-reduction consistent
%define parse.error custom
%locations
%expect 0
%param {struct pcm_parser *parser}

%code requires {
#include "scanner.h"
#include <pcm/messages.h>
}

/* At most eight bytes: larger values make every step of the parser slower. */
%union {
    double          number;
    pcm_span        span;
    pcm_param_node *param;
    pcm_item_node  *item;
    pcm_name_node  *names;
    pcm_operation  *operation;
    pcm_rule_kind   kind;
}

%code {

#include "remedy.h"

#include <stdio.h>

static int  yylex(PCM_GRAMMAR_STYPE *value, pcm_span *span, pcm_parser *parser);
static void yyerror(const pcm_span *span, pcm_parser *parser, const char *message);

static pcm_operation  *operation_new(pcm_parser *parser, pcm_operator operation, pcm_span span, double number);
static pcm_operation  *apply(pcm_parser *parser, pcm_operation *a, pcm_operation *b, pcm_operator operation, pcm_span span);
static pcm_operation  *apply_one(pcm_parser *parser, pcm_operation *a, pcm_operator operation, pcm_span span);
static pcm_param_node *param_new(pcm_parser *parser, pcm_value_node value);
static pcm_param_node *number_new(pcm_parser *parser, pcm_operation *last, pcm_span span);
static pcm_item_node  *item_new(pcm_parser *parser, pcm_item_node *previous, pcm_operation *last, pcm_span span);
static pcm_value_node  list_value(pcm_item_node *last, pcm_span span);
static pcm_value_node  column_value(pcm_span file, pcm_span column);
static void            let_text(pcm_parser *parser, pcm_span text);
static void            let_read(pcm_parser *parser, pcm_span name, pcm_param_node *value);
static void            closing_bracket(pcm_parser *parser, const char *bracket, pcm_span opened);
static void            semicolon(pcm_parser *parser);
static void            separator_missing(pcm_parser *parser);
static pcm_name_node  *name_new(pcm_parser *parser, pcm_name_node *previous, pcm_span span);
static void            type_read(pcm_parser *parser, pcm_span name, pcm_name_node *last_model, pcm_param_node *last);
static void            material_read(pcm_parser *parser, pcm_span name, pcm_span base, pcm_param_node *last);
static void            setting_read(pcm_parser *parser, const pcm_param_node *setting);
static void            surface_read(pcm_parser *parser, const pcm_surface_node *surface);
static void            rule_read(pcm_parser *parser, const pcm_rule_node *rule);
static void            rules_read(pcm_parser *parser, pcm_rule_node *rule, pcm_name_node *last_a, pcm_name_node *last_b);
static void            law_in_rule(pcm_parser *parser, pcm_span law, pcm_span block);

#define YYLLOC_DEFAULT(whole, parts, count)                                                                            \
    (whole) = (count) > 0 ? pcm_span_join(YYRHSLOC(parts, 1), YYRHSLOC(parts, count)) : (pcm_span){0, 0, 0}
/* No text. */
#define none ((pcm_span){0, 0, 0})
/* If there is no memory, reading ends. */
#define NEW(node, made)                                                                                                \
    if (((node) = (made)) == NULL)                                                                                     \
        YYABORT;
/* The stack has its full depth from the start, so that bison allocates nothing. */
#define YYINITDEPTH PCM_BISON_DEPTH
#define YYMAXDEPTH  PCM_BISON_DEPTH
}

%token PCM_GRAMMAR_EOF 0 "the end of the file"
%token INCLUDE "Include" CONTACT_TYPE "ContactType" LET "Let" SURFACE "Surface" MATERIAL "Material"
%token OBJECT_PAIR "ObjectPair" SURFACE_PAIR "SurfacePair" DEFAULT_PAIR "DefaultPair"
%token NAME "a name" STRING "a quoted text" UNIT "a unit" ARROW "'->'"
%token NEXT_NAME "the next parameter" LIST_COMMA "',' in a list" BAD "an error reported by the scanner" NEVER SETTING "a setting"
%token SEMICOLON "';'" COMMA "','" EQUALS "'='" STAR "'*'" PLUS "'+'" MINUS "'-'" SLASH "'/'" CARET "'^'"
%token OPEN_BRACE "'{'" CLOSE_BRACE "'}'" OPEN_BRACKET "'['" CLOSE_BRACKET "']'" OPEN "'('" CLOSE "')'"
%token DOT "'.'"
%token <number> NUMBER "a number"

/* An error belongs to the parameter or statement that it may be a part of, not to the next one. */
%precedence STATEMENT_ENDS
%precedence error

%type <operation> sum product factor power operand atom
%type <span>   name unit surfaces
%type <param>  block properties params good bad param value
%type <item>   items
%type <names>  models sides
%type <kind>   pair

%%

file: %empty | file statement ;

statement
    : "Include" "a quoted text" end
        { if (!pcm_parser_include(parser, @2)) YYABORT; }
    | "ContactType" name "'='" models end
        { type_read(parser, $2, $4, NULL); }
    | "ContactType" name "'='" models block
        { type_read(parser, $2, $4, $5); }
    | "Let" name "'='" sum end
        { pcm_param_node *value; NEW(value, number_new(parser, $4, @4)); let_read(parser, $2, value); }
    | "Let" name "'='" "a quoted text" end
        { let_text(parser, @4); }
    | "Surface" surfaces end
    | "Material" name properties
        { material_read(parser, $2, none, $3); }
    | "Material" name "'='" name properties
        { material_read(parser, $2, $4, $5); }
    | "Material" name "'='" name end
        { material_read(parser, $2, $4, NULL); }
    | "Material" name skipped
        { parser->lost = true; material_read(parser, $2, none, NULL); }
    | "a setting" setting
    | "ContactType" name skipped
        { parser->lost = true; type_read(parser, $2, NULL, NULL); }
    | pair sides "'*'" sides "'->'" name block
        { law_in_rule(parser, @6, @7); }
    | "DefaultPair" "'->'" name block
        { law_in_rule(parser, @3, @4); }
    | pair sides "'*'" sides "'->'" name end
        { rules_read(parser, &(pcm_rule_node){$1, pcm_span_join(@2, @4), @2, @4, $6}, $2, $4); }
    | "DefaultPair" "'->'" name end
        { rule_read(parser, &(pcm_rule_node){PCM_DEFAULT_PAIR, @1, @1, @1, $3}); }
    | skipped
    ;

/* One side of a rule: a single name is NULL, and its place tells it; of several the last. */
sides
    : name             { $$ = NULL; }
    | sides "','" name
        {
            pcm_name_node *first = $1;
            if (first == NULL)
                NEW(first, name_new(parser, NULL, @1));
            NEW($$, name_new(parser, first, $3));
        }
    ;

setting
    : name "'='" value       { $3->name = $1; setting_read(parser, $3); }
    | name "'='" value "';'" { $3->name = $1; setting_read(parser, $3); }
    | skipped
    ;

surfaces
    : name "'='" name       { $$ = $1; surface_read(parser, &(pcm_surface_node){$1, $3}); }
    | surfaces "','" name   { $$ = $1; surface_read(parser, &(pcm_surface_node){$1, $3}); }
    ;

/* From an error to a token that may follow. The second form, whose token does not exist, makes the parser read the next
 * token: if only one rule is possible, it would reduce without reading. */
skipped: error { yyerrok; } | error NEVER ;

pair: "ObjectPair" { $$ = PCM_OBJECT_PAIR; } | "SurfacePair" { $$ = PCM_SURFACE_PAIR; } ;

name: "a name" { $$ = @1; } | "a quoted text" { $$ = @1; } ;

/* The last statement; each refers to the one before it. */
models
    : name             { NEW($$, name_new(parser, NULL, $1)); }
    | models "'+'" name { NEW($$, name_new(parser, $1, $3)); }
    ;

end: "';'" | %empty { semicolon(parser); } %prec STATEMENT_ENDS ;

ending: end | skipped ;

block
    : "'{'" params "'}'" ending             { $$ = $2; }
    | "'['" "'{'" params "'}'" "']'" ending { $$ = $3; }
    | "'['" "'{'" params "'}'" end          { $$ = $3; closing_bracket(parser, "]", @1); }
    | "'['" "'{'" params "'}'" skipped      { $$ = $3; }
    | "'{'" params                          { $$ = $2; closing_bracket(parser, "}", @1); }
    | "'['" "'{'" params                    { $$ = $3; closing_bracket(parser, "}]", @1); }
    ;

/* The block of a material; a ';' may follow, as after other blocks. */
properties
    : "'{'" params "'}'"       { $$ = $2; }
    | "'{'" params "'}'" "';'" { $$ = $2; }
    | "'{'" params             { $$ = $2; closing_bracket(parser, "}", @1); }
    ;

/* A list of parameters is represented by its last one; a bad one ends at the next separator. */
params
    : %empty         { $$ = NULL; } %prec STATEMENT_ENDS
    | good | bad
    | good separator                %prec STATEMENT_ENDS
    | bad separator                 %prec STATEMENT_ENDS
    ;

good
    : param
    | good separator param { $3->next = $1; $$ = $3; }
    | bad separator param  { $3->next = $1; $$ = $3; }
    | good next_name "'='" value { $$ = $4; $$->name = @2; $$->next = $1; }
    ;

/* A name and '=' after a value: the separator is missing. */
next_name: "the next parameter" { separator_missing(parser); } ;

bad
    : lost                 { $$ = NULL; }
    | good separator lost
    | bad separator lost
    ;

lost: skipped { parser->lost = true; } ;

separator: "';'" | "','" ;

param: "a name" "'='" value { $$ = $3; $$->name = @1; } ;

unit: %empty { $$ = (pcm_span){0, 0, 0}; } | "a unit" { $$ = @1; } ;

/* A parameter whose name is set later. */
value
    : sum                    { NEW($$, number_new(parser, $1, @1)); }
    | "'('" items "')'" unit { NEW($$, param_new(parser, list_value($2, pcm_span_join(@1, @3)))); $$->unit = $4; }
    | "a quoted text" unit
        { NEW($$, param_new(parser, (pcm_value_node){.kind = PCM_VALUE_TEXT, .span = @1})); $$->unit = $2; }
    | "a quoted text" "'.'" name unit { NEW($$, param_new(parser, column_value(@1, $3))); $$->unit = $4; }
    ;

/* At least two items: one number in parentheses is an expression. */
items
    : sum "',' in a list" sum
        { pcm_item_node *first; NEW(first, item_new(parser, NULL, $1, @1)); NEW($$, item_new(parser, first, $3, @3)); }
    | items "',' in a list" sum { NEW($$, item_new(parser, $1, $3, @3)); }
    ;

sum
    : product
    | sum "'+'" product { NEW($$, apply(parser, $1, $3, PCM_OP_ADD, @$)); }
    | sum "'-'" product { NEW($$, apply(parser, $1, $3, PCM_OP_SUBTRACT, @$)); }
    ;

product
    : factor
    | product "'*'" factor { NEW($$, apply(parser, $1, $3, PCM_OP_MULTIPLY, @$)); }
    | product "'/'" factor { NEW($$, apply(parser, $1, $3, PCM_OP_DIVIDE, @$)); }
    ;

factor
    : power
    | "'-'" factor { NEW($$, apply_one(parser, $2, PCM_OP_NEGATE, @$)); }
    | "'+'" factor { $$ = $2; }
    ;

power
    : operand
    | operand "'^'" factor { NEW($$, apply(parser, $1, $3, PCM_OP_POWER, @$)); }
    ;

operand
    : atom
    | atom "a unit" { NEW($$, apply_one(parser, $1, PCM_OP_UNIT, @2)); }
    ;

atom
    : "a number"               { NEW($$, operation_new(parser, PCM_OP_NUMBER, @1, $1)); }
    | "a name"                 { NEW($$, operation_new(parser, PCM_OP_NAME, @1, 0)); }
    | "'('" sum "')'"          { $$ = $2; }
    | "a name" "'('" sum "')'" { NEW($$, apply_one(parser, $3, PCM_OP_CALL, @1)); }
    ;

%%

static bool is_keyword(int symbol) { return symbol >= YYSYMBOL_INCLUDE && symbol <= YYSYMBOL_DEFAULT_PAIR; }

static int yylex(PCM_GRAMMAR_STYPE *value, pcm_span *span, pcm_parser *parser)
{
    if (parser->setting) {
        parser->setting = false;
        *span = (pcm_span){0, 1, (uint16_t)parser->source};
        return SETTING;
    }
    int token = pcm_scanner_next(parser, value, span);
    if (parser->stopped)
        token = PCM_GRAMMAR_EOF;
    if (token == PCM_GRAMMAR_EOF)
        *span = (pcm_span){parser->reports->sources->list[parser->source].length, 1, (uint16_t)parser->source};
    else if (parser->listener->token != NULL && !parser->listener->token(parser->listener->user, *span))
        parser->stopped = parser->reports->no_memory = true;
    parser->previous_start = parser->current_start;
    parser->previous_end = parser->current_end;
    parser->previous = parser->current;
    parser->current_start = span->offset;
    parser->current_end = span->offset + span->length;
    parser->current = token;
    bool keyword = token >= INCLUDE && token <= DEFAULT_PAIR;
    if (keyword && parser->reports->sources->list[parser->source].setting) {
        pcm_parser_error(parser, PCM_MSG_SYNTAX, *span, "a setting is one value: Type.Parameter = value or Name = number");
        parser->stopped = true;
        return PCM_GRAMMAR_EOF;
    }
    parser->in_block = token == OPEN_BRACE || (parser->in_block && !keyword && token != CLOSE_BRACE);
    parser->recovering &= !keyword;
    parser->skipping &= !keyword && token != SEMICOLON && token != COMMA && token != CLOSE_BRACE;
    return token;
}

static void yyerror(const pcm_span *span, pcm_parser *parser, const char *message)
{
    (void)message; /* apart from yyreport_syntax_error bison has only one message: its stack is full */
    pcm_parser_error(parser, PCM_MSG_TOO_NESTED, *span, "the parentheses are nested too deeply");
}

/* The byte after the last token: a missing token belongs there. */
static pcm_span behind_previous(const pcm_parser *parser)
{
    return (pcm_span){parser->previous_end, 1, (uint16_t)parser->source};
}

static bool on_a_later_line(const pcm_parser *parser, uint32_t offset)
{
    return memchr(parser->text + parser->previous_end, '\n', offset - parser->previous_end) != NULL;
}


/* The expected tokens, in words; if a statement or parameter may end here, only that. */
static void list_expected(const yypcontext_t *context, char *text, size_t size)
{
    static const yysymbol_kind_t order[] = {
        YYSYMBOL_INCLUDE,     YYSYMBOL_LET, YYSYMBOL_SURFACE, YYSYMBOL_MATERIAL, YYSYMBOL_CONTACT_TYPE,  YYSYMBOL_OBJECT_PAIR,  YYSYMBOL_SURFACE_PAIR, YYSYMBOL_DEFAULT_PAIR,
        YYSYMBOL_LIST_COMMA,  YYSYMBOL_CLOSE,         YYSYMBOL_SEMICOLON,    YYSYMBOL_OPEN_BRACKET, YYSYMBOL_OPEN_BRACE,
        YYSYMBOL_CLOSE_BRACE, YYSYMBOL_CLOSE_BRACKET, YYSYMBOL_EQUALS,       YYSYMBOL_STAR,         YYSYMBOL_ARROW,
        YYSYMBOL_NAME,        YYSYMBOL_STRING,        YYSYMBOL_NUMBER,
    };
    enum { SYMBOLS = sizeof order / sizeof *order };
    yysymbol_kind_t all[YYNTOKENS];
    bool            may[YYNTOKENS] = {false};
    const char     *words[SYMBOLS];
    int             count = 0, number = yypcontext_expected_tokens(context, all, YYNTOKENS);
    for (int i = 0; i < number; i++)
        may[all[i]] = true;
    for (int i = 0; i < SYMBOLS; i++) {
        bool hidden = is_keyword(order[i]) ? may[YYSYMBOL_SEMICOLON] || may[YYSYMBOL_CLOSE_BRACE]
                                           : order[i] == YYSYMBOL_STAR && may[YYSYMBOL_PLUS];
        if (may[order[i]] && !hidden)
            words[count++] = order[i] == YYSYMBOL_LIST_COMMA ? "','" : yysymbol_name(order[i]);
    }
    size_t used = 0;
    *text = '\0';
    for (int i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " or ",
                                 words[i]);
}

/* ---- Suggestions ---------------------------------------------------------------------------------------------- */

static void insert(pcm_parser *parser, pcm_message *report, uint32_t at, const char *text)
{
    pcm_report_add_fix(parser->reports, report, (pcm_span){at, 0, (uint16_t)parser->source}, "%s", text);
}

/* ---- Errors of syntax ------------------------------------------------------------------------------------------- */

static int yyreport_syntax_error(const yypcontext_t *context, pcm_parser *parser)
{
    enum { TEXT = 200 };
    yysymbol_kind_t found = yypcontext_token(context);
    pcm_span        span = *yypcontext_location(context);
    char            expected[TEXT];
    parser->recovering = parser->skipping = true;
    parser->statement_next &= found == YYSYMBOL_SEMICOLON;
    list_expected(context, expected, sizeof expected);
    bool statement = strncmp(expected, "Include", 7) == 0;
    if (statement || parser->in_let || parser->previous == CONTACT_TYPE || parser->previous == INCLUDE) /* names may be lost */
        *parser->incomplete = true;
    if (found == YYSYMBOL_BAD || (found == YYSYMBOL_CLOSE_BRACE && parser->lost)) /* reported, or a consequence of it */
        return 0;
    bool semicolon = strncmp(expected, "';'", 3) == 0, setting = parser->reports->sources->list[parser->source].setting;
    pcm_message *report;
    if (found == YYSYMBOL_YYEOF || (semicolon && on_a_later_line(parser, span.offset))) {
        report = pcm_parser_error(parser, semicolon ? PCM_MSG_NO_SEMICOLON : PCM_MSG_SYNTAX, behind_previous(parser),
                                  "%s expected here%s%s", expected, found == YYSYMBOL_YYEOF ? ", where the " : "",
                                  found != YYSYMBOL_YYEOF ? "" : setting ? "setting ends" : "file ends");
        if (semicolon)
            insert(parser, report, parser->previous_end, ";");
        return 0;
    }
    pcm_remedy meant;
    pcm_remedy_find(parser, span, expected, &meant);
    *parser->incomplete |= meant.names_lost;
    report = pcm_parser_error(parser, PCM_MSG_SYNTAX, span, "%s expected instead of '%.*s'%s", expected,
                              pcm_shown(span.length), parser->text + span.offset, meant.hint);
    for (size_t i = 0; i < meant.n_fixes; i++)
        pcm_report_add_fix(parser->reports, report, meant.fixes[i].span, "%s", meant.fixes[i].text);
    return 0;
}

static void law_in_rule(pcm_parser *parser, pcm_span law, pcm_span block)
{
    pcm_parser_error(parser, PCM_MSG_SYNTAX, (pcm_span){block.offset, 1, block.source},
                     "';' expected instead of '%c'; a rule names a contact type: write ContactType NAME = %.*s { ... }; "
                     "before it, and NAME here",
                     parser->text[block.offset], pcm_shown(law.length), parser->text + law.offset);
    parser->lost = false;
}

static void semicolon(pcm_parser *parser)
{
    insert(parser,
           pcm_parser_error(parser, PCM_MSG_NO_SEMICOLON, behind_previous(parser),
                            "the final ';' of the statement is missing"),
           parser->previous_end, ";");
}

static void separator_missing(pcm_parser *parser)
{
    insert(parser,
           pcm_parser_error(parser, PCM_MSG_NO_SEMICOLON, behind_previous(parser),
                            "the ';' between two parameters is missing"),
           parser->previous_end, ";");
}

static void closing_bracket(pcm_parser *parser, const char *bracket, pcm_span opened)
{
    if (parser->lost) /* and perhaps the bracket with it */
        return;
    pcm_message *report = pcm_parser_error(parser, PCM_MSG_NO_CLOSING_BRACKET, behind_previous(parser),
                                          "the final '%s' of the parameters is missing", bracket);
    pcm_report_note(parser->reports, report, opened, "they begin here");
    insert(parser, report, parser->previous_end, strcmp(bracket, "]") == 0 ? "]" : strlen(bracket) == 2 ? "}];" : "};");
}

/* The end of the text before `at`, without trailing blanks. */
static uint32_t blanks_before(const pcm_parser *parser, uint32_t at)
{
    while (at > 0 && strchr(" \t\r\n\f\v", parser->text[at - 1]) != NULL && parser->text[at - 1] != '\0')
        at--;
    return at;
}

static pcm_param_node *param_new(pcm_parser *parser, pcm_value_node value)
{
    pcm_param_node *param = pcm_parser_take(parser, sizeof *param);
    if (param != NULL)
        param->value = value;
    return param;
}

static pcm_operation *operation_new(pcm_parser *parser, pcm_operator operation, pcm_span span, double number)
{
    pcm_operation *made = pcm_parser_take(parser, sizeof *made);
    if (made != NULL)
        *made = (pcm_operation){made, operation, span, number};
    return made;
}

/* Two numbers are replaced by their result, so that long sums take no memory. */
static pcm_operation *apply(pcm_parser *parser, pcm_operation *a, pcm_operation *b, pcm_operator operation, pcm_span span)
{
    if (pcm_expression_is_number(a) && pcm_expression_is_number(b)) {
        a->number = pcm_operation_apply(operation, a->number, b->number);
        a->span = span;
        return a;
    }
    pcm_operation *made = operation_new(parser, operation, span, 0);
    return made == NULL ? NULL : pcm_expression_join(pcm_expression_join(a, b), made);
}

static pcm_operation *apply_one(pcm_parser *parser, pcm_operation *a, pcm_operator operation, pcm_span span)
{
    if (pcm_expression_is_number(a) && operation == PCM_OP_NEGATE) {
        a->number = -a->number;
        a->span = span;
        return a;
    }
    pcm_operation *made = operation_new(parser, operation, span, 0);
    return made == NULL ? NULL : pcm_expression_join(a, made);
}

/* The value of an expression: a number if it can be evaluated now, a word if it is a single name. */
static pcm_param_node *number_new(pcm_parser *parser, pcm_operation *last, pcm_span span)
{
    pcm_value_node value = {.kind = PCM_VALUE_EXPRESSION, .expression = last, .span = span};
    pcm_span       unit = {0, 0, 0};
    if (pcm_expression_fold(last, &value.number, &unit))
        value.kind = PCM_VALUE_NUMBER;
    else if (last->next == last && last->span.length == span.length)
        value.kind = PCM_VALUE_WORD;
    if (unit.length > 0)
        value.span.length = (uint16_t)(blanks_before(parser, unit.offset) - span.offset);
    pcm_param_node *param = param_new(parser, value);
    if (param != NULL)
        param->unit = unit;
    return param;
}

/* An item with its own unit is evaluated with the list. */
static pcm_item_node *item_new(pcm_parser *parser, pcm_item_node *previous, pcm_operation *last, pcm_span span)
{
    pcm_item_node *item = pcm_parser_take(parser, sizeof *item);
    pcm_span       unit = {0, 0, 0};
    if (item == NULL)
        return NULL;
    *item = (pcm_item_node){previous, NULL, 0, span};
    if (!pcm_expression_fold(last, &item->number, &unit) || unit.length > 0)
        item->expression = last;
    return item;
}

/* Lists grow at their end, so that their nodes are linked last first: reverses the chain. */
static pcm_value_node list_value(pcm_item_node *last, pcm_span span)
{
    pcm_value_node list = {.kind = PCM_VALUE_LIST, .span = span};
    for (pcm_item_node *previous; last != NULL; last = previous) {
        previous = last->next;
        last->next = list.items;
        list.items = last;
        list.count++;
    }
    return list;
}

static pcm_value_node column_value(pcm_span file, pcm_span column)
{
    return (pcm_value_node){.kind = PCM_VALUE_COLUMN, .file = file, .column = column, .span = pcm_span_join(file, column)};
}

static pcm_name_node *name_new(pcm_parser *parser, pcm_name_node *previous, pcm_span span)
{
    pcm_name_node *name = pcm_parser_take(parser, sizeof *name);
    if (name != NULL)
        *name = (pcm_name_node){previous, span};
    return name;
}

/* Parameters are linked last first: reverses the chain. */
static pcm_param_node *in_order(pcm_param_node *last)
{
    pcm_param_node *first = NULL;
    for (pcm_param_node *previous; last != NULL; last = previous) {
        previous = last->next;
        last->next = first;
        first = last;
    }
    return first;
}

/* Names are linked last first, like parameters. */
static pcm_name_node *names_in_order(pcm_name_node *last)
{
    pcm_name_node *first = NULL;
    for (pcm_name_node *previous; last != NULL; last = previous) {
        previous = last->next;
        last->next = first;
        first = last;
    }
    return first;
}

static void type_read(pcm_parser *parser, pcm_span name, pcm_name_node *last_model, pcm_param_node *last)
{
    pcm_type_node *type = pcm_parser_take(parser, sizeof *type);
    if (type == NULL)
        return;
    *type = (pcm_type_node){.name = name, .lost = parser->lost};
    parser->lost = false;
    pcm_name_node *first = names_in_order(last_model);
    if (first != NULL) {
        type->model = first->span;
        type->parts = first->next;
    }
    type->params = in_order(last);
    if (!parser->listener->type(parser->listener->user, type))
        parser->stopped = parser->reports->no_memory = true;
}

static void material_read(pcm_parser *parser, pcm_span name, pcm_span base, pcm_param_node *last)
{
    pcm_material_node *material = pcm_parser_take(parser, sizeof *material);
    if (material == NULL)
        return;
    *material = (pcm_material_node){name, base, in_order(last), parser->lost};
    parser->lost = false;
    if (!parser->listener->material(parser->listener->user, material))
        parser->stopped = parser->reports->no_memory = true;
}

static void let_read(pcm_parser *parser, pcm_span name, pcm_param_node *value)
{
    value->name = name;
    if (!parser->listener->let(parser->listener->user, value))
        parser->stopped = parser->reports->no_memory = true;
}

static void let_text(pcm_parser *parser, pcm_span text)
{
    pcm_parser_error(parser, PCM_MSG_WRONG_KIND, text, "a Let names a number");
    *parser->incomplete = true;
}

static void setting_read(pcm_parser *parser, const pcm_param_node *setting)
{
    if (!parser->listener->setting(parser->listener->user, setting))
        parser->stopped = parser->reports->no_memory = true;
}

static void surface_read(pcm_parser *parser, const pcm_surface_node *surface)
{
    if (!parser->listener->surface(parser->listener->user, surface))
        parser->stopped = parser->reports->no_memory = true;
}

static void rule_read(pcm_parser *parser, const pcm_rule_node *rule)
{
    if (!parser->listener->rule(parser->listener->user, rule))
        parser->stopped = parser->reports->no_memory = true;
}

/* A rule for each name of one side with each of the other. */
static void rules_read(pcm_parser *parser, pcm_rule_node *rule, pcm_name_node *last_a, pcm_name_node *last_b)
{
    const pcm_name_node one_a = {NULL, rule->a}, one_b = {NULL, rule->b};
    const pcm_name_node *all_a = last_a == NULL ? &one_a : names_in_order(last_a);
    const pcm_name_node *all_b = last_b == NULL ? &one_b : names_in_order(last_b);
    uint32_t             count = 0;
    for (const pcm_name_node *a = all_a; a != NULL; a = a->next)
        for (const pcm_name_node *b = all_b; b != NULL; b = b->next) {
            if (count++ == PCM_RULES_OF_LISTS) {
                pcm_parser_error(parser, PCM_MSG_RULE_LISTS, rule->place,
                                 "the lists of this rule make more than %d pairs; write a pattern, or several rules",
                                 PCM_RULES_OF_LISTS);
                return;
            }
            rule->a = a->span;
            rule->b = b->span;
            rule->place = pcm_span_join(rule->a, rule->b);
            rule_read(parser, rule);
        }
}
