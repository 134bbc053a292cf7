/* SPDX-License-Identifier: MIT */
/* Hashes of a configuration's meaning, by which a checkpoint recognises the configuration that it belongs to. */
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

static uint64_t add_states(uint64_t print, const pcm_model *model)
{
    for (uint32_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        print = add_text(print, state->name);
        print = add_number(print, state->shape + 2 * state->role);
    }
    for (uint32_t i = 0; i < model->amounts.count; i++)
        print = add_text(print, pcm_model_amount(model, i)->name);
    return print;
}

uint64_t pcm_type_fingerprint(const pcm_type *type)
{
    uint64_t print = PCM_CHECKSUM_START;
    for (size_t i = 0; i < pcm_type_value_count(type); i++) {
        const pcm_value value = pcm_type_value_at(type, i);
        if (value.number == 0 && strcmp(value.param->name, "Smooth") == 0)
            continue; /* checkpoints of before have none */
        print = add_text(print, value.param->name);
        print = add_number(print, value.number);
        print = add_text(print, value.text ? value.text : "");
        for (size_t k = 0; k < value.list.count; k++)
            print = add_number(print, value.list.values[k]);
    }
    return add_states(print, type->info.model);
}

uint64_t pcm_states_fingerprint(const pcm_type *type)
{
    const pcm_model *model = type->info.model;
    uint64_t         print = PCM_CHECKSUM_START;
    for (uint32_t i = 0; i < model->host_inputs.count; i++)
        print = add_text(print, pcm_model_host_input(model, i)->name);
    return add_states(print, model);
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
