/* SPDX-License-Identifier: MIT */
#include "expression.h"

#include <math.h>

double pcm_power(double a, double b)
{
    enum { MOST = 64 }; /* in halves */
    const double halves = 2 * b;
    if (!(fabs(halves) <= MOST) || halves != floor(halves))
        return pcm_pow(a, b);
    const int count = (int)fabs(halves);
    double    power = count % 2 == 0 ? 1 : sqrt(a);
    for (int i = 0; i < count / 2; i++)
        power *= a;
    return b < 0 ? 1 / power : power;
}

double pcm_operation_apply(pcm_operator operation, double a, double b)
{
    switch (operation) {
    case PCM_OP_ADD:
        return a + b;
    case PCM_OP_SUBTRACT:
        return a - b;
    case PCM_OP_MULTIPLY:
        return a * b;
    case PCM_OP_DIVIDE:
        return a / b;
    default:
        return pcm_power(a, b);
    }
}

/* Whether there is no name, and no unit except at most one at the end of the text. */
static bool is_foldable(const pcm_operation *last, const pcm_operation **unit)
{
    uint32_t end = 0;
    *unit = NULL;
    for (const pcm_operation *at = last->next;; at = at->next) {
        const uint32_t at_end = at->span.offset + at->span.length;
        end = at_end > end ? at_end : end;
        if (at->operation == PCM_OP_NAME || at->operation == PCM_OP_CALL || (at->operation == PCM_OP_UNIT && *unit))
            return false;
        if (at->operation == PCM_OP_UNIT)
            *unit = at;
        if (at == last)
            break;
    }
    return *unit == NULL || (*unit)->span.offset + (*unit)->span.length == end;
}

bool pcm_expression_fold(const pcm_operation *last, double *number, pcm_span *unit)
{
    double               stack[PCM_OPERANDS_MOST];
    size_t               used = 0;
    const pcm_operation *whole;
    if (!is_foldable(last, &whole))
        return false;
    for (const pcm_operation *at = last->next;; at = at->next) {
        if (at->operation == PCM_OP_NUMBER)
            stack[used++] = at->number;
        else if (at->operation == PCM_OP_NEGATE)
            stack[used - 1] = -stack[used - 1];
        else if (at->operation != PCM_OP_UNIT) {
            used--;
            stack[used - 1] = pcm_operation_apply(at->operation, stack[used - 1], stack[used]);
        }
        if (at == last)
            break;
    }
    *number = stack[0];
    *unit = whole == NULL ? (pcm_span){0, 0, 0} : whole->span;
    return true;
}
