#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: packages.py ROOT

What packaging/ says for each package system agrees with meson: one version, one licence, and every optional part of the
build either gets its library or is switched off."""

import json
import os
import re
import sys
import xml.etree.ElementTree

os.chdir(sys.argv[1])
failed = 0


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def hold(condition, message):
    global failed
    if not condition:
        print(message)
        failed = 1


version = re.search(r"version: '([0-9.]+)'", read("meson.build")).group(1)
features = set(re.findall(r"option\('(\w+)', type: 'feature'", read("meson_options.txt"))) - {"tests"}

# The library of each optional part, by its name in each package system; None: that system has none. For a part without
# its own library, the program that it needs.
LIBRARIES = {
    #          conda        spack        vcpkg      ros             debian
    "mujoco": ("libmujoco", "mujoco", None, None, "libmujoco-dev"),
    "cvode": ("sundials", "sundials+cvode", None, None, "libsundials-dev"),
    "cdd": ("cddlib", "cddlib", "cddlib", "libcdd-dev", "libcdd-dev"),
    "geometry": ("qhull", "qhull", "qhull", "libqhull-dev", "libqhull-dev"),
    "replay": ("zlib", "zlib-api", "zlib", "zlib", "zlib1g-dev"),
    "python": ("python", None, None, "python3-numpy", "python3-dev"),
    "lammps": (None,) * 5,
    "ode": (None,) * 5,
    "bullet": (None,) * 5,
    "dart": (None,) * 5,
    "export": (None,) * 5,
    "pages": (None,) * 5,
}
hold(features == set(LIBRARIES), f"meson_options.txt has the parts {sorted(features)}, this test {sorted(LIBRARIES)}")

vcpkg = json.loads(read("packaging/vcpkg/vcpkg.json"))
ros = xml.etree.ElementTree.parse("packaging/ros/package.xml").getroot()
systems = {
    "conda-forge": ["packaging/conda-forge/recipe.yaml"],
    "spack": ["packaging/spack/package.py"],
    "vcpkg": ["packaging/vcpkg/vcpkg.json", "packaging/vcpkg/portfile.cmake"],
    "ros": ["packaging/ros/package.xml"],
    "debian": ["packaging/debian/control", "packaging/debian/rules"],
}
for index, (system, paths) in enumerate(systems.items()):
    text = "\n".join(read(path) for path in paths)
    for feature, names in sorted(LIBRARIES.items()):
        name = names[index]
        listed = name is not None and re.search(rf"(?<![\w-]){re.escape(name)}(?![\w+-])", text)
        off = f"-D{feature}=disabled" in text
        if system == "ros" and name is None or feature == "pages" and system == "debian":
            continue  # package.xml has no options; a Debian package includes pages if their tools are installed
        hold(bool(listed) != off, f"{paths[0]}: the part '{feature}' must have {name or 'no library'} or be disabled")

versions = {
    "CITATION.cff": re.search(r"^version: (.*)$", read("CITATION.cff"), re.M).group(1),
    "packaging/conda-forge/recipe.yaml": re.search(r"^  version: (.*)$", read(systems["conda-forge"][0]), re.M).group(1),
    "packaging/spack/package.py": re.search(r'version\("(.*?)"', read(systems["spack"][0])).group(1),
    "packaging/vcpkg/vcpkg.json": vcpkg["version"],
    "packaging/ros/package.xml": ros.findtext("version"),
}
licences = {
    "pyproject.toml": "MIT" if 'license = { file = "LICENSE" }' in read("pyproject.toml") else None,
    "CITATION.cff": re.search(r"^license: (.*)$", read("CITATION.cff"), re.M).group(1),
    "packaging/conda-forge/recipe.yaml": re.search(r"license: (.*)$", read(systems["conda-forge"][0]), re.M).group(1),
    "packaging/spack/package.py": re.search(r'license\("(.*?)"', read(systems["spack"][0])).group(1),
    "packaging/vcpkg/vcpkg.json": vcpkg["license"],
    "packaging/ros/package.xml": ros.findtext("license"),
    "packaging/debian/copyright": re.search(r"^License: (.*)$", read("packaging/debian/copyright"), re.M).group(1),
}
for path, found in versions.items():
    hold(found == version, f"{path} has version {found}, meson.build {version}")
for path, found in licences.items():
    hold(found == "MIT", f"{path} has licence {found}")
for path, found in {
    "pyproject.toml": re.search(r'^name = "(.*)"$', read("pyproject.toml"), re.M).group(1),
    "packaging/vcpkg/vcpkg.json": vcpkg["name"],
    "packaging/ros/package.xml": ros.findtext("name").replace("_", "-"),
    "packaging/debian/control": re.search(r"^Source: (.*)$", read("packaging/debian/control"), re.M).group(1),
    "packaging/conda-forge/recipe.yaml": re.search(r"^  name: (.*)$", read(systems["conda-forge"][0]), re.M).group(1),
}.items():
    hold(found == "pcm-contact", f"{path} is named {found}")
sys.exit(failed)
