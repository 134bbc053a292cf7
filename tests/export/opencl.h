/* SPDX-License-Identifier: MIT */
/* opencl.h - runs kernels of one program, PROGRAM, on the first device with OpenCL. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

static cl_context       cl_place;
static cl_command_queue cl_queue;
static cl_program       cl_all;

static void expect(cl_int status, const char *what)
{
    if (status == CL_SUCCESS)
        return;
    (void)fprintf(stderr, "%s: OpenCL's error %d\n", what, status);
    exit(2);
}

static void open_device(void)
{
    cl_platform_id platform;
    cl_device_id   device;
    cl_int         status;
    static char    text[1 << 25], log[1 << 16];
    const char    *texts[] = {text};
    FILE          *file = fopen(PROGRAM, "r");
    const size_t   length = file ? fread(text, 1, sizeof text, file) : 0;
    if (!file || fclose(file) != 0)
        exit(2);
    expect(clGetPlatformIDs(1, &platform, NULL), "platform");
    expect(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "device");
    cl_place = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    expect(status, "context");
    cl_queue = clCreateCommandQueue(cl_place, device, 0, &status);
    expect(status, "queue");
    cl_all = clCreateProgramWithSource(cl_place, 1, texts, &length, &status);
    expect(status, "program");
    status = clBuildProgram(cl_all, 1, &device, "-cl-std=CL1.2 " BUILD, NULL, NULL);
    if (status != CL_SUCCESS) {
        (void)clGetProgramBuildInfo(cl_all, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        (void)fputs(log, stderr);
    }
    expect(status, "build");
}

/* One work item per contact, in groups of 64. */
static void run_kernel(const char *name, const double *in, size_t n_in, double *out, size_t n_out, size_t n)
{
    cl_int status;
    if (!cl_place)
        open_device();
    const size_t bytes_in = n * n_in * sizeof *in, bytes_out = n * n_out * sizeof *out, one = 1;
    cl_kernel    kernel = clCreateKernel(cl_all, name, &status);
    expect(status, name);
    cl_mem from = clCreateBuffer(cl_place, CL_MEM_COPY_HOST_PTR, bytes_in, (void *)(size_t)in, &status);
    expect(status, "buffer");
    cl_mem to = clCreateBuffer(cl_place, CL_MEM_COPY_HOST_PTR, bytes_out, out, &status);
    expect(status, "buffer");
    expect(clSetKernelArg(kernel, 0, sizeof from, &from), "argument");
    expect(clSetKernelArg(kernel, 1, sizeof to, &to), "argument");
    expect(clEnqueueNDRangeKernel(cl_queue, kernel, 1, NULL, &n, &one, 0, NULL, NULL), name);
    expect(clEnqueueReadBuffer(cl_queue, to, CL_TRUE, 0, bytes_out, out, 0, NULL, NULL), "read");
    (void)clReleaseMemObject(from);
    (void)clReleaseMemObject(to);
    (void)clReleaseKernel(kernel);
}
