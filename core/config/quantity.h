/* SPDX-License-Identifier: MIT */
/* quantity.h - numbers with dimensions: what expressions come to, and the numbers that Let names. */
#ifndef PCM_CONFIG_QUANTITY_H
#define PCM_CONFIG_QUANTITY_H

#include "names.h"
#include "report.h"
#include "tree.h"
#include "units.h"

/* A number in SI units. Without any unit it is plain, and takes the unit of the parameter that it becomes. */
typedef struct pcm_quantity {
    double   number;
    pcm_unit unit; /* its dimension alone: tens 0, factor 1 */
    bool     plain;
} pcm_quantity;

/* A parameter's value from elsewhere than the file. */
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

/* How far numbers are followed to those that they are defined by, and contact types to those that they are made from.
 */
enum { PCM_DEFINITIONS_DEEP = 64 };

/* What values are read with. */
typedef struct pcm_value_reader {
    pcm_arena   *arena; /* of what outlives the reading: texts and lists */
    pcm_reports *reports;
    pcm_lets    *lets;
    bool         incomplete; /* some text was not read that may define names */
    uint32_t     depth;      /* of names inside names, at most PCM_DEFINITIONS_DEEP */
    pcm_span     exponent;   /* where the parameter's unit has its exponent from; length 0: it is all the law's */
} pcm_value_reader;

/* Reports that the name stands behind more definitions than that. */
void pcm_report_too_deep(const pcm_value_reader *reader, pcm_span use);

/* Adds a Let; one that is there already is reported. False without memory. */
bool pcm_lets_add(pcm_lets *lets, pcm_reports *reports, const pcm_let_node *node);

/* The Let of that name, worked out; NULL: there is none, or it is wrong, which has been reported. */
const pcm_let *pcm_lets_find(const pcm_value_reader *reader, pcm_span name, bool *exists);

/* Works out those that nothing has asked for, and warns of them. */
void pcm_lets_finish(const pcm_value_reader *reader);

void pcm_lets_free(pcm_lets *lets);

/* Reads a unit in its brackets; what is wrong is reported. number, where it is not NULL, is the value that the unit is
 * of. */
bool pcm_unit_span_read(const pcm_value_reader *reader, pcm_span span, const pcm_param_node *number, pcm_unit *unit);

/* What an expression, or a whole value with its unit, comes to. False where it is wrong, which is reported. */
bool pcm_expression_value(const pcm_value_reader *reader, const pcm_operation *last, pcm_quantity *quantity);
bool pcm_param_quantity(const pcm_value_reader *reader, const pcm_param_node *node, pcm_quantity *quantity);

/* Notes where the names in an expression, which may be NULL, are defined. */
void pcm_note_names(const pcm_value_reader *reader, pcm_message *report, const pcm_operation *last);

#endif
