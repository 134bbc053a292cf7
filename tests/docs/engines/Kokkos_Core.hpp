/* SPDX-License-Identifier: MIT */
/* Kokkos_Core.hpp - what a contact of pair_style pcm/kk uses of Kokkos, for one processor. */
#define KOKKOS_INLINE_FUNCTION inline
