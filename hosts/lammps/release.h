/* SPDX-License-Identifier: MIT */
/* release.h - all that differs between the releases of LAMMPS that the adapter is compiled for. The headers tell which
 * one it is: those of 2022 and later have Neighbor::add_request. Nothing else of the adapter asks for the release. */
#ifndef PCM_LAMMPS_RELEASE_H
#define PCM_LAMMPS_RELEASE_H

#include <atom.h>
#include <comm.h>
#include <lammps.h>
#include <library.h>
#include <neighbor.h>
#include <pair.h>
#include <pointers.h>

#include <string>
#include <type_traits>

namespace pcm_lammps
{

using namespace LAMMPS_NS;

static_assert(sizeof(tagint) == sizeof(int), "this LAMMPS has IDs of 64 bits (LAMMPS_BIGBIG): build it as SMALLBIG");

/* | what                              | 29Sep2021                              | 22Jul2025                 |
 * | a list of neighbours by the radii | request(), and a field of the request  | add_request() with a flag |
 * | values sent from rank to rank     | Comm::forward_comm_pair(pair)          | Comm::forward_comm(pair)  | */
template <typename N, typename = void> struct Release {
    enum { NUMBER = 20210929 };

    /* Debian installs no header of neighbour requests; their fields are read here as its library has them, and only if
     * known values are found there. */
    class Request : protected Pointers
    {
      public:
        bool is_known(const void *asks) const
        {
            return requestor == asks && pair == 1 && other[0] == 0 && other[3] == 0 && half == 1 && full == 0 &&
                   ghost == 0 && size == 0;
        }
        void by_radius() { size = 1; }

      private:
        int   index;
        void *requestor;
        int   instance, id;
        int   pair, other[4];
        int   half, full;
        int   occasional, newton, ghost;
        int   size;
    };
    static void request(N *neighbor, Pair *pair, int instance, bool by_radius)
    {
        const int k = neighbor->request(pair, instance);
        Request  *request = reinterpret_cast<Request *>(neighbor->requests[k]);
        if (by_radius && request->is_known(pair))
            request->by_radius();
    }
    template <typename C> static void send(C *comm, Pair *pair) { comm->forward_comm_pair(pair); }
};

template <typename N> struct Release<N, std::void_t<decltype(&N::has_intel_request)>> {
    enum { NUMBER = 20250722 };

    static void request(N *neighbor, Pair *pair, int, bool by_radius)
    {
        enum { REQ_SIZE = 1 << 2 };
        neighbor->add_request(pair, by_radius ? (int)REQ_SIZE : 0);
    }
    template <typename C> static void send(C *comm, Pair *pair) { comm->forward_comm(pair); }
};

using Built = Release<Neighbor>;

/* "": the adapter was built for the release that runs; otherwise the reason why it cannot serve. */
inline std::string wrong_release(LAMMPS *lmp)
{
    const int runs = lammps_version(lmp);
    if (runs == Built::NUMBER)
        return "";
    return "these styles were built for LAMMPS's release " + std::to_string((int)Built::NUMBER) + ", and this is " +
           std::to_string(runs) +
           ": build PCM with -Dlammps_dir and the folder of this LAMMPS (known are 20210929 and 20250722)";
}

} // namespace pcm_lammps

#endif
