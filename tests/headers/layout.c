/* SPDX-License-Identifier: MIT */
/* The binary interface, field by field, for 64-bit pointers. A line changes only with PCM_ABI_MAJOR; a field appended
 * to a struct adds a line and changes the struct's size. */
#include <pcm/amount.h>
#include <pcm/cone.h>
#include <pcm/called.h>
#include <pcm/event.h>
#include <pcm/geometry.h>
#include <pcm/jacobian.h>
#include <pcm/materials.h>
#include <pcm/replay.h>

#define SIZE(type, bytes)       _Static_assert(sizeof(type) == (bytes), #type " has another size")
#define AT(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #type "." #field " has moved")
#define IS(constant, value)     _Static_assert((constant) == (value), #constant " has changed")

/* ---- pcm/plugin.h ------------------------------------------------------------------------------------------------ */

AT(pcm_table, entries, 0);
AT(pcm_table, count, 8);
AT(pcm_table, size, 12);
SIZE(pcm_table, 16);

AT(pcm_list, values, 0);
AT(pcm_list, count, 8);
SIZE(pcm_list, 16);

AT(pcm_param, name, 0);
AT(pcm_param, unit, 8);
AT(pcm_param, doc, 16);
AT(pcm_param, offset, 24);
AT(pcm_param, params_size, 32);
AT(pcm_param, fallback, 40);
AT(pcm_param, min, 48);
AT(pcm_param, max, 56);
AT(pcm_param, text, 64);
AT(pcm_param, choices, 72);
AT(pcm_param, when, 80);
AT(pcm_param, kind, 88);
AT(pcm_param, flags, 92);
AT(pcm_param, mix, 96);
AT(pcm_param, reserved, 100);
SIZE(pcm_param, 104);

AT(pcm_state, name, 0);
AT(pcm_state, unit, 8);
AT(pcm_state, doc, 16);
AT(pcm_state, nominal, 24);
AT(pcm_state, shape, 32);
AT(pcm_state, role, 36);
AT(pcm_state, flags, 40);
AT(pcm_state, swap, 44);
SIZE(pcm_state, 48);

AT(pcm_host_input, name, 0);
AT(pcm_host_input, unit, 8);
AT(pcm_host_input, doc, 16);
AT(pcm_host_input, when, 24);
AT(pcm_host_input, shape, 32);
AT(pcm_host_input, reserved, 36);
AT(pcm_host_input, fallback, 40);
SIZE(pcm_host_input, 48);

AT(pcm_event, name, 0);
AT(pcm_event, doc, 8);
AT(pcm_event, direction, 16);
AT(pcm_event, jumps, 20);
SIZE(pcm_event, 24);

AT(pcm_load, size, 0);
AT(pcm_load, force, 8);
AT(pcm_load, depth, 16);
AT(pcm_load, speed, 24);
AT(pcm_load, mass, 32);
AT(pcm_load, radius, 40);
SIZE(pcm_load, 48);

AT(pcm_derived, name, 0);
AT(pcm_derived, unit, 8);
AT(pcm_derived, doc, 16);
AT(pcm_derived, value, 24);
SIZE(pcm_derived, 32);

AT(pcm_partial, output, 0);
AT(pcm_partial, wrt, 4);
SIZE(pcm_partial, 8);

AT(pcm_batch, size, 0);
AT(pcm_batch, count, 8);
AT(pcm_batch, event_index, 16);
AT(pcm_batch, time, 24);
AT(pcm_batch, dt, 32);
AT(pcm_batch, params, 40);
AT(pcm_batch, depth, 48);
AT(pcm_batch, depth_rate, 56);
AT(pcm_batch, slip_x, 64);
AT(pcm_batch, slip_y, 72);
AT(pcm_batch, spin_x, 80);
AT(pcm_batch, spin_y, 88);
AT(pcm_batch, spin_n, 96);
AT(pcm_batch, x, 104);
AT(pcm_batch, y, 112);
AT(pcm_batch, z, 120);
AT(pcm_batch, velocity_x, 128);
AT(pcm_batch, velocity_y, 136);
AT(pcm_batch, velocity_z, 144);
AT(pcm_batch, radius, 152);
AT(pcm_batch, mass, 160);
AT(pcm_batch, host_inputs, 168);
AT(pcm_batch, state, 176);
AT(pcm_batch, next, 184);
AT(pcm_batch, rate, 192);
AT(pcm_batch, force_n, 200);
AT(pcm_batch, force_x, 208);
AT(pcm_batch, force_y, 216);
AT(pcm_batch, moment_n, 224);
AT(pcm_batch, moment_x, 232);
AT(pcm_batch, moment_y, 240);
AT(pcm_batch, energy, 248);
AT(pcm_batch, dissipation, 256);
AT(pcm_batch, event, 264);
AT(pcm_batch, jacobian, 272);
AT(pcm_batch, life, 280);
AT(pcm_batch, mode, 288);
AT(pcm_batch, reports, 296);
AT(pcm_batch, load_n, 304);
AT(pcm_batch, load_elastic, 312);
AT(pcm_batch, load_adhesive, 320);
AT(pcm_batch, load_pull_off, 328);
AT(pcm_batch, contact_radius, 336);
AT(pcm_batch, elastic_n, 344);
AT(pcm_batch, adhesive_n, 352);
AT(pcm_batch, pull_off, 360);
AT(pcm_batch, patch_radius, 368);
AT(pcm_batch, fresh, 376);
AT(pcm_batch, onset, 384);
AT(pcm_batch, area, 392);
AT(pcm_batch, share, 400);
AT(pcm_batch, base_amount, 408);
AT(pcm_batch, follower_amount, 416);
AT(pcm_batch, base_flow, 424);
AT(pcm_batch, follower_flow, 432);
AT(pcm_batch, base_spin_x, 440);
AT(pcm_batch, base_spin_y, 448);
AT(pcm_batch, base_spin_n, 456);
AT(pcm_batch, follower_spin_x, 464);
AT(pcm_batch, follower_spin_y, 472);
AT(pcm_batch, follower_spin_n, 480);
AT(pcm_batch, base_axis_x, 488);
AT(pcm_batch, base_axis_y, 496);
AT(pcm_batch, base_axis_n, 504);
AT(pcm_batch, follower_axis_x, 512);
AT(pcm_batch, follower_axis_y, 520);
AT(pcm_batch, follower_axis_n, 528);
AT(pcm_batch, loss_friction, 536);
AT(pcm_batch, loss_damping, 544);
AT(pcm_batch, load_x, 552);
AT(pcm_batch, load_y, 560);
AT(pcm_batch, curvature_1, 568);
AT(pcm_batch, curvature_2, 576);
AT(pcm_batch, curvature_x, 584);
AT(pcm_batch, curvature_y, 592);
AT(pcm_batch, point_part, 600);
AT(pcm_batch, patch_part, 608);
AT(pcm_batch, line_length, 616);
AT(pcm_batch, line_curvature, 624);
AT(pcm_batch, flat_area, 632);
AT(pcm_batch, flat_aspect, 640);
SIZE(pcm_batch, 648);

AT(pcm_amount, name, 0);
AT(pcm_amount, unit, 8);
AT(pcm_amount, doc, 16);
AT(pcm_amount, flow_unit, 24);
AT(pcm_amount, initial, 32);
AT(pcm_amount, capacity, 40);
SIZE(pcm_amount, 48);

AT(pcm_kernel_set, isa, 0);
AT(pcm_kernel_set, reserved, 4);
AT(pcm_kernel_set, update, 8);
AT(pcm_kernel_set, establish, 16);
AT(pcm_kernel_set, jump, 24);
AT(pcm_kernel_set, terminate, 32);
AT(pcm_kernel_set, forces, 40);
AT(pcm_kernel_set, pair, 48);
SIZE(pcm_kernel_set, 56);

AT(pcm_pair_batch, size, 0);
AT(pcm_pair_batch, count, 8);
AT(pcm_pair_batch, time, 16);
AT(pcm_pair_batch, dt, 24);
AT(pcm_pair_batch, params, 32);
AT(pcm_pair_batch, contacts, 40);
AT(pcm_pair_batch, force_n, 48);
AT(pcm_pair_batch, force_t, 56);
AT(pcm_pair_batch, pull, 64);
AT(pcm_pair_batch, area, 72);
AT(pcm_pair_batch, depth, 80);
AT(pcm_pair_batch, energy, 88);
AT(pcm_pair_batch, scale, 96);
AT(pcm_pair_batch, life, 104);
SIZE(pcm_pair_batch, 112);

AT(pcm_setup, size, 0);
AT(pcm_setup, host, 8);
AT(pcm_setup, report, 16);
SIZE(pcm_setup, 24);

AT(pcm_model, size, 0);
AT(pcm_model, flags, 4);
AT(pcm_model, name, 8);
AT(pcm_model, summary, 16);
AT(pcm_model, version, 24);
AT(pcm_model, source, 32);
AT(pcm_model, equations, 40);
AT(pcm_model, inputs, 48);
AT(pcm_model, outputs, 52);
AT(pcm_model, params, 56);
AT(pcm_model, states, 72);
AT(pcm_model, host_inputs, 88);
AT(pcm_model, events, 104);
AT(pcm_model, derived, 120);
AT(pcm_model, partials, 136);
AT(pcm_model, kernels, 152);
AT(pcm_model, prepare, 168);
AT(pcm_model, reach, 176);
AT(pcm_model, onset, 184);
AT(pcm_model, gain, 192);
AT(pcm_model, sides, 200);
AT(pcm_model, mix, 216);
AT(pcm_model, amounts, 224);
AT(pcm_model, shear, 240);
SIZE(pcm_model, 248);

AT(pcm_shear, size, 0);
AT(pcm_shear, least, 8);
AT(pcm_shear, most, 16);
AT(pcm_shear, across, 24);
AT(pcm_shear, shape, 32);
AT(pcm_shear, axis, 36);
SIZE(pcm_shear, 40);
IS(PCM_SHEAR_ELLIPSE, 0);
IS(PCM_SHEAR_BOX, 1);
IS(PCM_SHEAR_FOLLOWER, 0);
IS(PCM_SHEAR_BASE, 1);

AT(pcm_library, magic, 0);
AT(pcm_library, size, 4);
AT(pcm_library, abi_major, 8);
AT(pcm_library, abi_minor, 12);
AT(pcm_library, batch_size, 16);
AT(pcm_library, model_size, 20);
AT(pcm_library, model, 24);
SIZE(pcm_library, 32);

IS(PCM_KIND_REAL, 0);
IS(PCM_KIND_INTEGER, 1);
IS(PCM_KIND_SWITCH, 2);
IS(PCM_KIND_CHOICE, 3);
IS(PCM_KIND_TEXT, 4);
IS(PCM_KIND_LIST, 5);
IS(PCM_KINDS, 6);
IS(PCM_REQUIRED, 1);
IS(PCM_OPEN_MIN, 2);
IS(PCM_OPEN_MAX, 4);
IS(PCM_CONE, 8);
IS(PCM_SCALAR, 0);
IS(PCM_TANGENT, 1);
IS(PCM_HISTORY, 0);
IS(PCM_CONTINUOUS, 1);
IS(PCM_STEPS, 1);
IS(PCM_LINGERS, 2);
IS(PCM_OUTPUT_FORCE_N, 0);
IS(PCM_OUTPUT_FORCE_X, 1);
IS(PCM_OUTPUT_FORCE_Y, 2);
IS(PCM_OUTPUT_MOMENT_N, 3);
IS(PCM_OUTPUT_MOMENT_X, 4);
IS(PCM_OUTPUT_MOMENT_Y, 5);
IS(PCM_OUTPUT_RATE, 256);
IS(PCM_WRT_DEPTH, 0);
IS(PCM_WRT_DEPTH_RATE, 1);
IS(PCM_WRT_SLIP_X, 2);
IS(PCM_WRT_SLIP_Y, 3);
IS(PCM_WRT_SPIN_X, 4);
IS(PCM_WRT_SPIN_Y, 5);
IS(PCM_WRT_SPIN_N, 6);
IS(PCM_WRT_X, 7);
IS(PCM_WRT_Y, 8);
IS(PCM_WRT_Z, 9);
IS(PCM_WRT_VELOCITY_X, 10);
IS(PCM_WRT_VELOCITY_Y, 11);
IS(PCM_WRT_VELOCITY_Z, 12);
IS(PCM_WRT_STATE, 256);
IS(PCM_WRT_PARAM, 512);
IS(PCM_DEPTH, 1);
IS(PCM_DEPTH_RATE, 2);
IS(PCM_SLIP, 4);
IS(PCM_SPIN, 8);
IS(PCM_POSITION, 16);
IS(PCM_VELOCITY, 32);
IS(PCM_RADIUS, 64);
IS(PCM_MASS, 128);
IS(PCM_LOAD, 256);
IS(PCM_CONTACT_RADIUS, 512);
IS(PCM_FRESH, 1024);
IS(PCM_AREA, 2048);
IS(PCM_SHARE, 4096);
IS(PCM_BODY_SPINS, 8192);
IS(PCM_AXES, 16384);
IS(PCM_LOSS, 32768);
IS(PCM_CURVATURE, 65536);
IS(PCM_CURVATURE_AXIS, 131072);
IS(PCM_EXTENT, 262144);
IS(PCM_FROM_PARTS, 33536);
IS(PCM_SHAPED, 458752);
IS(PCM_FRICTION, 1);
IS(PCM_MOMENT, 2);
IS(PCM_ENERGY, 4);
IS(PCM_DISSIPATION, 8);
IS(PCM_LIFE, 16);
IS(PCM_MODE, 32);
IS(PCM_SHARES, 64);
IS(PCM_PATCH_RADIUS, 128);
IS(PCM_ONSET, 256);
IS(PCM_LIVE, 0);
IS(PCM_BROKEN, 1);
IS(PCM_INVALID, 2);
IS(PCM_SEPARATED, 0);
IS(PCM_STICKING, 1);
IS(PCM_SLIPPING, 2);
IS(PCM_TOUCHING, 3);
IS(PCM_ISA_PLAIN, 0);
IS(PCM_ISA_AVX2, 1);
IS(PCM_ISA_AVX512, 2);
IS(PCM_ISOTROPIC, 1);
IS(PCM_BASE_AXES, 2);
IS(PCM_BASE_FIXED, 4);
IS(PCM_HOST_CONTACT, 8);
IS(PCM_PULLS, 16);
IS(PCM_ACTIVE, 32);

/* ---- pcm/pcm.h --------------------------------------------------------------------------------------------------- */

AT(pcm_place, file, 0);
AT(pcm_place, line, 8);
AT(pcm_place, column, 12);
AT(pcm_place, length, 16);
AT(pcm_place, source_line, 24);
AT(pcm_place, source_line_length, 32);
SIZE(pcm_place, 40);

AT(pcm_fix, place, 0);
AT(pcm_fix, text, 40);
SIZE(pcm_fix, 48);

AT(pcm_diagnostic, size, 0);
AT(pcm_diagnostic, severity, 8);
AT(pcm_diagnostic, code, 12);
AT(pcm_diagnostic, message, 16);
AT(pcm_diagnostic, place, 24);
AT(pcm_diagnostic, includes, 64);
AT(pcm_diagnostic, n_includes, 72);
AT(pcm_diagnostic, n_fixes, 76);
AT(pcm_diagnostic, fixes, 80);
SIZE(pcm_diagnostic, 88);

AT(pcm_allocator, user, 0);
AT(pcm_allocator, allocate, 8);
AT(pcm_allocator, release, 16);
SIZE(pcm_allocator, 24);

AT(pcm_context_def, size, 0);
AT(pcm_context_def, allocator, 8);
AT(pcm_context_def, sink, 32);
AT(pcm_context_def, sink_user, 40);
AT(pcm_context_def, plugin_path, 48);
AT(pcm_context_def, flags, 56);
AT(pcm_context_def, isa, 60);
AT(pcm_context_def, builtin, 64);
AT(pcm_context_def, n_builtin, 72);
SIZE(pcm_context_def, 80);

AT(pcm_common, size, 0);
AT(pcm_common, log_file, 8);
AT(pcm_common, resolution, 16);
AT(pcm_common, separation, 24);
AT(pcm_common, point, 32);
AT(pcm_common, single, 40);
AT(pcm_common, debug, 48);
AT(pcm_common, zero_crossings, 56);
AT(pcm_common, sensing, 64);
AT(pcm_common, patch, 72);
AT(pcm_common, base_axis, 80);
AT(pcm_common, follower_axis, 88);
AT(pcm_common, smooth, 96);
SIZE(pcm_common, 104);

AT(pcm_type_info, size, 0);
AT(pcm_type_info, name, 8);
AT(pcm_type_info, model, 16);
AT(pcm_type_info, params, 24);
AT(pcm_type_info, common, 32);
AT(pcm_type_info, place, 40);
AT(pcm_type_info, index, 80);
AT(pcm_type_info, n_state, 84);
AT(pcm_type_info, n_host_inputs, 88);
AT(pcm_type_info, carries_frame, 92);
AT(pcm_type_info, onset, 96);
AT(pcm_type_info, written, 104);
AT(pcm_type_info, material, 112);
AT(pcm_type_info, sets, 128);
SIZE(pcm_type_info, 136);

AT(pcm_value, size, 0);
AT(pcm_value, param, 8);
AT(pcm_value, written, 16);
AT(pcm_value, place, 24);
AT(pcm_value, number, 64);
AT(pcm_value, text, 72);
AT(pcm_value, list, 80);
AT(pcm_value, mixed, 96);
SIZE(pcm_value, 104);

AT(pcm_material_info, size, 0);
AT(pcm_material_info, name, 8);
AT(pcm_material_info, place, 16);
SIZE(pcm_material_info, 56);

AT(pcm_rule_info, size, 0);
AT(pcm_rule_info, kind, 8);
AT(pcm_rule_info, pattern, 12);
AT(pcm_rule_info, a, 16);
AT(pcm_rule_info, b, 24);
AT(pcm_rule_info, type, 32);
AT(pcm_rule_info, place, 40);
SIZE(pcm_rule_info, 80);

AT(pcm_object, index, 0);
AT(pcm_object, generation, 4);
SIZE(pcm_object, 8);

AT(pcm_contact, index, 0);
AT(pcm_contact, generation, 4);
SIZE(pcm_contact, 8);

AT(pcm_world_def, size, 0);
AT(pcm_world_def, log_directory, 8);
AT(pcm_world_def, isa, 16);
AT(pcm_world_def, threads, 20);
AT(pcm_world_def, run, 24);
AT(pcm_world_def, run_user, 32);
AT(pcm_world_def, ledger, 40);
AT(pcm_world_def, ended, 48);
AT(pcm_world_def, ended_user, 56);
AT(pcm_world_def, log_continue, 64);
AT(pcm_world_def, sure_normals, 65);
SIZE(pcm_world_def, 72);

AT(pcm_ending, size, 0);
AT(pcm_ending, contact, 8);
AT(pcm_ending, reason, 16);
AT(pcm_ending, time, 24);
AT(pcm_ending, energy, 32);
AT(pcm_ending, dissipation, 40);
SIZE(pcm_ending, 48);

AT(pcm_config_def, size, 0);
AT(pcm_config_def, name, 8);
AT(pcm_config_def, text, 16);
AT(pcm_config_def, length, 24);
AT(pcm_config_def, settings, 32);
AT(pcm_config_def, n_settings, 40);
AT(pcm_config_def, root, 48);
SIZE(pcm_config_def, 56);

AT(pcm_let_info, size, 0);
AT(pcm_let_info, name, 8);
AT(pcm_let_info, number, 16);
AT(pcm_let_info, unit, 24);
AT(pcm_let_info, place, 88);
SIZE(pcm_let_info, 128);

AT(pcm_surface_info, size, 0);
AT(pcm_surface_info, name, 8);
AT(pcm_surface_info, pattern, 16);
AT(pcm_surface_info, is_pattern, 24);
AT(pcm_surface_info, place, 32);
SIZE(pcm_surface_info, 72);

AT(pcm_source_info, size, 0);
AT(pcm_source_info, name, 8);
AT(pcm_source_info, text, 16);
AT(pcm_source_info, length, 24);
AT(pcm_source_info, table, 32);
SIZE(pcm_source_info, 40);

AT(pcm_object_def, size, 0);
AT(pcm_object_def, name, 8);
AT(pcm_object_def, surface, 16);
AT(pcm_object_def, fixed, 24);
AT(pcm_object_def, radius, 32);
AT(pcm_object_def, mass, 40);
AT(pcm_object_def, aliases, 48);
AT(pcm_object_def, label, 56);
SIZE(pcm_object_def, 64);

AT(pcm_object_info, size, 0);
AT(pcm_object_info, name, 8);
AT(pcm_object_info, surface, 16);
AT(pcm_object_info, fixed, 24);
AT(pcm_object_info, pose, 32);
AT(pcm_object_info, twist, 88);
SIZE(pcm_object_info, 136);

IS(PCM_CONTACT_MADE, 0);
IS(PCM_CONTACT_PARTED, 1);
IS(PCM_CONTACT_BROKEN, 2);
IS(PCM_CONTACT_REMOVED, 3);
IS(PCM_CONTACT_MODE, 4);
AT(pcm_contact_event, size, 0);
AT(pcm_contact_event, change, 8);
AT(pcm_contact_event, time, 16);
AT(pcm_contact_event, id, 24);
AT(pcm_contact_event, feature, 32);
AT(pcm_contact_event, rule, 40);
AT(pcm_contact_event, base, 48);
AT(pcm_contact_event, follower, 56);
AT(pcm_contact_event, mode_before, 64);
AT(pcm_contact_event, mode, 72);
SIZE(pcm_contact_event, 80);

AT(pcm_pose, position, 0);
AT(pcm_pose, orientation, 24);
SIZE(pcm_pose, 56);

AT(pcm_twist, angular, 0);
AT(pcm_twist, linear, 24);
SIZE(pcm_twist, 48);

AT(pcm_wrench, torque, 0);
AT(pcm_wrench, force, 24);
SIZE(pcm_wrench, 48);

AT(pcm_touch, feature, 0);
AT(pcm_touch, point, 8);
AT(pcm_touch, normal, 32);
AT(pcm_touch, depth, 56);
AT(pcm_touch, area, 64);
AT(pcm_touch, share, 72);
AT(pcm_touch, gives, 80);
AT(pcm_touch, shape, 88);
SIZE(pcm_touch, 96);

AT(pcm_touch_columns, size, 0);
AT(pcm_touch_columns, count, 8);
AT(pcm_touch_columns, a, 16);
AT(pcm_touch_columns, b, 24);
AT(pcm_touch_columns, one_a, 32);
AT(pcm_touch_columns, one_b, 33);
AT(pcm_touch_columns, feature, 40);
AT(pcm_touch_columns, point, 48);
AT(pcm_touch_columns, normal, 56);
AT(pcm_touch_columns, depth, 64);
AT(pcm_touch_columns, contacts, 72);
AT(pcm_touch_columns, area, 80);
AT(pcm_touch_columns, share, 88);
AT(pcm_touch_columns, shape, 96);
SIZE(pcm_touch_columns, 104);

AT(pcm_ledger, size, 0);
AT(pcm_ledger, work, 8);
AT(pcm_ledger, stored, 16);
AT(pcm_ledger, dissipated, 24);
AT(pcm_ledger, residue, 32);
AT(pcm_ledger, brought, 40);
SIZE(pcm_ledger, 48);

AT(pcm_contact_info, size, 0);
AT(pcm_contact_info, handle, 8);
AT(pcm_contact_info, id, 16);
AT(pcm_contact_info, feature, 24);
AT(pcm_contact_info, type, 32);
AT(pcm_contact_info, base, 40);
AT(pcm_contact_info, follower, 48);
AT(pcm_contact_info, base_name, 56);
AT(pcm_contact_info, follower_name, 64);
AT(pcm_contact_info, since, 72);
AT(pcm_contact_info, point, 80);
AT(pcm_contact_info, frame, 104);
AT(pcm_contact_info, depth, 176);
AT(pcm_contact_info, depth_rate, 184);
AT(pcm_contact_info, slip, 192);
AT(pcm_contact_info, spin, 208);
AT(pcm_contact_info, force, 232);
AT(pcm_contact_info, moment, 256);
AT(pcm_contact_info, world_force, 280);
AT(pcm_contact_info, energy, 304);
AT(pcm_contact_info, mode, 312);
AT(pcm_contact_info, life, 320);
AT(pcm_contact_info, state, 328);
AT(pcm_contact_info, rate, 336);
AT(pcm_contact_info, event, 344);
AT(pcm_contact_info, ledger, 352);
AT(pcm_contact_info, area, 360);
AT(pcm_contact_info, share, 368);
AT(pcm_contact_info, scale, 376);
AT(pcm_contact_info, flow, 384);
AT(pcm_contact_info, rule, 392);
AT(pcm_contact_info, shape, 400);
SIZE(pcm_contact_info, 400);

AT(pcm_amount_info, size, 0);
AT(pcm_amount_info, value, 8);
AT(pcm_amount_info, flow, 16);
AT(pcm_amount_info, capacity, 24);
SIZE(pcm_amount_info, 32);

AT(pcm_sensing, size, 0);
AT(pcm_sensing, contact, 8);
AT(pcm_sensing, depth, 16);
AT(pcm_sensing, separation, 24);
AT(pcm_sensing, normal_force, 32);
AT(pcm_sensing, friction_force, 40);
AT(pcm_sensing, normal_velocity, 48);
AT(pcm_sensing, tangential_velocity, 56);
AT(pcm_sensing, base_rotation, 72);
AT(pcm_sensing, base_translation, 144);
AT(pcm_sensing, follower_rotation, 168);
AT(pcm_sensing, follower_translation, 240);
AT(pcm_sensing, normal_load, 264);
SIZE(pcm_sensing, 272);

AT(pcm_rule_stats, size, 0);
AT(pcm_rule_stats, made, 8);
AT(pcm_rule_stats, parted, 16);
AT(pcm_rule_stats, broken, 24);
AT(pcm_rule_stats, max_depth, 32);
AT(pcm_rule_stats, max_slip, 40);
AT(pcm_rule_stats, max_force, 48);
SIZE(pcm_rule_stats, 56);

IS(PCM_OK, 0);
IS(PCM_NO_MEMORY, 1);
IS(PCM_BAD_ARGUMENT, 2);
IS(PCM_BAD_HANDLE, 3);
IS(PCM_BAD_FILE, 4);
IS(PCM_BAD_CONFIG, 5);
IS(PCM_BAD_PLUGIN, 6);
IS(PCM_BAD_MOTION, 7);
IS(PCM_BAD_INPUT, 8);
IS(PCM_BAD_CHECKPOINT, 9);
IS(PCM_BAD_ORDER, 10);
IS(PCM_BAD_HOST, 11);
IS(PCM_NOTE, 0);
IS(PCM_WARNING, 1);
IS(PCM_ERROR, 2);
IS(PCM_NUMBER_SIZE, 32);
IS(PCM_NO_DEFAULT_PATHS, 1);
IS(PCM_POINT_MIDDLE, 0);
IS(PCM_POINT_BASE, 1);
IS(PCM_POINT_FOLLOWER, 2);
IS(PCM_PATCH_POINTS, 0);
IS(PCM_PATCH_SHARED, 1);
IS(PCM_PATCH_SINGLE, 2);
IS(PCM_OBJECT_PAIR, 0);
IS(PCM_SURFACE_PAIR, 1);
IS(PCM_DEFAULT_PAIR, 2);
IS(PCM_UPDATE, 0);
IS(PCM_ESTABLISH, 1);
IS(PCM_JUMP, 2);
IS(PCM_TERMINATE, 3);
IS(PCM_FORCES, 4);
IS(PCM_OUTCOME_KEPT, 0);
IS(PCM_OUTCOME_PARTED, 1);
IS(PCM_OUTCOME_BROKEN, 2);

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
AT(pcm_contact_matrices, one_sided, 584);
AT(pcm_contact_matrices, reported, 585);
AT(pcm_contact_matrices, base, 588);
AT(pcm_contact_matrices, follower, 596);
AT(pcm_contact_matrices, point, 608);
AT(pcm_contact_matrices, frame, 632);
SIZE(pcm_contact_matrices, 704);

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
