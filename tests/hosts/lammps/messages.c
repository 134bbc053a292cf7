/* SPDX-License-Identifier: MIT */
/* messages.c - counts what the ranks of a program send: a library that LD_PRELOAD puts before MPI's. At the end rank 0
 * prints MESSAGES and, each with the least and the most of a rank, messages from rank to rank, their bytes, calls of
 * collectives, and the bytes that a rank gives to them. */
#include <mpi.h>
#include <stdio.h>

enum { SENT, SENT_BYTES, COLLECTIVE, COLLECTIVE_BYTES, COUNTS };

static long long counted[COUNTS];

static void count(int kind, int number, MPI_Datatype type)
{
    int size = 0;
    PMPI_Type_size(type, &size);
    counted[kind]++;
    counted[kind + 1] += (long long)number * size;
}

/* The calls that send, all that LAMMPS has in a step. */

int MPI_Send(const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    count(SENT, number, type);
    return PMPI_Send(data, number, type, to, tag, comm);
}

int MPI_Rsend(const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    count(SENT, number, type);
    return PMPI_Rsend(data, number, type, to, tag, comm);
}

int MPI_Isend(const void *data, int number, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    count(SENT, number, type);
    return PMPI_Isend(data, number, type, to, tag, comm, request);
}

int MPI_Sendrecv(const void *data, int number, MPI_Datatype type, int to, int tag, void *got, int room,
                 MPI_Datatype got_type, int from, int got_tag, MPI_Comm comm, MPI_Status *status)
{
    count(SENT, number, type);
    return PMPI_Sendrecv(data, number, type, to, tag, got, room, got_type, from, got_tag, comm, status);
}

int MPI_Allreduce(const void *data, void *result, int number, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    count(COLLECTIVE, number, type);
    return PMPI_Allreduce(data, result, number, type, op, comm);
}

int MPI_Reduce(const void *data, void *result, int number, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm)
{
    count(COLLECTIVE, number, type);
    return PMPI_Reduce(data, result, number, type, op, root, comm);
}

int MPI_Scan(const void *data, void *result, int number, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    count(COLLECTIVE, number, type);
    return PMPI_Scan(data, result, number, type, op, comm);
}

int MPI_Bcast(void *data, int number, MPI_Datatype type, int root, MPI_Comm comm)
{
    count(COLLECTIVE, number, type);
    return PMPI_Bcast(data, number, type, root, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    counted[COLLECTIVE]++;
    return PMPI_Barrier(comm);
}

int MPI_Finalize(void)
{
    long long least[COUNTS], most[COUNTS];
    int       rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Reduce(counted, least, COUNTS, MPI_LONG_LONG, MPI_MIN, 0, MPI_COMM_WORLD);
    PMPI_Reduce(counted, most, COUNTS, MPI_LONG_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("MESSAGES");
        for (int kind = 0; kind < COUNTS; kind++)
            printf(" %lld %lld", least[kind], most[kind]);
        printf("\n");
    }
    return PMPI_Finalize();
}
