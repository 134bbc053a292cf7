/* SPDX-License-Identifier: MIT */
/* format.h - what LAMMPS's headers name of a library that Debian's liblammps-dev does not bring. Nothing here is
 * called: errors go to LAMMPS as finished strings. */
#ifndef PCM_LAMMPS_FMT_FORMAT_H
#define PCM_LAMMPS_FMT_FORMAT_H

namespace fmt
{
class string_view;
class format_args;
template <typename... Arguments> format_args make_format_args(const Arguments &...arguments);
template <typename... Arguments, typename Format>
format_args make_args_checked(const Format &format, const Arguments &...arguments);
} // namespace fmt

#endif
