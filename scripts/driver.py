"""A GPU through its driver, for the scripts here that time launches of job files. No toolkit and no package is needed."""

import array
import ctypes
import datetime
import math
import os
import random
import re
import statistics
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
HOLD_PTX = os.path.join(ROOT, "crates", "simt", "tests", "timing", "pipes.ptx")
HOLD = 40000  # rounds of a kernel that takes longer than the host needs to queue a batch
WARM_UP, BATCH, MOST, ENOUGH_NS = 5, 16, 96, 100e6
UNASKED = 48 << 10  # bytes of shared memory that a block has without asking for more
CODES = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "f32": "f", "u64": "Q", "i64": "q", "f64": "d"}


class Driver:
    """The few calls of the driver API that are needed. `program` is the script that makes them, for its messages."""

    def __init__(self, program):
        self.program = program
        self.lib = ctypes.CDLL("libcuda.so.1")
        self.call("cuInit", 0)
        self.device = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(self.device), 0)
        context = ctypes.c_void_p()
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self.device)
        self.call("cuCtxSetCurrent", context)
        with open(HOLD_PTX, "rb") as file:
            module = self.load(file.read())
        self.hold, self.room = ctypes.c_void_p(), self.allocate(bytes(256))
        self.call("cuModuleGetFunction", ctypes.byref(self.hold), module, b"fma_f32")

    def call(self, name, *arguments):
        result = getattr(self.lib, name)(*arguments)
        if result:
            text = ctypes.c_char_p()
            self.lib.cuGetErrorName(result, ctypes.byref(text))
            sys.exit(f"{self.program}: {name}: {(text.value or b'?').decode()}")

    def attribute(self, number):
        value = ctypes.c_int()
        self.call("cuDeviceGetAttribute", ctypes.byref(value), number, self.device)
        return value.value

    def description(self):
        name, version = ctypes.create_string_buffer(256), ctypes.c_int()
        self.call("cuDeviceGetName", name, 256, self.device)
        self.call("cuDriverGetVersion", ctypes.byref(version))
        return {
            "kind": "gpu",
            "name": name.value.decode(),
            "compute_capability": f"{self.attribute(75)}.{self.attribute(76)}",
            "driver": f"{version.value // 1000}.{version.value % 1000 // 10}",
            "multiprocessors": self.attribute(16),
        }

    def allocate(self, content):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(len(content)))
        self.call("cuMemcpyHtoD_v2", address, content, ctypes.c_size_t(len(content)))
        return address

    def read(self, address, size):
        content = ctypes.create_string_buffer(size)
        self.call("cuMemcpyDtoH_v2", content, address, ctypes.c_size_t(size))
        return content.raw

    def free(self, address):
        self.call("cuMemFree_v2", address)

    def load(self, ptx):
        module = ctypes.c_void_p()
        self.call("cuModuleLoadData", ctypes.byref(module), ptx + b"\0")
        return module

    def write_symbol(self, module, name, content):
        address, size = ctypes.c_uint64(), ctypes.c_size_t()
        self.call("cuModuleGetGlobal_v2", ctypes.byref(address), ctypes.byref(size), module, name.encode())
        self.call("cuMemcpyHtoD_v2", address, content, ctypes.c_size_t(len(content)))

    def function(self, module, name, shared=0):
        """A kernel that may have that many bytes of dynamic shared memory."""
        function = ctypes.c_void_p()
        self.call("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        if shared > UNASKED:
            self.call("cuFuncSetAttribute", function, 8, shared)
        return function

    def resident(self, module, launch):
        """Blocks of a launch that a multiprocessor holds at a time."""
        shared, blocks = launch.get("shared_bytes", 0), ctypes.c_int()
        function, threads = self.function(module, launch["kernel"], shared), math.prod(launch["block"])
        bytes = ctypes.c_size_t(shared)
        self.call("cuOccupancyMaxActiveBlocksPerMultiprocessor", ctypes.byref(blocks), function, threads, bytes)
        return blocks.value

    def fetch(self):
        """Bytes that L2 may fetch from memory at a time (cudaLimitMaxL2FetchGranularity)."""
        limit = ctypes.c_size_t()
        self.call("cuCtxGetLimit", ctypes.byref(limit), 5)
        return limit.value

    def limit_fetch(self, limit):
        """Sets what `fetch` says."""
        self.call("cuCtxSetLimit", 5, ctypes.c_size_t(limit))

    def once(self, module, launch, arguments):
        """One launch."""
        shared = launch.get("shared_bytes", 0)
        pointers = (ctypes.c_void_p * max(1, len(arguments)))(*(ctypes.addressof(a) for a in arguments))
        function = self.function(module, launch["kernel"], shared)
        self.call("cuLaunchKernel", function, *launch["grid"], *launch["block"], shared, None, pointers, None)
        self.call("cuCtxSynchronize")

    def times(self, module, launch, arguments):
        """Nanoseconds of each counted launch."""
        shared, stream = launch.get("shared_bytes", 0), ctypes.c_void_p()
        function = self.function(module, launch["kernel"], shared)
        self.call("cuStreamCreate", ctypes.byref(stream), 1)
        pointers = (ctypes.c_void_p * max(1, len(arguments)))(*(ctypes.addressof(a) for a in arguments))
        rounds = ctypes.c_int32(HOLD)
        hold = (ctypes.c_void_p * 2)(ctypes.addressof(self.room), ctypes.addressof(rounds))
        events = [ctypes.c_void_p() for _ in range(BATCH + 2)]
        for event in events:
            self.call("cuEventCreate", ctypes.byref(event), 0)

        def batch(count):
            # The GPU is kept busy until all is queued, so that no launch waits for the host.
            self.call("cuLaunchKernel", self.hold, 1, 1, 1, 32, 1, 1, 0, stream, hold, None)
            self.call("cuEventRecord", events[0], stream)
            for n in range(count + 1):
                self.call("cuLaunchKernel", function, *launch["grid"], *launch["block"], shared, stream, pointers, None)
                self.call("cuEventRecord", events[n + 1], stream)
            self.call("cuStreamSynchronize", stream)
            taken, all_taken = ctypes.c_float(), []
            for before, after in zip(events[1 : count + 1], events[2:]):  # what follows the first launch
                self.call("cuEventElapsedTime", ctypes.byref(taken), before, after)
                all_taken.append(taken.value * 1e6)
            return all_taken

        batch(WARM_UP)
        times = []
        while len(times) < BATCH or (len(times) < MOST and sum(times) < ENOUGH_NS):
            times += batch(BATCH)
        for event in events:
            self.call("cuEventDestroy_v2", event)
        self.call("cuStreamDestroy_v2", stream)
        return sorted(times)


def content(buffer):
    """The bytes that a buffer begins with. `uniform` draws from another generator than the device's, which no time of
    these launches depends on."""
    count, init, code = buffer["len"], buffer.get("init"), CODES[buffer["type"]]
    if init is None:
        return bytes(count * array.array(code).itemsize)
    if "fill" in init:
        values = array.array(code, [init["fill"]]) * count
    elif "iota" in init:
        values = array.array(code, (init["iota"] + i for i in range(count)))
    else:
        low, high = init["uniform"]
        rng = random.Random(init["seed"])
        values = array.array(code, (low + (high - low) * rng.random() for _ in range(count)))
    return values.tobytes()


def argument(value, buffers):
    (kind, what), = value.items()
    if kind == "buffer":
        return buffers[what]
    types = {"i32": ctypes.c_int32, "u32": ctypes.c_uint32, "f32": ctypes.c_float, "f64": ctypes.c_double}
    return types[kind](what)


def timing(times):
    """A record's summary of times, ns."""
    quarter = statistics.quantiles(times, n=4, method="inclusive")
    return {
        "is": "measured",
        "calls": len(times),
        "median_ns": quarter[1],
        "mean_ns": statistics.fmean(times),
        "min_ns": min(times),
        "max_ns": max(times),
        "iqr_ns": quarter[2] - quarter[0],
    }


def now():
    """The time, as records have it."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def folder(device):
    """The folder of a GPU's records, after its name: that of an "NVIDIA H200" is h200."""
    return re.sub(r"[^a-z0-9]+", "-", re.sub(r"^(nvidia |geforce )+", "", device["name"].lower())).strip("-")
