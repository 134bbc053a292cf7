/* SPDX-License-Identifier: MIT */
/* scanner.h - shared by lexer.l, parser.y and parse.c while one source is read. */
#ifndef PCM_GRAMMAR_SCANNER_H
#define PCM_GRAMMAR_SCANNER_H

#include "parse.h"

enum { PCM_FLEX_BYTES = 1024, PCM_TOKEN_MOST = 65000, PCM_RULES_OF_LISTS = 4096 };

typedef struct pcm_parser {
    pcm_reports        *reports;
    const pcm_listener *listener;
    bool               *incomplete;
    uint32_t            source;
    void               *scanner; /* flex's own state */
    const char         *text;
    uint32_t            parentheses;  /* number of open ones inside a value */
    uint32_t            value_start;  /* after the '=' of a parameter */
    uint32_t            previous_end; /* the end of the token before the current one */
    uint32_t            previous_start, current_start, current_end;
    int                 current, previous; /* tokens */
    int                 statement;         /* the keyword of the statement */
    bool                lost;              /* an error hides a parameter of this statement */
    bool                recovering;        /* set from an error to the next statement */
    bool                skipping;          /* set from an error to the end of the text that it affects */
    bool                statement_next;    /* a statement's first word is expected */
    bool                in_let;            /* a value ends the statement */
    bool                in_block;          /* inside of braces */
    bool                unclosed;          /* from here on no C comment has an end */
    bool                stopped;           /* no memory, or too many errors: the text ends here */
    bool                setting;           /* the text is one setting; a token before it says so to the grammar */
    size_t              flex_used;
    _Alignas(16) char flex_memory[PCM_FLEX_BYTES]; /* all that flex ever allocates */
} pcm_parser;

union PCM_GRAMMAR_STYPE;

/* The next token of the text. */
int pcm_scanner_next(pcm_parser *parser, union PCM_GRAMMAR_STYPE *value, pcm_span *span);

/* Starts and ends the scanner of parser->source. */
bool pcm_scanner_start(pcm_parser *parser);
void pcm_scanner_end(pcm_parser *parser);

/* An error of syntax at a place of the source that is being read. */
pcm_message *pcm_parser_error(pcm_parser *parser, uint32_t code, pcm_span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Reads the file that an Include names; span is its quoted name. */
bool pcm_parser_include(pcm_parser *parser, pcm_span span);

/* Memory that lives as long as the reports; if there is none, the reading stops. */
void *pcm_parser_take(pcm_parser *parser, size_t bytes);

#endif
