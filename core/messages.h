/* SPDX-License-Identifier: MIT */
#include <pcm/messages.h>
