# SPDX-License-Identifier: GPL-2.0-or-later
from spack_repo.builtin.build_systems.cmake import CMakePackage
from spack_repo.builtin.build_systems.cuda import CudaPackage

from spack.package import *


class LammpsDpdSop(CMakePackage, CudaPackage):
    """Dissipative particle dynamics and SOP proteins on GPUs and CPUs, as a plugin of LAMMPS."""

    # A release has no address yet: `spack develop --path TREE lammps-dpd-sop@0.2.0` takes a tree
    # that is there. For Spack's repository, add url, or git, and the checksum of the version.
    homepage = "https://www.lammps.org/external.html"

    license("GPL-2.0-or-later", checked_by="lammps-dpd-sop")

    version("0.2.0")

    variant("engine", default=True, description="Install the engine for other programs")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.20:", type="build")
    depends_on("python@3.9:", type=("build", "run"))

    # a plugin works with the LAMMPS that it was compiled for, which must be able to load one
    depends_on("lammps@20250204:+plugin+lib+mpi", type=("build", "link", "run"))
    depends_on("mpi")
    depends_on("py-numpy", type="run")
    depends_on("py-scipy", type="run")
    depends_on("py-matplotlib", type="run")
    depends_on("py-gemmi", type="run")

    conflicts("cuda_arch=none", when="+cuda", msg="cuda_arch names the GPUs: 80 or newer")
    for _arch in CudaPackage.cuda_arch_values:
        if int(_arch.rstrip("af")) < 80:
            conflicts(f"cuda_arch={_arch}", when="+cuda", msg="needs compute capability 8.0")

    def cmake_args(self):
        args = [
            self.define("DS_PLUGIN", True),
            self.define("DS_TESTS", False),
            self.define("LAMMPS_DIR", self.spec["lammps"].prefix),
            self.define("DS_INSTALL_PLUGIN_DIR", "lib/lammps/plugins"),
            self.define("CMAKE_CUDA_RUNTIME_LIBRARY", "Shared"),
            self.define_from_variant("DS_CUDA", "cuda"),
            self.define_from_variant("DS_ENGINE_LIBRARY", "engine"),
        ]
        if self.spec.satisfies("+cuda"):
            architectures = self.spec.variants["cuda_arch"].value
            args.append(self.define("CMAKE_CUDA_ARCHITECTURES", architectures))
        return args

    def setup_run_environment(self, env: EnvironmentModifications) -> None:
        env.prepend_path("LAMMPS_PLUGIN_PATH", self.prefix.lib.lammps.plugins)
