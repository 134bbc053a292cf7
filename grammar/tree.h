/* SPDX-License-Identifier: MIT */
/* tree.h - the statements of a .pcm file. Names are spans of the text; every part has its place. */
#ifndef PCM_GRAMMAR_TREE_H
#define PCM_GRAMMAR_TREE_H

#include "expression.h"

typedef enum pcm_value_kind {
    PCM_VALUE_NUMBER,
    PCM_VALUE_EXPRESSION, /* a number that depends on names or on units inside it */
    PCM_VALUE_LIST,
    PCM_VALUE_WORD,
    PCM_VALUE_TEXT,
    PCM_VALUE_COLUMN /* "file.csv".column */
} pcm_value_kind;

/* An item of a list that was written in parentheses. */
typedef struct pcm_item_node {
    struct pcm_item_node *next;
    const pcm_operation  *expression; /* NULL: number is all of it */
    double                number;
    pcm_span              span;
} pcm_item_node;

typedef struct pcm_value_node {
    pcm_value_kind       kind;
    double               number;     /* of PCM_VALUE_NUMBER, evaluated */
    const pcm_operation *expression; /* of PCM_VALUE_EXPRESSION, and of a single word, which may be the name of a Let */
    pcm_item_node       *items;      /* of PCM_VALUE_LIST */
    uint32_t             count;
    pcm_span             span;         /* a text's quotes included */
    pcm_span             file, column; /* of PCM_VALUE_COLUMN, quotes included */
} pcm_value_node;

typedef struct pcm_param_node {
    struct pcm_param_node *next;
    pcm_span               name;
    pcm_value_node         value;
    pcm_span               unit; /* of the whole value, its brackets included; length 0: none */
} pcm_param_node;

/* Let name = expression: stored like a parameter of that name. */
typedef pcm_param_node pcm_let_node;

/* One of several names in a row. */
typedef struct pcm_name_node {
    struct pcm_name_node *next;
    pcm_span              span; /* quotes included */
} pcm_name_node;

/* ContactType name = model + part + part { params } */
typedef struct pcm_type_node {
    pcm_span        name, model; /* quotes included; model of length 0: an error of syntax hides it */
    pcm_name_node  *parts;       /* after the first, in the order of the text; NULL: a law of one part */
    pcm_param_node *params;
    bool            lost; /* an error of syntax hides parameters */
} pcm_type_node;

/* Material name = base { params } */
typedef struct pcm_material_node {
    pcm_span        name, base; /* quotes included; base of length 0: none */
    pcm_param_node *params;
    bool            lost; /* an error of syntax hides properties */
} pcm_material_node;

/* ObjectPair, SurfacePair or DefaultPair a * b -> type; DefaultPair has neither a nor b. */
typedef struct pcm_rule_node {
    pcm_rule_kind kind;
    pcm_span      place; /* of the pair; of the keyword of DefaultPair */
    pcm_span      a, b, type;
} pcm_rule_node;

/* Surface name = pattern: a node for each pattern of the statement. */
typedef struct pcm_surface_node {
    pcm_span name, pattern;
} pcm_surface_node;

#endif
