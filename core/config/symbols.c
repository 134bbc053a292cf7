/* SPDX-License-Identifier: MIT */
#include "symbols.h"

#include <string.h>

static const struct {
    const char *text, *name, *word;
} symbols[] = {
    {"E", "YoungModulus", "YoungModulus"},
    {"nu", "PoissonRatio", "PoissonRatio"},
    {"mu", "Friction", "Friction"},
    {"k", "Stiffness", "Stiffness"},
    {"c", "Damping", "Damping"},
    {"e", "Restitution", "Restitution"},
    {"\xce\xbc", "Friction", "Friction"},
    {"\xc2\xb5", "Friction", "Friction"},
    {"\xce\xbd", "PoissonRatio", "PoissonRatio"},
    {"G", "ShearModulus", "ShearModulus"},
    {"rho", "Density", "Density"},
};

pcm_symbol pcm_symbol_of(const char *text, size_t length)
{
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strlen(symbols[i].text) == length && memcmp(symbols[i].text, text, length) == 0)
            return (pcm_symbol){symbols[i].name, symbols[i].word, NULL};
    return (pcm_symbol){NULL, NULL, NULL};
}

void pcm_symbol_try(pcm_symbol *symbol, const char *known)
{
    if (symbol->word != NULL && symbol->best == NULL && strstr(known, symbol->word) != NULL)
        symbol->best = known;
}

void pcm_symbol_suggest(const pcm_symbol *symbol, pcm_suggestion *suggestion)
{
    const bool other_case = suggestion->best != NULL && suggestion->distance == 0;
    if (symbol->best == NULL || other_case)
        return;
    suggestion->best = symbol->best;
    suggestion->best_length = strlen(symbol->best);
    suggestion->distance = suggestion->length; /* no fix is certain */
}
