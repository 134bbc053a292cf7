# SPDX-License-Identifier: MIT
"""CUDA's driver, by ctypes: modules, memory, launches and times. Needs libcuda.so.1 alone."""

import ctypes

import numpy


class Device:
    """The first GPU."""

    def __init__(self):
        self._driver = ctypes.CDLL("libcuda.so.1")
        self._call("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self._call("cuDeviceGet", ctypes.byref(device), 0)
        self._call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self._call("cuCtxSetCurrent", context)
        name = ctypes.create_string_buffer(256)
        self._call("cuDeviceGetName", name, 256, device)
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._call("cuDeviceGetAttribute", ctypes.byref(major), 75, device)
        self._call("cuDeviceGetAttribute", ctypes.byref(minor), 76, device)
        self.name, self.architecture = name.value.decode(), 10 * major.value + minor.value

    def _call(self, function, *arguments):
        status = getattr(self._driver, function)(*arguments)
        if status:
            raise RuntimeError(f"{function}: error {status}")

    def module(self, image):
        """The code of a cubin, or PTX."""
        module, log = ctypes.c_void_p(), ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(5, 6)  # CU_JIT_ERROR_LOG_BUFFER and its size
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            self._call("cuModuleLoadDataEx", ctypes.byref(module), image + b"\0", 2, options, values)
        except RuntimeError as error:
            raise RuntimeError(f"{error}\n{log.value.decode(errors='replace')}") from None
        return module

    def function(self, module, name):
        function = ctypes.c_void_p()
        self._call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        return function

    def registers(self, function):
        """Registers of a thread, and bytes of its private memory."""
        numbers = []
        for attribute in (4, 3):
            value = ctypes.c_int()
            self._call("cuFuncGetAttribute", ctypes.byref(value), attribute, function)
            numbers.append(value.value)
        return tuple(numbers)

    def upload(self, array):
        pointer = self.allocate(array.nbytes)
        self._call("cuMemcpyHtoD_v2", pointer, array.ctypes.data_as(ctypes.c_void_p), ctypes.c_size_t(array.nbytes))
        return pointer

    def allocate(self, size):
        pointer = ctypes.c_uint64()
        self._call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(size, 1)))
        return pointer

    def download(self, pointer, count, dtype):
        array = numpy.zeros(count, dtype)
        self._call("cuMemcpyDtoH_v2", array.ctypes.data_as(ctypes.c_void_p), pointer, ctypes.c_size_t(array.nbytes))
        return array

    def free(self, *pointers):
        for pointer in pointers:
            self._call("cuMemFree_v2", pointer)

    def run(self, function, count, *arguments, block=128):
        """One thread for each of `count`. Returns the seconds that it took."""
        values = [*arguments, ctypes.c_int64(count)]
        pointers = (ctypes.c_void_p * len(values))(*[ctypes.addressof(value) for value in values])
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            self._call("cuEventCreate", ctypes.byref(event), 0)
        blocks = (count + block - 1) // block
        self._call("cuEventRecord", events[0], None)
        self._call("cuLaunchKernel", function, blocks, 1, 1, block, 1, 1, 0, None, pointers, None)
        self._call("cuEventRecord", events[1], None)
        self._call("cuEventSynchronize", events[1])
        time = ctypes.c_float()
        self._call("cuEventElapsedTime", ctypes.byref(time), *events)
        for event in events:
            self._call("cuEventDestroy_v2", event)
        return 1e-3 * time.value
