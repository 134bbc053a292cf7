/* SPDX-License-Identifier: MIT */
/* lower_data.c - constant data from which a law reads: the bytes of a table, and the place in it. */
#include "lower.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <llvm/Config/llvm-config.h>

#if LLVM_VERSION_MAJOR < 15
static LLVMValueRef LLVMGetAggregateElement(LLVMValueRef value, unsigned i)
{
    return LLVMIsAConstantDataSequential(value) ? LLVMGetElementAsConstant(value, i) : LLVMGetOperand(value, i);
}
#endif

static size_t size_of(LLVMTargetDataRef layout, LLVMTypeRef type) { return (size_t)LLVMABISizeOfType(layout, type); }

static void put_number(LLVMValueRef value, LLVMTypeRef type, unsigned char *bytes, size_t size)
{
    LLVMBool       loses;
    const bool     is_int = LLVMGetTypeKind(type) == LLVMIntegerTypeKind;
    const double   number = is_int ? 0 : LLVMConstRealGetDouble(value, &loses);
    const float    small = (float)number;
    const uint64_t whole = is_int ? LLVMConstIntGetZExtValue(value) : 0;
    memcpy(bytes,
           is_int                 ? (const void *)&whole
           : size == sizeof small ? (const void *)&small
                                  : (const void *)&number,
           size);
}

/* Writes a constant as it lies in memory. False: it contains something else than numbers, such as a pointer. */
static bool put(LLVMTargetDataRef layout, LLVMValueRef value, unsigned char *bytes)
{
    LLVMTypeRef        type = LLVMTypeOf(value);
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsNull(value) || LLVMIsUndef(value))
        return true;
    if (kind == LLVMIntegerTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMFloatTypeKind) {
        put_number(value, type, bytes, size_of(layout, type));
        return LLVMIsConstant(value) && !LLVMIsAConstantExpr(value);
    }
    if (kind != LLVMArrayTypeKind && kind != LLVMStructTypeKind)
        return false;
    const bool     is_array = kind == LLVMArrayTypeKind;
    const size_t   step = is_array ? size_of(layout, LLVMGetElementType(type)) : 0;
    const unsigned count = is_array ? LLVMGetArrayLength(type) : LLVMCountStructElementTypes(type);
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef element = LLVMGetAggregateElement(value, i);
        if (!put(layout, element, bytes + (is_array ? i * step : LLVMOffsetOfElement(layout, type, i))))
            return false;
    }
    return true;
}

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    return LLVMIsAInstruction(value)    ? LLVMGetInstructionOpcode(value)
           : LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value)
                                        : (LLVMOpcode)0;
}

/* Adds the offset of a getelementptr. Of its indices one may depend on the contact. */
static bool add_indices(LLVMTargetDataRef layout, LLVMValueRef pointer, loaded *result)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    for (int i = 1; i < LLVMGetNumOperands(pointer); i++) {
        LLVMValueRef index = LLVMGetOperand(pointer, (unsigned)i);
        const bool   constant = LLVMIsAConstantInt(index);
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            const unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            result->at += (size_t)LLVMOffsetOfElement(layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        type = i > 1 ? LLVMGetElementType(type) : type;
        if (!constant && result->index)
            return false;
        if (constant)
            result->at += (size_t)LLVMConstIntGetSExtValue(index) * size_of(layout, type);
        else
            result->index = index, result->stride = size_of(layout, type);
    }
    return true;
}

bool read_constant(LLVMTargetDataRef layout, LLVMValueRef pointer, loaded *result)
{
    *result = (loaded){0};
    for (; !LLVMIsAGlobalVariable(pointer); pointer = LLVMGetOperand(pointer, 0)) {
        const LLVMOpcode opcode = opcode_of(pointer);
        if (opcode == LLVMGetElementPtr ? !add_indices(layout, pointer, result) : opcode != LLVMBitCast)
            return false;
    }
    LLVMValueRef initial = LLVMIsGlobalConstant(pointer) ? LLVMGetInitializer(pointer) : NULL;
    if (!initial)
        return false;
    result->size = size_of(layout, LLVMTypeOf(initial));
    unsigned char *bytes = calloc(1, result->size);
    result->bytes = bytes;
    const bool whole = bytes && put(layout, initial, bytes);
    if (!whole)
        free(bytes);
    return whole;
}
