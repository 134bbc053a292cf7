/* SPDX-License-Identifier: MIT */
/* What a configuration says, in a few bytes: how a checkpoint knows its own. */
#include "bytes.h"
#include "contact_type.h"

static uint64_t add_text(uint64_t print, const char *text) { return pcm_checksum(print, text, strlen(text) + 1); }

static uint64_t add_number(uint64_t print, double number)
{
    uint8_t    bytes[8];
    pcm_writer writer = {bytes, 0};
    pcm_write_double(&writer, number);
    return pcm_checksum(print, bytes, sizeof bytes);
}

uint64_t pcm_type_fingerprint(const pcm_type *type)
{
    uint64_t print = PCM_CHECKSUM_START;
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        print = add_text(print, value.param->name);
        print = add_number(print, value.number);
        print = add_text(print, value.text ? value.text : "");
        for (size_t k = 0; k < value.list.count; k++)
            print = add_number(print, value.list.values[k]);
    }
    const pcm_type_info *info = &type->info;
    for (uint32_t i = 0; i < info->model->states.count; i++) {
        const pcm_state *state = pcm_model_state(info->model, i);
        print = add_text(print, state->name);
        print = add_number(print, state->shape + 2 * state->role);
    }
    for (uint32_t i = 0; i < info->model->amounts.count; i++)
        print = add_text(print, pcm_model_amount(info->model, i)->name);
    return print;
}

uint64_t pcm_rules_fingerprint(const pcm_config *config)
{
    uint64_t print = PCM_CHECKSUM_START;
    for (size_t i = 0; i < pcm_config_rule_count(config); i++) {
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        print = add_number(print, rule.kind + 3 * rule.pattern);
        print = add_text(print, rule.a);
        print = add_text(print, rule.b);
        print = add_text(print, rule.type->info.name);
    }
    return print;
}
