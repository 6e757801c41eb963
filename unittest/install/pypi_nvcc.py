#!/usr/bin/env python3
# The CUDA compiler of PyPI (tools/get-cuda install) compiles a file with kernels of the engine: the object has code for
# the GPU that was asked for, and for no other. Needs neither an nvcc nor a driver.
# SPDX-License-Identifier: GPL-2.0-or-later
import argparse
import os
import shutil
import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from commands import runner  # noqa: E402

GPU = 80    # the oldest that is supported; that of the other tests is another one
OBJECT = "CMakeFiles/dpdsop_engine.dir/neighbor/order_cuda.cu.o"    # it sorts and scans by CUB, too
KERNEL = b"member_kernel"
FAT_MAGIC, PTX, CODE = 0xba55ed50, 1, 2


def arguments():
    parser = argparse.ArgumentParser()
    parser.add_argument("--package", required=True)
    parser.add_argument("--work", required=True, help="folder to work in; the compiler in it is kept")
    return parser.parse_args()


def section(data, name):
    """Bytes of a section of an object file: ELF, 64 bit, little endian."""
    if data[:6] != b"\x7fELF\x02\x01":
        sys.exit("not an object file of 64 bits")
    start, = struct.unpack_from("<Q", data, 40)
    size, count, names = struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, start + k * size) for k in range(count)]
    strings = headers[names][4]
    for word, *_, offset, length in headers:
        if data.startswith(name + b"\0", strings + word):
            return data[offset:offset + length]
    sys.exit(f"the object has no section {name.decode()}")


def gpu_code(fat):
    """What nvcc has put there: pairs of kind (PTX or CODE) and GPU, such as 90 for sm_90."""
    found, at = [], 0
    while at + 16 <= len(fat):
        magic, _, header, length = struct.unpack_from("<IHHQ", fat, at)
        if magic != FAT_MAGIC:
            at += 8    # between two of them
            continue
        entry, at = at + header, at + header + length
        while entry < at:
            kind, _, header, length = struct.unpack_from("<HHIQ", fat, entry)
            found.append((kind, struct.unpack_from("<I", fat, entry + 28)[0]))
            entry += header + length
    return found


def main():
    args = arguments()
    package, work = Path(args.package), Path(args.work).resolve()
    build = work / "build"
    shutil.rmtree(build, ignore_errors=True)
    work.mkdir(parents=True, exist_ok=True)
    environment = {k: v for k, v in os.environ.items()
                   if k not in ("CUDACXX", "CUDA_HOME", "CUDA_PATH", "CUDAARCHS")}
    environment.update(PYTHON=sys.executable)

    run = runner(work, environment)
    nvcc = run(package / "tools" / "get-cuda", "install", work / "cuda").strip()
    configured = run("cmake", "-S", package / "cuda", "-B", build, "-G", "Ninja", "-DDS_CUDA=ON",
                     f"-DCMAKE_CUDA_COMPILER={nvcc}", f"-DCMAKE_CUDA_ARCHITECTURES={GPU}-real",
                     "-DCMAKE_BUILD_TYPE=Release")
    if "Engine: CUDA backend ON" not in configured:
        sys.exit("configured without CUDA")
    run("cmake", "--build", build, "--target", OBJECT)
    data = (build / OBJECT).read_bytes()
    found = gpu_code(section(data, b".nv_fatbin"))
    names = {PTX: "PTX for", CODE: "code for"}
    print("the object has", ", ".join(f"{names.get(kind, kind)} sm_{gpu}" for kind, gpu in found))
    if not found or set(found) != {(CODE, GPU)}:
        sys.exit(f"expected: code for sm_{GPU} and nothing else")
    if KERNEL not in data:
        sys.exit(f"the kernel {KERNEL.decode()} is not in the object")


if __name__ == "__main__":
    main()
