/* SPDX-License-Identifier: MIT */
/* usage: [mpirun -np N] pcm-lammps -in SCRIPT [any option of lmp]
 *
 * LAMMPS with the styles of PCM in it. */
#include <lammps/library.h>

#include <stdlib.h>

int  pcm_lammps_register(void *handle);
void pcm_lammps_run_input(void *handle);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    void *lammps = lammps_open(argc, argv, MPI_COMM_WORLD, NULL);
    if (!lammps) {
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
        return EXIT_FAILURE;
    }
    pcm_lammps_register(lammps);
    pcm_lammps_run_input(lammps);
    lammps_close(lammps);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
