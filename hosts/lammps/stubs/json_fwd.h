/* SPDX-License-Identifier: MIT */
/* json_fwd.h - the name that LAMMPS's headers of 2025 use of a library for JSON, which they are installed without. */
#ifndef PCM_LAMMPS_JSON_FWD_H
#define PCM_LAMMPS_JSON_FWD_H

namespace LAMMPS_NS
{
class json;
} // namespace LAMMPS_NS

#endif
