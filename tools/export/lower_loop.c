/* SPDX-License-Identifier: MIT */
/* lower_loop.c - loops that the optimiser has left, as over a long list. */
#include "lower.h"

#include <stdlib.h>
#include <string.h>

enum { SEEN_MOST = 65536 };

/* Values or blocks that a search has met. */
typedef struct seen {
    const void *at[SEEN_MOST];
    size_t      count;
} seen;

/* Whether it is new; when there is no more room nothing is. */
static bool meet(seen *s, const void *what)
{
    for (size_t i = 0; i < s->count; i++)
        if (s->at[i] == what)
            return false;
    if (s->count == SEEN_MOST)
        return false;
    s->at[s->count++] = what;
    return true;
}

/* Whether there is a way from one block to another of at least one step. */
static bool reaches(LLVMBasicBlockRef from, LLVMBasicBlockRef to, seen *s)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
        if (next == to || (meet(s, next) && reaches(next, to, s)))
            return true;
    }
    return false;
}

/* Whether a value follows from a number of the contact. */
static bool depends(LLVMValueRef value, seen *s)
{
    if (!LLVMIsAInstruction(value) || !meet(s, value))
        return false;
    if (LLVMGetInstructionOpcode(value) == LLVMCall && strncmp(name_of(LLVMGetCalledValue(value)), "<c.", 3) == 0)
        return true;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (LLVMIsAInstruction(LLVMGetOperand(value, (unsigned)i)) && depends(LLVMGetOperand(value, (unsigned)i), s))
            return true;
    return false;
}

/* Whether the block may leave its loop, and on a condition that follows from a number of the contact. */
static bool leaves_by_contact(LLVMBasicBlockRef block, seen *s)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool         leaves = false;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        s->count = 0;
        leaves |= LLVMGetSuccessor(end, k) != block && !reaches(LLVMGetSuccessor(end, k), block, s);
    }
    s->count = 0;
    return leaves && depends(LLVMGetOperand(end, 0), s);
}

bool check_loops(FILE *out, LLVMValueRef function, bool *loops)
{
    seen *s = malloc(sizeof *s);
    bool  good = s != NULL;
    *loops = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); s && b; b = LLVMGetNextBasicBlock(b)) {
        s->count = 0;
        if (!reaches(b, b, s))
            continue;
        *loops = true;
        if (leaves_by_contact(b, s)) {
            refuse_at(out, LLVMGetBasicBlockTerminator(b), "has a loop whose end depends on the contact");
            good = false;
        }
    }
    free(s);
    return good;
}
