/* SPDX-License-Identifier: MIT */
#include <pcm/pcm.h>

const char *pcm_status_text(pcm_status status)
{
    switch (status) {
#define PCM_STATUS_CASE(name, text)                                                                                    \
    case PCM_##name:                                                                                                   \
        return text;
        PCM_STATUS_TABLE(PCM_STATUS_CASE)
#undef PCM_STATUS_CASE
    }
    return "not a status of this library";
}
