/* SPDX-License-Identifier: MIT */
#include "config.h"
#include <pcm/amount.h>

uint32_t pcm_amounts_find(const pcm_amounts *amounts, const char *name)
{
    uint32_t i = 0;
    while (i < amounts->count && strcmp(amounts->list[i]->name, name) != 0)
        i++;
    return i;
}

const pcm_amount *pcm_amounts_add(pcm_amounts *amounts, const pcm_type *type)
{
    const pcm_model *model = type->info.model;
    for (size_t i = 0; i < model->amounts.count; i++) {
        const pcm_amount *amount = pcm_model_amount(model, i);
        const uint32_t    at = pcm_amounts_find(amounts, amount->name);
        if (at == PCM_MAX_AMOUNTS)
            return amount;
        if (at == amounts->count) {
            amounts->list[at] = amount;
            amounts->type[at] = type;
            amounts->count++;
        } else if (strcmp(amounts->list[at]->unit, amount->unit) != 0 ||
                   strcmp(amounts->list[at]->flow_unit, amount->flow_unit) != 0)
            return amount;
    }
    return NULL;
}

const pcm_amounts *pcm_amounts_of(const pcm_type *type) { return &type->config->amounts; }

size_t pcm_config_amount_count(const pcm_config *config) { return config->amounts.count; }

const pcm_amount *pcm_config_amount_at(const pcm_config *config, size_t index)
{
    return index < config->amounts.count ? config->amounts.list[index] : NULL;
}
