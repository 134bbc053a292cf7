/* SPDX-License-Identifier: MIT */
/* Any bytes as a .pcm text: it loads or is rejected with an error, and every query afterwards gives consistent
 * answers. */
#include "fuzz.h"

static void check_types(const pcm_config *config)
{
    for (size_t i = 0; i < pcm_config_type_count(config); i++) {
        const pcm_type      *type = pcm_config_type_at(config, i);
        const pcm_type_info *info = pcm_type_get_info(type);
        fuzz_check_place(&info->place);
        demand(info->index == i && pcm_config_type_find(config, info->name) == type);
        for (size_t j = 0; j < pcm_type_value_count(type); j++) {
            pcm_value value = pcm_type_value_at(type, j);
            demand(value.param != NULL && isfinite(value.number));
            if (value.written)
                fuzz_check_place(&value.place);
        }
    }
}

static void check_rules(const pcm_config *config)
{
    size_t count = pcm_config_rule_count(config);
    for (size_t i = 0; i < count && i < 50; i++) {
        pcm_rule_info rule = pcm_config_rule_at(config, i);
        size_t        winner = count;
        demand(rule.type != NULL);
        fuzz_check_place(&rule.place);
        size_t found = pcm_config_resolve(config, rule.a, rule.a, rule.b, rule.b, &winner, NULL, 1);
        if (rule.kind == PCM_OBJECT_PAIR && !rule.pattern) /* no other rule precedes it */
            demand(found > 0 && pcm_config_rule_at(config, winner).type == rule.type);
    }
}

/* Formatting formatted text changes nothing. */
static void check_format(pcm_context *context, const char *text, size_t size)
{
    char  *once, *again;
    size_t length, again_length;
    if (pcm_config_format(context, "fuzz.pcm", text, size, &once, &length) != PCM_OK)
        return;
    demand(pcm_config_format(context, "once.pcm", once, length, &again, &again_length) == PCM_OK);
    demand(length == again_length && memcmp(once, again, length) == 0);
    pcm_free(context, again, again_length + 1);
    pcm_free(context, once, length + 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    pcm_context *context = fuzz_context(SPECIMEN_PLUGINS);
    pcm_config  *config = pcm_config_parse(context, "fuzz.pcm", (const char *)data, size);
    demand((config == NULL) == (fuzz_heard[PCM_ERROR] > 0));
    if (config) {
        check_types(config);
        check_rules(config);
    }
    pcm_config_release(config);
    check_format(context, (const char *)data, size);
    return 0;
}
