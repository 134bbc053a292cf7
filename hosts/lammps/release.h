/* SPDX-License-Identifier: MIT */
/* release.h - what a release of LAMMPS has that its installed headers do not tell. Debian installs no header of
 * neighbour requests; their fields are read here where its library of 29Sep2021 has them, and only if known values are
 * found there. */
#ifndef PCM_LAMMPS_RELEASE_H
#define PCM_LAMMPS_RELEASE_H

#include <pointers.h>

namespace pcm_lammps
{

class NeighbourRequest : protected LAMMPS_NS::Pointers
{
  public:
    /* Asks for neighbours by the radii of the atoms instead of the cutoffs of their types. Returns whether the request
     * is laid out as expected; where it is not, it stays as it is. */
    bool by_radius(const void *asks)
    {
        const bool known = requestor == asks && pair == 1 && other[0] == 0 && other[3] == 0 && half == 1 && full == 0 &&
                           ghost == 0 && size == 0;
        if (known)
            size = 1;
        return known;
    }

  private:
    int   index;
    void *requestor;
    int   instance, id;
    int   pair, other[4];
    int   half, full;
    int   occasional, newton, ghost;
    int   size;
};

} // namespace pcm_lammps

#endif
