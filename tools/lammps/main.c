/* SPDX-License-Identifier: MIT */
/* usage: [mpirun -np N] pcm-lammps -in SCRIPT [any option of lmp]
 *        pcm-lammps --lmp
 *
 * LAMMPS with the styles of PCM. With --lmp it prints lines for a script that includes the styles in the system's own
 * lmp, which loads them by its PYTHON package. */
#define _GNU_SOURCE 1 /* dladdr, RTLD_DEFAULT */
#include <library.h>

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

bool pcm_lammps_run_input(void *handle);

static int print_loader(void)
{
    Dl_info library;
    if (dladdr(dlsym(RTLD_DEFAULT, "pcm_lammps_register"), &library) == 0) {
        fputs("pcm-lammps: its library was not found\n", stderr);
        return EXIT_FAILURE;
    }
    char *path = realpath(library.dli_fname, NULL);
    printf("# The styles of PCM for a LAMMPS with the PYTHON package: include this file at the top of a script.\n"
           "python pcm_load input 1 SELF format p here \"\"\"\n"
           "def pcm_load(lammps):\n"
           "    import ctypes\n"
           "    pointer = ctypes.pythonapi.PyCapsule_GetPointer\n"
           "    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]\n"
           "    library = ctypes.CDLL('%s')\n"
           "    library.pcm_lammps_register(ctypes.c_void_p(pointer(lammps, None)))\n"
           "\"\"\"\n"
           "python pcm_load invoke\n",
           path ? path : library.dli_fname);
    free(path);
    return EXIT_SUCCESS;
}

/* Where all ranks fail, the first one prints the message: the others wait for it. It waits too, until mpirun has read
 * its output: MPICH's drops what is still on the way. */
static void abort_all(void)
{
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    (void)fflush(NULL);
    (void)nanosleep(&(struct timespec){.tv_sec = rank > 0, .tv_nsec = 200000000}, NULL);
    MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--lmp") == 0)
        return print_loader();
    MPI_Init(&argc, &argv);
    void *lammps = lammps_open(argc, argv, MPI_COMM_WORLD, NULL);
    if (!lammps || !pcm_lammps_run_input(lammps)) {
        abort_all();
        return EXIT_FAILURE;
    }
    lammps_close(lammps);
    MPI_Finalize();
    return EXIT_SUCCESS;
}
