/* SPDX-License-Identifier: MIT */
/* layout_others.c - the binary interface of the headers beside pcm/plugin.h and pcm/pcm.h. */
#include "layout.h"

#include <pcm/called.h>
#include <pcm/cone.h>
#include <pcm/contact_shape.h>
#include <pcm/geometry.h>
#include <pcm/jacobian.h>
#include <pcm/replay.h>

/* ---- pcm/contact_shape.h ---------------------------------------------------------------------------------------- */

AT(pcm_contact_shape, size, 0);
AT(pcm_contact_shape, curvature, 8);
AT(pcm_contact_shape, direction, 24);
AT(pcm_contact_shape, point_part, 48);
AT(pcm_contact_shape, patch_part, 56);
AT(pcm_contact_shape, line_length, 64);
AT(pcm_contact_shape, line_curvature, 72);
AT(pcm_contact_shape, flat_area, 80);
AT(pcm_contact_shape, flat_aspect, 88);
SIZE(pcm_contact_shape, 96);
IS(PCM_CONTACT_UNKNOWN, 0);
IS(PCM_CONTACT_POINT, 1);
IS(PCM_CONTACT_LINE, 2);
IS(PCM_CONTACT_FLAT, 3);

/* ---- pcm/cone.h -------------------------------------------------------------------------------------------------- */

AT(pcm_cone, axis, 0);
AT(pcm_cone, friction, 24);
SIZE(pcm_cone, 32);

AT(pcm_cone_report, size, 0);
AT(pcm_cone_report, stable, 8);
AT(pcm_cone_report, inside, 9);
AT(pcm_cone_report, normal, 16);
AT(pcm_cone_report, tangential, 24);
AT(pcm_cone_report, margin, 32);
AT(pcm_cone_report, angle, 40);
AT(pcm_cone_report, distance, 48);
AT(pcm_cone_report, projection, 56);
SIZE(pcm_cone_report, 80);

AT(pcm_pyramid, axis, 0);
AT(pcm_pyramid, x, 24);
AT(pcm_pyramid, y, 48);
AT(pcm_pyramid, slope, 72);
AT(pcm_pyramid, sides, 80);
AT(pcm_pyramid, kind, 84);
SIZE(pcm_pyramid, 88);

AT(pcm_wrench_rows, rows, 0);
AT(pcm_wrench_rows, count, 8);
AT(pcm_wrench_rows, linear, 16);
SIZE(pcm_wrench_rows, 24);

AT(pcm_cone_point, position, 0);
AT(pcm_cone_point, normal, 24);
AT(pcm_cone_point, friction, 48);
SIZE(pcm_cone_point, 56);

AT(pcm_wrench_cone_def, size, 0);
AT(pcm_wrench_cone_def, about, 8);
AT(pcm_wrench_cone_def, first, 32);
AT(pcm_wrench_cone_def, kind, 56);
AT(pcm_wrench_cone_def, sides, 60);
SIZE(pcm_wrench_cone_def, 64);

IS(PCM_PYRAMID_INNER, 0);
IS(PCM_PYRAMID_OUTER, 1);
IS(PCM_PYRAMID_EQUAL, 2);
IS(PCM_PYRAMID_SIDES, 64);

/* ---- pcm/geometry.h ---------------------------------------------------------------------------------------------- */

AT(pcm_separation, size, 0);
AT(pcm_separation, distance, 8);
AT(pcm_separation, low, 16);
AT(pcm_separation, high, 24);
AT(pcm_separation, normal, 32);
AT(pcm_separation, on_a, 56);
AT(pcm_separation, on_b, 80);
SIZE(pcm_separation, 104);

IS(PCM_HULL, 0);
IS(PCM_SPHERE, 1);
IS(PCM_CAPSULE, 2);
IS(PCM_BOX, 3);
IS(PCM_CYLINDER, 4);
IS(PCM_DISK, 5);
IS(PCM_GRID, 6);
IS(PCM_PLANE, 7);
IS(PCM_POINT, 8);
IS(PCM_CLOUD, 9);
IS(PCM_COMPOUND, 10);

/* ---- pcm/jacobian.h ---------------------------------------------------------------------------------------------- */

AT(pcm_contact_matrices, size, 0);
AT(pcm_contact_matrices, stiffness, 8);
AT(pcm_contact_matrices, damping, 296);
AT(pcm_contact_matrices, states, 584);
AT(pcm_contact_matrices, one_sided, 872);
AT(pcm_contact_matrices, reported, 873);
AT(pcm_contact_matrices, base, 876);
AT(pcm_contact_matrices, follower, 884);
AT(pcm_contact_matrices, point, 896);
AT(pcm_contact_matrices, frame, 920);
AT(pcm_contact_matrices, surface_velocity, 992);
AT(pcm_contact_matrices, force, 1040);
AT(pcm_contact_matrices, type, 1064);
SIZE(pcm_contact_matrices, 1072);

IS(PCM_ONLY_DIFFERENCES, 1);
IS(PCM_PARTIAL_GIVEN, 1);
IS(PCM_PARTIAL_ONE_SIDED, 2);

/* ---- pcm/replay.h ------------------------------------------------------------------------------------------------ */

AT(pcm_replay_def, size, 0);
AT(pcm_replay_def, path, 8);
AT(pcm_replay_def, viewer, 16);
AT(pcm_replay_def, title, 24);
AT(pcm_replay_def, every, 32);
SIZE(pcm_replay_def, 40);

AT(pcm_shape, size, 0);
AT(pcm_shape, kind, 8);
AT(pcm_shape, placement, 16);
AT(pcm_shape, dimensions, 72);
AT(pcm_shape, points, 96);
AT(pcm_shape, n_points, 104);
AT(pcm_shape, triangles, 112);
AT(pcm_shape, n_triangles, 120);
AT(pcm_shape, columns, 128);
AT(pcm_shape, color, 136);
SIZE(pcm_shape, 168);

AT(pcm_replay_contact, size, 0);
AT(pcm_replay_contact, a, 8);
AT(pcm_replay_contact, b, 16);
AT(pcm_replay_contact, body_a, 24);
AT(pcm_replay_contact, body_b, 28);
AT(pcm_replay_contact, feature, 32);
AT(pcm_replay_contact, rule, 40);
AT(pcm_replay_contact, point, 48);
AT(pcm_replay_contact, normal, 72);
AT(pcm_replay_contact, force, 96);
AT(pcm_replay_contact, slip, 120);
AT(pcm_replay_contact, depth, 128);
AT(pcm_replay_contact, friction, 136);
AT(pcm_replay_contact, mode, 144);
SIZE(pcm_replay_contact, 152);

AT(pcm_called, size, 0);
AT(pcm_called, function, 8);
AT(pcm_called, law, 24);
AT(pcm_called, type, 88);
SIZE(pcm_called, 152);
