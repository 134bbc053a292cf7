/* SPDX-License-Identifier: MIT */
/* convert.h - converts the page of a run to files for other programs. */
#ifndef PCM_TOOLS_REPLAY_CONVERT_H
#define PCM_TOOLS_REPLAY_CONVERT_H

#include "recording.h"

/* Writes the recording into files in an existing directory; false, with a report: it is incomplete. */
bool convert_to_csv(recording *r, const char *directory); /* contacts, poses, events and quantities .csv */
bool convert_to_vtk(recording *r, const char *directory); /* contacts.pvd, objects.pvd, and a .vtp for each frame */

/* Makes the path DIRECTORY/FILE; false, with a report: it is too long. */
bool convert_path(char *path, size_t size, const char *directory, const char *file);

#endif
