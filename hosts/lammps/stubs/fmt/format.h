/* SPDX-License-Identifier: MIT */
/* format.h - the names of the library fmt that LAMMPS's headers use and that Debian's liblammps-dev lacks. Nothing here
 * is called: errors are passed to LAMMPS as finished strings. */
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
