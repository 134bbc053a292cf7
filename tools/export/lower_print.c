/* SPDX-License-Identifier: MIT */
/* lower_print.c - prints one function, a statement an instruction. */
#include "lower.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS_MOST = 512, CONDITION = 4096, TABLE_MOST = 4096, CHAIN_MOST = 16 };

typedef struct text {
    char at[64];
} text;

/* The function while it is printed. */
typedef struct printer {
    FILE             *out;
    LLVMTargetDataRef layout;
    LLVMValueRef     *values; /* those that have a name: v0, v1 ... */
    size_t            n_values, room;
    LLVMBasicBlockRef block[BLOCKS_MOST]; /* each after those from which it is reached */
    size_t            n_blocks;
    unsigned char     always[BLOCKS_MOST]; /* 1: on every path */
    bool              good, loops;
    const char       *open; /* the type of the statement that has not ended yet; NULL: none */
} printer;

static void fail(printer *p, LLVMValueRef instruction, const char *message)
{
    (void)fputc('\n', p->out); /* its line is one of its own */
    refuse_at(p->out, instruction, message);
    p->good = false;
}

/* ---- Values ------------------------------------------------------------------------------------------------------ */

const char *type_name(LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    const unsigned     bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    return kind == LLVMDoubleTypeKind  ? "double"
           : kind == LLVMFloatTypeKind ? "float"
           : bits == 1                 ? "int"
           : bits == 8                 ? "unsigned char"
           : bits == 16                ? "unsigned short"
           : bits == 32                ? "unsigned int"
           : bits == 64                ? "pcmx_word"
                                       : NULL;
}

static const char *signed_name(LLVMTypeRef type)
{
    const unsigned bits = LLVMGetIntTypeWidth(type);
    return bits == 64 ? "pcmx_int" : bits == 32 ? "int" : bits == 16 ? "short" : "signed char";
}

static bool is_float(LLVMTypeRef type) { return LLVMGetTypeKind(type) == LLVMFloatTypeKind; }
static bool is_number(LLVMTypeRef type) { return is_float(type) || LLVMGetTypeKind(type) == LLVMDoubleTypeKind; }

const char *kit_prefix(LLVMTypeRef number) { return is_float(number) ? "pcmxf_" : "pcmx_"; }

static text number_text(double number, bool single)
{
    text     t;
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    if (!isfinite(number)) {
        const float small = (float)number;
        uint32_t    small_bits;
        memcpy(&small_bits, &small, sizeof small_bits);
        (void)snprintf(t.at, sizeof t.at, "%s_from_bits(0x%" PRIx64 "u)", single ? "pcmxf" : "pcmx",
                       single ? small_bits : bits);
        return t;
    }
    int length = snprintf(t.at, sizeof t.at, "%.*g", single ? 9 : 17, number);
    for (int digits = 1; !single && digits < 17 && strtod(t.at, NULL) == number; digits++) {
        text shorter;
        (void)snprintf(shorter.at, sizeof shorter.at, "%.*g", digits, number);
        if (strtod(shorter.at, NULL) == number) {
            t = shorter;
            length = (int)strlen(t.at);
            break;
        }
    }
    (void)snprintf(t.at + length, sizeof t.at - (size_t)length, "%s%s", strpbrk(t.at, ".e") ? "" : ".0",
                   single ? "f" : "");
    return t;
}

static text whole_text(uint64_t whole, LLVMTypeRef type)
{
    text t;
    (void)snprintf(t.at, sizeof t.at, LLVMGetIntTypeWidth(type) == 1 ? "%" PRIu64 : "%" PRIu64 "u", whole);
    return t;
}

static size_t find(const printer *p, LLVMValueRef value)
{
    size_t i = 0;
    while (i < p->n_values && p->values[i] != value)
        i++;
    return i;
}

static text value_text(const printer *p, LLVMValueRef value)
{
    text        t;
    LLVMBool    loses;
    LLVMTypeRef type = LLVMTypeOf(value);
    if (LLVMIsAConstantFP(value))
        return number_text(LLVMConstRealGetDouble(value, &loses), is_float(type));
    if (LLVMIsAConstantInt(value))
        return whole_text(LLVMConstIntGetZExtValue(value), type);
    if (LLVMIsUndef(value))
        return is_number(type) ? number_text(0, is_float(type)) : whole_text(0, type);
    (void)snprintf(t.at, sizeof t.at, "v%zu", find(p, value));
    return t;
}

static text operand(const printer *p, LLVMValueRef instruction, unsigned index)
{
    return value_text(p, LLVMGetOperand(instruction, index));
}

static void name_value(printer *p, LLVMValueRef value)
{
    if (p->n_values == p->room) {
        const size_t  room = p->room ? 2 * p->room : 256;
        LLVMValueRef *more = realloc(p->values, room * sizeof *more);
        if (!more) {
            fail(p, value, "out of memory");
            return;
        }
        p->values = more, p->room = room;
    }
    p->values[p->n_values++] = value;
}

/* Ends the statement that defines values. */
static void finish(printer *p)
{
    (void)fputs(p->open ? ";\n" : "", p->out);
    p->open = NULL;
}

/* Begins the definition of the instruction's value; those of one type are one statement. False: it has no type of
 * numbers. With loops all values are variables that have been declared. */
static bool define(printer *p, LLVMValueRef instruction)
{
    const char *type = type_name(LLVMTypeOf(instruction));
    if (!type) {
        fail(p, instruction, "computes with something else than plain numbers");
        return false;
    }
    if (!p->loops)
        name_value(p, instruction);
    if (!p->loops && p->open == type) {
        (void)fputs(",\n    ", p->out);
    } else {
        finish(p);
        (void)fprintf(p->out, p->loops ? "    " : "    const %s ", type);
        p->open = type;
    }
    (void)fprintf(p->out, "v%zu = ", find(p, instruction));
    return true;
}

/* ---- Arithmetic -------------------------------------------------------------------------------------------------- */

/* Of a select one side is hidden: compilers for GPUs make a minimum of a select against zero, which orders -0 before 0.
 */
static void print_select(printer *p, const char *condition, LLVMValueRef yes, LLVMValueRef no)
{
    const text  a = value_text(p, yes), b = value_text(p, no);
    const bool  number = is_number(LLVMTypeOf(yes)), hide_a = number && LLVMIsConstant(no) && !LLVMIsConstant(yes);
    const bool  hide_b = number && !LLVMIsConstant(no);
    const char *hide = is_float(LLVMTypeOf(yes)) ? "PCMXF_HIDDEN_(" : "PCMX_HIDDEN_(";
    (void)fprintf(p->out, "%s ? %s%s%s : %s%s%s", condition, hide_a ? hide : "", a.at, hide_a ? ")" : "",
                  hide_b ? hide : "", b.at, hide_b ? ")" : "");
}

static void print_real_compare(printer *p, LLVMValueRef i)
{
    static const char *const forms[] = {
        [LLVMRealPredicateFalse] = "0",
        [LLVMRealOEQ] = "%a == %b",
        [LLVMRealOGT] = "%a > %b",
        [LLVMRealOGE] = "%a >= %b",
        [LLVMRealOLT] = "%a < %b",
        [LLVMRealOLE] = "%a <= %b",
        [LLVMRealONE] = "%a < %b || %a > %b",
        [LLVMRealORD] = "%a == %a && %b == %b",
        [LLVMRealUNO] = "%a != %a || %b != %b",
        [LLVMRealUEQ] = "!(%a < %b || %a > %b)",
        [LLVMRealUGT] = "!(%a <= %b)",
        [LLVMRealUGE] = "!(%a < %b)",
        [LLVMRealULT] = "!(%a >= %b)",
        [LLVMRealULE] = "!(%a > %b)",
        [LLVMRealUNE] = "%a != %b",
        [LLVMRealPredicateTrue] = "1",
    };
    const LLVMRealPredicate which = LLVMGetFCmpPredicate(i);
    const bool              alone = LLVMIsConstant(LLVMGetOperand(i, 1)); /* not NaN: that is folded */
    const char             *form = alone && which == LLVMRealORD   ? "%a == %a"
                                   : alone && which == LLVMRealUNO ? "%a != %a"
                                                                   : forms[which];
    const text              a = operand(p, i, 0), b = operand(p, i, 1);
    for (const char *at = form; *at; at++)
        if (*at == '%')
            (void)fputs(*++at == 'a' ? a.at : b.at, p->out);
        else
            (void)fputc(*at, p->out);
}

static void print_whole_compare(printer *p, LLVMValueRef i)
{
    static const char *const signs[] = {
        [LLVMIntEQ] = "==",  [LLVMIntNE] = "!=", [LLVMIntUGT] = ">",  [LLVMIntUGE] = ">=", [LLVMIntULT] = "<",
        [LLVMIntULE] = "<=", [LLVMIntSGT] = ">", [LLVMIntSGE] = ">=", [LLVMIntSLT] = "<",  [LLVMIntSLE] = "<=",
    };
    const LLVMIntPredicate which = LLVMGetICmpPredicate(i);
    const text             a = operand(p, i, 0), b = operand(p, i, 1);
    const char            *as = which >= LLVMIntSGT ? signed_name(LLVMTypeOf(LLVMGetOperand(i, 0))) : "";
    const char            *open = *as ? "(" : "", *close = *as ? ")" : "";
    (void)fprintf(p->out, "%s%s%s%s %s %s%s%s%s", open, as, close, a.at, signs[which], open, as, close, b.at);
}

/* Prints a form: %a and %b are the operands, %u and %s the type without and with a sign, %t the kind of the macros. */
static void print_form(printer *p, LLVMValueRef i, const char *form)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    for (const char *at = form; *at; at++)
        if (*at != '%')
            (void)fputc(*at, p->out);
        else if (*++at == 't')
            (void)fputs(is_float(type) ? "PCMXF" : "PCMX", p->out);
        else
            (void)fputs(*at == 's'   ? signed_name(type)
                        : *at == 'u' ? type_name(type)
                                     : operand(p, i, *at == 'a' ? 0 : 1).at,
                        p->out);
}

/* A product must not be fused with a sum: guarding it alone is enough. Compilers for GPUs also have quotients of floats
 * that are not rounded correctly. Whole numbers are computed in at least the width of int. */
static const struct {
    LLVMOpcode  opcode;
    const char *form;
} forms[] = {
    {LLVMFAdd, "%a + %b"},
    {LLVMFSub, "%a - %b"},
    {LLVMFMul, "%t_MUL_(%a, %b)"},
    {LLVMFDiv, "%t_DIV_(%a, %b)"},
    {LLVMFNeg, "-%a"},
    {LLVMFreeze, "%a"},
    {LLVMAdd, "(%u)((%u)%a + %b)"},
    {LLVMSub, "(%u)((%u)%a - %b)"},
    {LLVMMul, "(%u)((%u)%a * %b)"},
    {LLVMAnd, "(%u)((%u)%a & %b)"},
    {LLVMOr, "(%u)((%u)%a | %b)"},
    {LLVMXor, "(%u)((%u)%a ^ %b)"},
    {LLVMShl, "(%u)((%u)%a << %b)"},
    {LLVMLShr, "(%u)((%u)%a >> %b)"},
    {LLVMAShr, "(%u)((%s)%a >> %b)"},
    {LLVMZExt, "(%u)%a"},
    {LLVMFPExt, "(%u)%a"},
    {LLVMFPTrunc, "(%u)%a"},
    {LLVMUIToFP, "(%u)%a"},
    {LLVMFPToUI, "(%u)%a"},
};

static void print_cast(printer *p, LLVMValueRef i)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    LLVMTypeRef      from = LLVMTypeOf(LLVMGetOperand(i, 0)), to = LLVMTypeOf(i);
    const text       a = operand(p, i, 0);
    const bool       bit = LLVMGetTypeKind(from) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(from) == 1;
    const char      *kind = is_float(from) || is_float(to) ? "pcmxf" : "pcmx";
    if (opcode == LLVMBitCast)
        (void)fprintf(p->out, "%s_%s(%s)", kind, is_number(from) ? "bits" : "from_bits", a.at);
    else if (opcode == LLVMSExt || opcode == LLVMSIToFP)
        (void)fprintf(p->out, "(%s)%s(%s)%s", type_name(to), bit ? "-" : "", bit ? "pcmx_int" : signed_name(from),
                      a.at);
    else if (opcode == LLVMFPToSI)
        (void)fprintf(p->out, "(%s)(%s)%s", type_name(to), signed_name(to), a.at);
    else if (opcode == LLVMTrunc && LLVMGetIntTypeWidth(to) == 1)
        (void)fprintf(p->out, "(int)(%s & 1u)", a.at);
    else
        (void)fprintf(p->out, "(%s)%s", type_name(to), a.at);
}

/* ---- Calls and tables -------------------------------------------------------------------------------------------- */

static const struct {
    const char *name, *form;
} intrinsics[] = {
    {"llvm.sqrt.", "%t_SQRT_(%a)"},
    {"llvm.fabs.", "%t_ABS_(%a)"},
    {"llvm.copysign.", "%t_SIGN_(%a, %b)"},
    {"llvm.smax.", "(%s)%a > (%s)%b ? %a : %b"},
    {"llvm.smin.", "(%s)%a < (%s)%b ? %a : %b"},
    {"llvm.umax.", "%a > %b ? %a : %b"},
    {"llvm.umin.", "%a < %b ? %a : %b"},
    {"llvm.abs.", "(%s)%a < 0 ? 0u - %a : %a"},
};

static bool begins(const char *name, const char *with) { return strncmp(name, with, strlen(with)) == 0; }

static void print_kit_call(printer *p, LLVMValueRef call, const char *name)
{
    if (!define(p, call))
        return;
    (void)fprintf(p->out, "%s%s(", kit_prefix(LLVMTypeOf(call)), name + strlen("pcm_"));
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        (void)fprintf(p->out, "%s%s", i ? ", " : "", operand(p, call, i).at);
    (void)fputs(")", p->out);
}

static void refuse_call(printer *p, LLVMValueRef call, const char *name)
{
    char message[256];
    if (begins(name, "llvm.mem"))
        (void)snprintf(message, sizeof message, "keeps numbers in memory that no register can hold");
    else
        (void)snprintf(message, sizeof message, "needs %.60s, which headers do not have",
                       *name ? name : "a call through a pointer");
    fail(p, call, message);
}

static void print_call(printer *p, LLVMValueRef call)
{
    const char *name = name_of(LLVMGetCalledValue(call));
    if (begins(name, "llvm.dbg") || begins(name, "llvm.lifetime") || begins(name, "llvm.assume") ||
        begins(name, "llvm.experimental.noalias"))
        return;
    if (*name == '<' && define(p, call)) {
        (void)fputs(name + 1, p->out);
        return;
    }
    if (*name == '>') {
        LLVMValueRef value = LLVMGetOperand(call, 0);
        const bool   is_whole = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMIntegerTypeKind;
        finish(p);
        (void)fprintf(p->out, "    %s = %s%s;\n", name + 1, is_whole ? "(pcmx_int)" : "", value_text(p, value).at);
        return;
    }
    if (begins(name, "pcm_") && !LLVMIsDeclaration(LLVMGetCalledValue(call))) {
        print_kit_call(p, call, name);
        return;
    }
    for (size_t i = 0; i < sizeof intrinsics / sizeof *intrinsics; i++)
        if (begins(name, intrinsics[i].name)) {
            if (define(p, call))
                print_form(p, call, intrinsics[i].form);
            return;
        }
    refuse_call(p, call, name);
}

/* One entry of constant data. */
static text entry_text(const loaded *from, size_t at, LLVMTypeRef type, size_t size)
{
    double   number;
    float    small;
    uint64_t whole = 0;
    memcpy(&whole, from->bytes + at, size);
    memcpy(&number, &whole, sizeof number);
    memcpy(&small, &whole, sizeof small);
    return is_float(type)    ? number_text((double)small, true)
           : is_number(type) ? number_text(number, false)
                             : whole_text(whole, type);
}

/* The entries of a table between which the index chooses. */
typedef struct entries {
    size_t first, count, before; /* byte of the first, their number, and the one at which the index is 0 */
} entries;

static entries entries_of(const loaded *from, size_t size)
{
    if (!from->index)
        return (entries){from->at, 1, 0};
    const size_t first = from->at % from->stride;
    return (entries){first, (from->size - first - size) / from->stride + 1, from->at / from->stride};
}

/* A short table is a chain of selects: no memory, in any language. */
static void print_chain(printer *p, const loaded *from, entries e, const char *index, LLVMTypeRef type, size_t size)
{
    for (size_t k = 0; k + 1 < e.count; k++)
        (void)fprintf(p->out, "%s == %zuu ? %s : ", index, k,
                      entry_text(from, e.first + k * from->stride, type, size).at);
    (void)fputs(entry_text(from, e.first + (e.count - 1) * from->stride, type, size).at, p->out);
}

static void print_array(printer *p, const loaded *from, entries e, size_t number, LLVMTypeRef type, size_t size)
{
    (void)fprintf(p->out, "    PCMX_DATA_ %s t%zu[] = {", type_name(type), number);
    for (size_t k = 0; k < e.count; k++)
        (void)fprintf(p->out, "%s%s", k ? ", " : "", entry_text(from, e.first + k * from->stride, type, size).at);
    (void)fputs("};\n", p->out);
}

static void print_entries(printer *p, LLVMValueRef load, const loaded *from, size_t size)
{
    LLVMTypeRef   type = LLVMTypeOf(load);
    const entries e = entries_of(from, size);
    const bool    is_long = e.count > CHAIN_MOST;
    const size_t  number = p->loops ? find(p, load) : p->n_values;
    char          index[96] = "";
    if (from->index && e.before > 0)
        (void)snprintf(index, sizeof index, "%s + %zuu", value_text(p, from->index).at, e.before);
    else if (from->index)
        (void)snprintf(index, sizeof index, "%s", value_text(p, from->index).at);
    if (is_long)
        finish(p);
    if (p->loops && is_long)
        (void)fputs("    {\n", p->out);
    if (is_long)
        print_array(p, from, e, number, type, size);
    if (!define(p, load))
        return;
    if (is_long) /* on a path that is not taken the index may be anything */
        (void)fprintf(p->out, "t%zu[%s < %zuu ? %s : 0]", number, index, e.count, index);
    else
        print_chain(p, from, e, index, type, size);
    if (p->loops && is_long) {
        finish(p);
        (void)fputs("    }\n", p->out);
    }
}

static void print_load(printer *p, LLVMValueRef load)
{
    loaded from;
    if (!read_constant(p->layout, LLVMGetOperand(load, 0), &from)) {
        fail(p, load, "reads memory: of its own, of a text, or at a place that depends on a parameter");
        return;
    }
    const size_t size = (size_t)LLVMABISizeOfType(p->layout, LLVMTypeOf(load));
    if (size > sizeof(uint64_t) || from.at + size > from.size || (from.stride && from.size / from.stride > TABLE_MOST))
        fail(p, load, "reads a table that is too long for a header");
    else
        print_entries(p, load, &from, size);
    free((void *)(uintptr_t)from.bytes);
}

/* ---- Branches ---------------------------------------------------------------------------------------------------- */

static size_t block_at(const printer *p, LLVMBasicBlockRef block)
{
    size_t i = 0;
    while (i < p->n_blocks && p->block[i] != block)
        i++;
    return i;
}

/* Writes on what the way from one block to another depends; "": nothing. False: there is no way. */
static bool edge(const printer *p, size_t from, LLVMBasicBlockRef to, char *condition, size_t room)
{
    LLVMValueRef   end = LLVMGetBasicBlockTerminator(p->block[from]);
    const unsigned ways = LLVMGetNumSuccessors(end);
    char           own[CONDITION] = "";
    size_t         length = 0;
    bool           found = false;
    for (unsigned k = 0; k < ways && length < sizeof own - 128; k++) {
        if (LLVMGetSuccessor(end, k) != to)
            continue;
        const char * or = found ? " || " : "";
        if (LLVMGetInstructionOpcode(end) == LLVMSwitch && k > 0)
            length += (size_t)snprintf(own + length, sizeof own - length, "%s%s == %s", or, operand(p, end, 0).at,
                                       operand(p, end, 2 * k).at);
        else if (LLVMGetInstructionOpcode(end) == LLVMSwitch)
            for (unsigned other = 1; other < ways && length < sizeof own - 128; other++)
                length += (size_t)snprintf(own + length, sizeof own - length, "%s%s != %s", other > 1 ? " && " : or,
                                           operand(p, end, 0).at, operand(p, end, 2 * other).at);
        else if (ways == 2)
            length += (size_t)snprintf(own + length, sizeof own - length, "%s%s%s", or, k ? "!" : "",
                                       value_text(p, LLVMGetCondition(end)).at);
        found = true;
    }
    const bool both =
        ways == 2 && LLVMGetInstructionOpcode(end) == LLVMBr && LLVMGetSuccessor(end, 0) == LLVMGetSuccessor(end, 1);
    const bool free_way = length == 0 || both;
    if (p->always[from])
        (void)snprintf(condition, room, "%s%s%s", free_way ? "" : "(", free_way ? "" : own, free_way ? "" : ")");
    else
        (void)snprintf(condition, room, free_way ? "p%zu" : "(p%zu && (%s))", from, own);
    return found;
}

/* The condition under which a block is evaluated, as a statement. */
static void print_condition(printer *p, size_t block)
{
    char condition[CONDITION];
    bool first = true;
    finish(p);
    (void)fprintf(p->out, "    const int p%zu = ", block);
    for (size_t from = 0; from < block; from++)
        if (edge(p, from, p->block[block], condition, sizeof condition)) {
            (void)fprintf(p->out, "%s%s", first ? "" : " || ", *condition ? condition : "1");
            first = false;
        }
    (void)fprintf(p->out, ";\n    (void)p%zu;\n", block);
}

static void print_phi(printer *p, LLVMValueRef phi)
{
    const unsigned count = LLVMCountIncoming(phi);
    char           condition[CONDITION];
    if (p->loops || !define(p, phi)) /* in loops each way gives it its value */
        return;
    LLVMBasicBlockRef here = LLVMGetInstructionParent(phi);
    const bool        number = is_number(LLVMTypeOf(phi));
    const char       *hide = is_float(LLVMTypeOf(phi)) ? "PCMXF_HIDDEN_(" : "PCMX_HIDDEN_(";
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, k);
        const bool   hides = number && !LLVMIsConstant(value);
        if (k + 1 < count) {
            (void)edge(p, block_at(p, LLVMGetIncomingBlock(phi, k)), here, condition, sizeof condition);
            (void)fprintf(p->out, "%s ? ", *condition ? condition : "1");
        }
        (void)fprintf(p->out, "%s%s%s%s", hides ? hide : "", value_text(p, value).at, hides ? ")" : "",
                      k + 1 < count ? " : " : "");
    }
}

/* ---- Loops ------------------------------------------------------------------------------------------------------- */

/* Declares all values as variables. */
static void declare_values(printer *p)
{
    for (size_t b = 0; b < p->n_blocks; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(p->block[b]); i; i = LLVMGetNextInstruction(i)) {
            const char *type = type_name(LLVMTypeOf(i));
            if (!type)
                continue;
            (void)fprintf(p->out, "    %s v%zu = 0;\n", type, p->n_values);
            name_value(p, i);
        }
}

/* Goes on to a block: its phis get their values, all at once. */
static void print_way(printer *p, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    size_t n = 0;
    (void)fputs(" {\n", p->out);
    for (int pass = 0; pass < 2; pass++, n = 0)
        for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i), n++)
            for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
                if (LLVMGetIncomingBlock(i, k) == from && type_name(LLVMTypeOf(i))) {
                    if (pass == 0)
                        (void)fprintf(p->out, "        const %s n%zu = %s;\n", type_name(LLVMTypeOf(i)), n,
                                      value_text(p, LLVMGetIncomingValue(i, k)).at);
                    else
                        (void)fprintf(p->out, "        %s = n%zu;\n", value_text(p, i).at, n);
                    break;
                }
    (void)fprintf(p->out, "        at = %zu;\n    }", block_at(p, to));
}

static void print_end(printer *p, LLVMValueRef end)
{
    LLVMBasicBlockRef from = LLVMGetInstructionParent(end);
    const unsigned    ways = LLVMGetNumSuccessors(end);
    const bool        is_switch = LLVMGetInstructionOpcode(end) == LLVMSwitch;
    finish(p);
    (void)fputs("   ", p->out);
    for (unsigned k = ways; k-- > 0;) { /* a switch's first successor is that of all other values */
        if (is_switch && k > 0)
            (void)fprintf(p->out, " if (%s == %s)", operand(p, end, 0).at, operand(p, end, 2 * k).at);
        else if (!is_switch && k > 0)
            (void)fprintf(p->out, " if (!%s)", value_text(p, LLVMGetCondition(end)).at);
        print_way(p, from, LLVMGetSuccessor(end, k));
        (void)fputs(k > 0 ? " else" : "\n", p->out);
    }
    (void)fputs(ways > 0 ? "        break;\n" : "        at = -1;\n        break;\n", p->out);
}

/* ---- The function ------------------------------------------------------------------------------------------------ */

static void print_computed(printer *p, LLVMValueRef i)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    if (!define(p, i))
        return;
    for (size_t k = 0; k < sizeof forms / sizeof *forms; k++)
        if (forms[k].opcode == opcode) {
            print_form(p, i, forms[k].form);
            return;
        }
    if (opcode == LLVMFCmp)
        print_real_compare(p, i);
    else if (opcode == LLVMICmp)
        print_whole_compare(p, i);
    else if (opcode == LLVMSelect)
        print_select(p, operand(p, i, 0).at, LLVMGetOperand(i, 1), LLVMGetOperand(i, 2));
    else if (opcode == LLVMSExt || opcode == LLVMTrunc || opcode == LLVMSIToFP || opcode == LLVMFPToSI ||
             opcode == LLVMBitCast)
        print_cast(p, i);
    else
        fail(p, i, "has an instruction that no header has, such as a division of whole numbers");
}

static void print_return(printer *p, LLVMValueRef i)
{
    finish(p);
    if (LLVMGetNumOperands(i) > 0)
        (void)fprintf(p->out, "    return %s;\n", operand(p, i, 0).at);
}

static void print_instruction(printer *p, LLVMValueRef i)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
    const bool       points = LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind;
    if (opcode == LLVMStore)
        fail(p, i, "writes to memory: static data, or numbers that no register can hold");
    else if (opcode == LLVMLoad && !points)
        print_load(p, i);
    else if (opcode == LLVMCall)
        print_call(p, i);
    else if (opcode == LLVMPHI && !points)
        print_phi(p, i);
    else if (p->loops && LLVMIsATerminatorInst(i))
        print_end(p, i);
    else if (opcode == LLVMRet && !p->always[block_at(p, LLVMGetInstructionParent(i))])
        fail(p, i, "returns from several places");
    else if (opcode == LLVMRet)
        print_return(p, i);
    else if (!points && !LLVMIsATerminatorInst(i))
        print_computed(p, i); /* pointers are read where data is loaded */
}

/* Appends the block after all that follow it; then the order is reversed. */
static bool visit(printer *p, LLVMBasicBlockRef block, LLVMBasicBlockRef *path, size_t depth)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    path[depth] = block;
    for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
        bool              known = block_at(p, next) < p->n_blocks;
        for (size_t i = 0; i <= depth; i++)
            known |= path[i] == next;
        if (!known && (depth + 1 >= BLOCKS_MOST || !visit(p, next, path, depth + 1)))
            return false;
    }
    if (p->n_blocks == BLOCKS_MOST) {
        fail(p, end, "has more branches than a header may have");
        return false;
    }
    p->block[p->n_blocks++] = block;
    return true;
}

static bool order_blocks(printer *p, LLVMValueRef function)
{
    LLVMBasicBlockRef path[BLOCKS_MOST];
    if (!visit(p, LLVMGetEntryBasicBlock(function), path, 0))
        return false;
    for (size_t i = 0; i < p->n_blocks / 2; i++) {
        LLVMBasicBlockRef other = p->block[i];
        p->block[i] = p->block[p->n_blocks - 1 - i];
        p->block[p->n_blocks - 1 - i] = other;
    }
    return true;
}

static void print_block(printer *p, size_t b)
{
    /* The last block is where all ways meet again. */
    LLVMValueRef end = LLVMGetBasicBlockTerminator(p->block[b]);
    p->always[b] = p->loops || b == 0 || (b + 1 == p->n_blocks && LLVMIsAReturnInst(end));
    finish(p);
    if (p->loops)
        (void)fprintf(p->out, "    case %zu:\n", b);
    if (!p->always[b])
        print_condition(p, b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(p->block[b]); i; i = LLVMGetNextInstruction(i))
        print_instruction(p, i);
}

bool print_body(FILE *out, LLVMTargetDataRef layout, LLVMValueRef function)
{
    bool     loops;
    printer *p = check_loops(out, function, &loops) ? calloc(1, sizeof *p) : NULL;
    if (!p)
        return false;
    p->out = out, p->layout = layout, p->good = true, p->loops = loops;
    for (unsigned i = 0; i < LLVMCountParams(function); i++)
        name_value(p, LLVMGetParam(function, i));
    bool good = order_blocks(p, function);
    if (loops) {
        declare_values(p);
        (void)fputs("    int at = 0;\n    while (at >= 0)\n    switch (at) {\n", out);
    }
    for (size_t b = 0; good && b < p->n_blocks; b++)
        print_block(p, b);
    if (loops)
        (void)fputs("    }\n", out);
    good &= p->good;
    free(p->values);
    free(p);
    return good;
}
