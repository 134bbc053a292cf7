/* SPDX-License-Identifier: MIT */
/* expression.h - expressions of numbers, names and units, in the order of evaluation: operands first.
 *
 * An expression is represented by its last operation. The operations form a ring: the last is followed by the first. */
#ifndef PCM_GRAMMAR_EXPRESSION_H
#define PCM_GRAMMAR_EXPRESSION_H

#include "source.h"

typedef enum pcm_operator {
    PCM_OP_NUMBER,
    PCM_OP_NAME, /* the name of a Let */
    PCM_OP_UNIT, /* the unit of the operand before it */
    PCM_OP_CALL, /* a call of a function with one argument */
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
    pcm_span span;   /* the whole text of the operation; a unit with its brackets; for a call, the function's name */
    double   number; /* the value of a PCM_OP_NUMBER */
} pcm_operation;

/* The size of the parser's stack, which limits the pending operands of an expression: each but the last takes two
 * entries, with the sign after it. */
enum { PCM_BISON_DEPTH = 400, PCM_OPERANDS_MOST = PCM_BISON_DEPTH / 2 };

/* Joins two rings: a, followed by b. */
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

/* The result of an operation on two numbers. */
double pcm_operation_apply(pcm_operator operation, double a, double b);

/* a to the power of b: by multiplications and square roots if b is a whole number or a half. A root of a negative
 * number is NaN. */
double pcm_power(double a, double b);

/* Whether the expression has only numbers and at most one unit, at its end: *unit gets it, and it applies to the whole.
 * False: it has names, or units inside. */
bool pcm_expression_fold(const pcm_operation *last, double *number, pcm_span *unit);

#endif
