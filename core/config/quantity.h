/* SPDX-License-Identifier: MIT */
/* quantity.h - numbers with dimensions: the values of expressions, and the numbers that Let names. */
#ifndef PCM_CONFIG_QUANTITY_H
#define PCM_CONFIG_QUANTITY_H

#include "names.h"
#include "report.h"
#include "tree.h"
#include "units.h"

/* A number in SI units. A number without any unit is plain, and takes the unit of the parameter to which it is
 * assigned. */
typedef struct pcm_quantity {
    double   number;
    pcm_unit unit; /* only its dimension counts: tens 0, factor 1 */
    bool     plain;
} pcm_quantity;

/* A parameter's value that replaces that of the file. */
typedef struct pcm_setting {
    struct pcm_setting *next;
    pcm_param_node      param;
} pcm_setting;

typedef enum pcm_let_state { PCM_LET_UNREAD, PCM_LET_OPEN, PCM_LET_GOOD, PCM_LET_BAD } pcm_let_state;

typedef struct pcm_let {
    const pcm_let_node *node; /* while the configuration is read */
    pcm_span            name;
    pcm_quantity        quantity;
    pcm_let_state       state;
    bool                used;
} pcm_let;

/* The numbers that a configuration names, in the order of the text. */
typedef struct pcm_lets {
    pcm_names names;
    pcm_let  *list; /* by number of names */
    uint32_t  capacity;
} pcm_lets;

/* The deepest nesting of numbers defined by others, and of contact types made from others. */
enum { PCM_DEFINITIONS_DEEP = 64 };

/* Everything that reading a value needs. */
typedef struct pcm_value_reader {
    pcm_arena   *arena; /* for texts and lists that are needed after reading */
    pcm_reports *reports;
    pcm_lets    *lets;
    bool         incomplete; /* part of the text could not be read, and may have defined names */
    bool         types_lost; /* a contact type is missing, so the properties that it reads are not known */
    uint32_t     depth;      /* how deeply names are nested, at most PCM_DEFINITIONS_DEEP */
    pcm_span     exponent;   /* place of the exponent in the parameter's unit; length 0: none */
} pcm_value_reader;

/* Reports that the name is nested deeper than that. */
void pcm_report_too_deep(const pcm_value_reader *reader, pcm_span use);

/* Adds a Let; a duplicate is reported. False if there is no memory. */
bool pcm_lets_add(pcm_lets *lets, pcm_reports *reports, const pcm_let_node *node);

/* The Let of that name, evaluated; NULL: there is none, or it has an error, which has been reported. */
const pcm_let *pcm_lets_find(const pcm_value_reader *reader, pcm_span name, bool *exists);

/* Evaluates those that nothing has used, and warns of them. */
void pcm_lets_finish(const pcm_value_reader *reader);

void pcm_lets_free(pcm_lets *lets);

/* Reads a unit in its brackets; an error is reported. number: the value to which the unit belongs, or NULL. */
bool pcm_unit_span_read(const pcm_value_reader *reader, pcm_span span, const pcm_param_node *number, pcm_unit *unit);

/* Evaluates an expression, or a whole value with its unit. False on an error, which is reported. */
bool pcm_expression_value(const pcm_value_reader *reader, const pcm_operation *last, pcm_quantity *quantity);
bool pcm_param_quantity(const pcm_value_reader *reader, const pcm_param_node *node, pcm_quantity *quantity);

typedef struct pcm_name_advice {
    char text[160];
} pcm_name_advice;

/* What an unknown name in an expression probably is, as the end of a sentence from its "; " on; "": nothing is known.
 */
pcm_name_advice pcm_name_hint(const pcm_value_reader *reader, pcm_span name);

/* Adds notes of where the names in an expression are defined; it may be NULL. */
void pcm_note_names(const pcm_value_reader *reader, pcm_message *report, const pcm_operation *last);

#endif
