/* SPDX-License-Identifier: MIT */
/* expression.h - numbers, names and units between signs, in the order in which they are worked out: operands first.
 *
 * An expression is its last operation, and the operations stand in a ring: what follows the last is the first. */
#ifndef PCM_GRAMMAR_EXPRESSION_H
#define PCM_GRAMMAR_EXPRESSION_H

#include "source.h"

typedef enum pcm_operator {
    PCM_OP_NUMBER,
    PCM_OP_NAME, /* of a Let */
    PCM_OP_UNIT, /* of the operand before it */
    PCM_OP_CALL, /* of a function with one argument */
    PCM_OP_NEGATE,
    PCM_OP_ADD,
    PCM_OP_SUBTRACT,
    PCM_OP_MULTIPLY,
    PCM_OP_DIVIDE,
    PCM_OP_POWER
} pcm_operator;

typedef struct pcm_operation {
    struct pcm_operation *next;
    pcm_operator          operation;
    pcm_span span;   /* of all of its text; of a unit, its brackets included; of a call, the function's name */
    double   number; /* of PCM_OP_NUMBER */
} pcm_operation;

/* The places of the parser's stack, and so the most operands that wait in an expression: each but the last takes two
 * places, with the sign behind it. */
enum { PCM_BISON_DEPTH = 400, PCM_OPERANDS_MOST = PCM_BISON_DEPTH / 2 };

/* The ring of a with that of b behind it. */
static inline pcm_operation *pcm_expression_join(pcm_operation *a, pcm_operation *b)
{
    pcm_operation *first = a->next;
    a->next = b->next;
    b->next = first;
    return b;
}

static inline bool pcm_expression_is_number(const pcm_operation *last)
{
    return last->next == last && last->operation == PCM_OP_NUMBER;
}

/* The result of an operation of two numbers. */
double pcm_operation_apply(pcm_operator operation, double a, double b);

/* a to the power of b: exact steps where b is a whole number or a half, a root of what is below zero NaN. */
double pcm_power(double a, double b);

/* An expression of numbers alone, with one unit at most, at its end, which *unit gets: the unit is then that of the
 * whole. False: there are names in it, or units inside. */
bool pcm_expression_fold(const pcm_operation *last, double *number, pcm_span *unit);

#endif
