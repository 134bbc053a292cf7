# SPDX-License-Identifier: MIT
"""The package for Spack. A release adds its url and sha256."""

from spack.package import *


class PcmContact(MesonPackage):
    """Contact laws, chosen in a text file, for every simulator: the command, the library and its laws."""

    license("MIT")

    version("0.1.0")

    variant("mujoco", default=False, description="MuJoCo as a host")
    variant("cvode", default=False, description="integration with error control and events")
    variant("cdd", default=True, description="contact wrench cones")
    variant("geometry", default=True, description="contact detection")

    depends_on("c", type="build")
    depends_on("meson@1.0:", type="build")
    depends_on("flex", type="build")
    depends_on("bison", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mujoco", when="+mujoco")
    depends_on("sundials+cvode", when="+cvode")
    depends_on("cddlib", when="+cdd")
    depends_on("qhull", when="+geometry")
    depends_on("zlib-api")

    def meson_args(self):
        parts = [f"-D{part}={'enabled' if self.spec.satisfies('+' + part) else 'disabled'}"
                 for part in ("mujoco", "cvode", "cdd", "geometry")]
        return parts + ["-Dreplay=enabled", "-Dlammps=disabled", "-Dode=disabled", "-Dbullet=disabled", "-Ddart=disabled",
                        "-Dexport=disabled", "-Dpages=disabled", "-Dpython=disabled", "-Dtests=disabled"]
