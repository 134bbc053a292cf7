/* SPDX-License-Identifier: MIT */
/* lower.h - optimised code of one contact as C, read through LLVM's C interface. A function without memory and loops
 * becomes a straight line: branches become selects, since every operation may be evaluated on all paths. One with loops
 * becomes a switch over its blocks. */
#ifndef PCM_TOOLS_EXPORT_LOWER_H
#define PCM_TOOLS_EXPORT_LOWER_H

#include <stdbool.h>
#include <stdio.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

/* Reports why a law cannot be exported: "@refused FILE LINE COLUMN MESSAGE", with tabs between, is a line of the
 * output. */
void refuse_at(FILE *out, LLVMValueRef instruction, const char *message);

/* A function's name without LLVM's mark of a name that was chosen in the source. */
const char *name_of(LLVMValueRef value);

/* Prints the statements of a function's body. Calls of "<TEXT" read TEXT, calls of ">TEXT" assign to it, and kit.h's
 * pcm_NAME is called as pcmx_NAME. False, and refused: it has something that no header may have. */
bool print_body(FILE *out, LLVMTargetDataRef layout, LLVMValueRef function);

/* Whether the function has loops. False, and refused: how often one is passed depends on the contact, so that lanes of
 * a GPU would wait for each other. */
bool check_loops(FILE *out, LLVMValueRef function, bool *loops);

/* The prefix of kit functions' names in the header: another one where numbers are floats. */
const char *kit_prefix(LLVMTypeRef number);

/* "double", "pcmx_word" ...; NULL: not a type of numbers. */
const char *type_name(LLVMTypeRef type);

/* A load from constant data: its value, at an index that may depend on the contact. False: it is something else. */
typedef struct loaded {
    const unsigned char *bytes; /* of the data; free them */
    size_t               size, at, stride;
    LLVMValueRef         index; /* NULL: constant */
} loaded;
bool read_constant(LLVMTargetDataRef layout, LLVMValueRef pointer, loaded *result);

#endif
