/* SPDX-License-Identifier: MIT */
/* usage: pcm-lower TEMPLATE GLUE.bc LAW.bc ...
 *
 * Completes a header for `pcm export`: prints TEMPLATE with the body of function NAME, from the optimised code of all
 * the modules together, in place of a line "@body NAME", and the functions of kit.h that bodies call in place of
 * "@kit". If something cannot be exported the output begins with lines "@refused", and the status is 1. */
#include "lower.h"

#include <stdlib.h>
#include <string.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>

enum { FOUND_MOST = 1024 };

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

static void refuse(FILE *out, const char *folder, unsigned folder_length, const char *file, unsigned length,
                   unsigned line, unsigned column, const char *message)
{
    const bool below = length > 0 && file[0] != '/' && folder_length > 0;
    (void)fprintf(out, "@refused\t%.*s%s%.*s\t%u\t%u\t%s\n", below ? (int)folder_length : 0, below ? folder : "",
                  below ? "/" : "", (int)length, length ? file : "", line, column, message);
}

/* A place in the source, of the instruction or of what it was inlined into: the optimiser may have moved it. */
static LLVMMetadataRef place_of(LLVMValueRef instruction)
{
    LLVMMetadataRef place = LLVMInstructionGetDebugLoc(instruction);
    while (place && LLVMDILocationGetLine(place) == 0 && LLVMDILocationGetInlinedAt(place))
        place = LLVMDILocationGetInlinedAt(place);
    return place;
}

void refuse_at(FILE *out, LLVMValueRef instruction, const char *message)
{
    LLVMMetadataRef place = place_of(instruction);
    LLVMMetadataRef file = place ? LLVMDIScopeGetFile(LLVMDILocationGetScope(place)) : NULL;
    unsigned        folder_length = 0, length = 0;
    const char     *folder = file ? LLVMDIFileGetDirectory(file, &folder_length) : "";
    const char     *name = file ? LLVMDIFileGetFilename(file, &length) : "";
    refuse(out, folder, folder_length, name, length, place ? LLVMDILocationGetLine(place) : 0,
           place ? LLVMDILocationGetColumn(place) : 0, message);
}

const char *name_of(LLVMValueRef value)
{
    size_t      length;
    const char *name = LLVMGetValueName2(value, &length);
    return *name == '\1' ? name + 1 : name;
}

static int give_up(const char *why)
{
    (void)fprintf(stderr, "pcm-lower: %s\n", why);
    return 2;
}

/* ---- The module -------------------------------------------------------------------------------------------------- */

static LLVMModuleRef read_module(const char *path)
{
    LLVMMemoryBufferRef bytes;
    LLVMModuleRef       module = NULL;
    char               *why;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &bytes, &why)) {
        (void)give_up(why);
        return NULL;
    }
    return LLVMParseBitcode2(bytes, &module) ? NULL : module;
}

/* Refuses static data that a law could write: on a GPU there would be one for all contacts. */
static bool is_free_of_statics(LLVMModuleRef module)
{
    bool good = true;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        size_t                  count;
        LLVMValueMetadataEntry *entries;
        char                    message[200];
        if (LLVMIsGlobalConstant(g) || LLVMIsDeclaration(g))
            continue;
        entries = LLVMGlobalCopyAllMetadata(g, &count);
        LLVMMetadataRef variable =
            count ? LLVMDIGlobalVariableExpressionGetVariable(LLVMValueMetadataEntriesGetMetadata(entries, 0)) : NULL;
        LLVMMetadataRef file = variable ? LLVMDIVariableGetFile(variable) : NULL;
        unsigned        folder_length = 0, length = 0;
        const char     *folder = file ? LLVMDIFileGetDirectory(file, &folder_length) : "";
        const char     *name = file ? LLVMDIFileGetFilename(file, &length) : "";
        (void)snprintf(message, sizeof message, "%.100s can be written; static data of a law is const", name_of(g));
        refuse(stdout, folder, folder_length, name, length, variable ? LLVMDIVariableGetLine(variable) : 0, 0, message);
        LLVMDisposeValueMetadataEntries(entries);
        good = false;
    }
    return good;
}

static LLVMModuleRef link_all(int count, char **paths, bool *good)
{
    LLVMModuleRef whole = read_module(paths[0]);
    for (int i = 1; whole && i < count; i++) {
        LLVMModuleRef module = read_module(paths[i]);
        if (!module)
            return NULL;
        *good &= is_free_of_statics(module);
        if (LLVMLinkModules2(whole, module))
            return NULL;
    }
    return whole;
}

static void set_attribute(LLVMValueRef function, const char *name)
{
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(LLVMGetGlobalContext(), kind, 0));
}

static void drop_attribute(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static bool is_glue(LLVMValueRef function) { return strncmp(name_of(function), "body_", 5) == 0; }
static bool is_kit(LLVMValueRef function) { return LLVMGetLinkage(function) == LLVMWeakAnyLinkage; }

/* Functions in the order in which a search met them. */
typedef struct found {
    LLVMValueRef function[FOUND_MOST];
    size_t       count;
} found;

static bool is_known(const found *known, LLVMValueRef function)
{
    for (size_t i = 0; i < known->count; i++)
        if (known->function[i] == function)
            return true;
    return known->count == FOUND_MOST;
}

/* A call of a function that no header has, found while its place in the source is still known. */
static bool is_free_of_calls(LLVMValueRef function, found *known)
{
    bool good = true;
    known->function[known->count++] = function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef called = LLVMGetInstructionOpcode(i) == LLVMCall ? LLVMGetCalledValue(i) : NULL;
            if (!called || !LLVMIsAFunction(called))
                continue;
            char        message[200];
            const char *name = name_of(called);
            (void)snprintf(message, sizeof message, "calls %.100s; a law computes with kit.h's functions alone", name);
            if (!LLVMIsDeclaration(called)) {
                good &= is_known(known, called) || is_free_of_calls(called, known);
            } else if (strncmp(name, "llvm.", 5) != 0 && *name != '<' && *name != '>') {
                refuse_at(stdout, i, message);
                good = false;
            }
        }
    return good;
}

/* The verbs of the laws: the glue calls them through tables. */
static bool is_verb(LLVMValueRef function)
{
    static const char *const ends[] = {"_update", "_forces", "_establish", "_jump", "_terminate", "_onset"};
    const char              *name = name_of(function);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (strlen(name) > strlen(ends[i]) && strcmp(name + strlen(name) - strlen(ends[i]), ends[i]) == 0)
            return LLVMGetLinkage(function) == LLVMExternalLinkage && !LLVMIsDeclaration(function);
    return false;
}

static bool check_calls(LLVMModuleRef module)
{
    found known = {.count = 0};
    bool  good = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_verb(f) && !is_known(&known, f))
            good &= is_free_of_calls(f, &known);
    return good;
}

/* ---- Parameters that prepare leaves constant --------------------------------------------------------------------- */

/* The call of that name in the function; NULL: there is none. */
static LLVMValueRef find_call(LLVMValueRef function, const char *name)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMGetInstructionOpcode(i) == LLVMCall && strcmp(name_of(LLVMGetCalledValue(i)), name) == 0)
                return i;
    return NULL;
}

static LLVMValueRef find_prepare(LLVMModuleRef module, const char *type)
{
    char name[512];
    (void)snprintf(name, sizeof name, "body_%s_prepare", type);
    return LLVMGetNamedFunction(module, name);
}

/* The other functions of the type read the constant. */
static void fold_param(LLVMModuleRef module, const char *type, const char *param, LLVMValueRef constant)
{
    static const char *const verbs[] = {"forces", "update", "establish", "jump", "terminate"};
    const char              *cast = LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMIntegerTypeKind ? "(pcmx_word)" : "";
    char                     name[512];
    for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++) {
        (void)snprintf(name, sizeof name, "body_%s_%s", type, verbs[v]);
        LLVMValueRef function = LLVMGetNamedFunction(module, name);
        (void)snprintf(name, sizeof name, "<%sp.%s", cast, param);
        for (LLVMValueRef call; function && (call = find_call(function, name)); LLVMInstructionEraseFromParent(call))
            LLVMReplaceAllUsesWith(call, constant);
    }
}

/* A parameter that is the same whatever the arguments are is no member of the struct. */
static void fold_params(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = name_of(f), *end = strstr(name, "_prepare");
        char        type[256];
        if (!is_glue(f) || !end || strcmp(end, "_prepare") != 0)
            continue;
        (void)snprintf(type, sizeof type, "%.*s", (int)(end - name) - 5, name + 5);
        LLVMValueRef next;
        for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetLastBasicBlock(f)); i; i = next) {
            next = LLVMGetNextInstruction(i);
            const char *to = LLVMGetInstructionOpcode(i) == LLVMCall ? name_of(LLVMGetCalledValue(i)) : "";
            if (strncmp(to, ">made.", 6) != 0 || strcmp(to, ">made.rejected") == 0 ||
                !LLVMIsConstant(LLVMGetOperand(i, 0)))
                continue;
            fold_param(module, type, to + 6, LLVMGetOperand(i, 0));
            LLVMInstructionEraseFromParent(i);
        }
    }
}

/* A line "@param TYPE NAME" with the member behind a tab: whether it is one. */
static bool is_member(LLVMModuleRef module, const char *line)
{
    char type[256], name[256], call[300];
    if (sscanf(line, "@param %255s %255s", type, name) != 2)
        return false;
    (void)snprintf(call, sizeof call, ">made.%s", name);
    return find_call(find_prepare(module, type), call) != NULL;
}

/* Everything becomes part of the bodies, but kit.h's functions. */
static bool optimise(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        set_attribute(f, "noimplicitfloat"); /* no vectors: LLVM 14 takes the option for that as on */
        if (is_glue(f) || is_kit(f))
            continue;
        LLVMSetLinkage(f, LLVMInternalLinkage);
        drop_attribute(f, "noinline");
        set_attribute(f, "alwaysinline");
    }
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
    LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
    /* First the loops over one lane go: out of a loop code would be moved, and lose its place in the source. */
    LLVMErrorRef error = LLVMRunPasses(
        module, "function(sroa,simplifycfg,loop(loop-rotate,loop-unroll-full)),default<O3>", NULL, options);
    if (!error) {
        fold_params(module);
        error = LLVMRunPasses(module, "default<O3>", NULL, options);
    }
    LLVMDisposePassBuilderOptions(options);
    if (error)
        LLVMConsumeError(error);
    return !error;
}

/* ---- The header -------------------------------------------------------------------------------------------------- */

/* Adds the kit's functions that this one calls, each after those that it calls itself. */
static void add_called(found *kit, LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef called = LLVMGetInstructionOpcode(i) == LLVMCall ? LLVMGetCalledValue(i) : NULL;
            if (!called || !LLVMIsAFunction(called) || !is_kit(called) || is_known(kit, called))
                continue;
            add_called(kit, called);
            kit->function[kit->count++] = called;
        }
}

static bool print_kit_function(LLVMTargetDataRef layout, LLVMValueRef f)
{
    LLVMTypeRef number = LLVMTypeOf(LLVMGetParam(f, 0));
    const char *type = type_name(number), *prefix = kit_prefix(number), *name = name_of(f) + strlen("pcm_");
    (void)printf("#ifndef PCM_HAS_%s%s\n#define PCM_HAS_%s%s\nPCM_FN %s %s%s(", prefix, name, prefix, name, type,
                 prefix, name);
    for (unsigned i = 0; i < LLVMCountParams(f); i++)
        (void)printf("%s%s v%u", i ? ", " : "", type, i);
    (void)printf(")\n{\n    PCMX_EXACT_\n");
    const bool good = print_body(stdout, layout, f);
    (void)printf("}\n#endif\n");
    return good;
}

static bool print_kit(LLVMModuleRef module, LLVMTargetDataRef layout)
{
    found called = {.count = 0};
    bool  good = true;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (is_glue(f))
            add_called(&called, f);
    for (size_t i = 0; i < called.count; i++)
        good &= print_kit_function(layout, called.function[i]);
    return good;
}

/* The function of the glue that a line "@WORD NAME" names. */
static LLVMValueRef find_body(LLVMModuleRef module, const char *line)
{
    char name[512];
    line += strcspn(line, " ") + 1;
    (void)snprintf(name, sizeof name, "body_%.*s", (int)strcspn(line, "\n"), line);
    return LLVMGetNamedFunction(module, name);
}

/* Whether the function writes anything but NaN. */
static bool writes(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMBool loses;
            if (LLVMGetInstructionOpcode(i) != LLVMCall || *name_of(LLVMGetCalledValue(i)) != '>')
                continue;
            LLVMValueRef value = LLVMGetOperand(i, 0);
            const double number = LLVMIsAConstantFP(value) ? LLVMConstRealGetDouble(value, &loses) : 0;
            if (number == number)
                return true;
        }
    return false;
}

static bool print_header(FILE *template, LLVMModuleRef module)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    char             *line = NULL;
    size_t            room = 0;
    bool              good = true, skips = false;
    while (getline(&line, &room, template) > 0) {
        LLVMValueRef function =
            strncmp(line, "@body ", 6) == 0 || strncmp(line, "@maybe ", 7) == 0 ? find_body(module, line) : NULL;
        if (line[0] == '@' && line[1] == 'm')
            skips = !function || !writes(function);
        else if (strcmp(line, "@end\n") == 0)
            skips = false;
        else if (skips)
            continue;
        else if (strncmp(line, "@param ", 7) == 0)
            (void)fputs(is_member(module, line) ? strchr(line, '\t') + 1 : "", stdout);
        else if (strcmp(line, "@kit\n") == 0)
            good &= print_kit(module, layout);
        else if (line[0] == '@')
            good &= function && print_body(stdout, layout, function);
        else
            (void)fputs(line, stdout);
    }
    free(line);
    return good;
}

int main(int argc, char **argv)
{
    FILE *template = argc > 2 ? fopen(argv[1], "r") : NULL;
    bool good = true;
    if (!template)
        return give_up("usage: pcm-lower TEMPLATE GLUE.bc LAW.bc ...");
    LLVMModuleRef module = link_all(argc - 2, argv + 2, &good);
    if (!module)
        return give_up("the modules cannot be read");
    good = good && check_calls(module) && optimise(module) && print_header(template, module);
    LLVMDisposeModule(module);
    return fclose(template) == 0 && fflush(stdout) == 0 && good ? 0 : 1;
}
