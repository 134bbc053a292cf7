/* SPDX-License-Identifier: MIT */
/* scenes.h - scenes like those published for robots and benchmarks: all types of geoms, classes of defaults, tendons,
 * equalities, actuators, keyframes, several integrators and steps. */
#ifndef PCM_TEST_SCENES_H
#define PCM_TEST_SCENES_H

#include <stddef.h>

enum { SCENES = 60, SCENE_SIZE = 1 << 15 };

const char *scene_family(int index);
void        scene_write(int index, char text[SCENE_SIZE]); /* an MJCF file */

#endif
