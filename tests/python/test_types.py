# SPDX-License-Identifier: MIT
"""The stubs: strict, and of the package as it is."""

import ast
import inspect
import os
import subprocess
import sys
from pathlib import Path

import pytest

import pcm

STUB = Path(pcm.__file__).with_suffix(".pyi")


def declared():
    return [node for node in ast.parse(STUB.read_text()).body if isinstance(node, (ast.ClassDef, ast.FunctionDef))]


def names_of(function):
    arguments = function.args
    return [entry.arg for entry in arguments.posonlyargs + arguments.args + arguments.kwonlyargs]


def test_every_name_is_declared_and_there():
    names = {node.name for node in declared() if not node.name.startswith("_")}
    assert names | {"CONTACT", "HOST_CONTACT", "SHAPE"} == set(pcm.__all__)
    assert all(hasattr(pcm, name) for name in pcm.__all__)
    with pytest.raises(AttributeError, match="no attribute 'attached'"):
        pcm.attached


@pytest.mark.parametrize("node", [node for node in declared() if not node.name.startswith("_")], ids=lambda node: node.name)
def test_methods_and_arguments_are_those_of_the_package(node):
    there = getattr(pcm, node.name)
    if isinstance(node, ast.FunctionDef):
        assert names_of(node) == list(inspect.signature(there).parameters)
        return
    for entry in node.body:
        if isinstance(entry, ast.FunctionDef):
            method = getattr(there, entry.name)
            if inspect.isfunction(method) and not entry.args.kwarg and entry.name != "__exit__":
                assert names_of(entry) == list(inspect.signature(method).parameters), entry.name
    own = {name for name in vars(there) if not name.startswith("_")}
    said = {entry.name for entry in node.body if isinstance(entry, ast.FunctionDef)}
    said |= {entry.target.id for entry in node.body if isinstance(entry, ast.AnnAssign)}
    assert own <= said | {"add_note", "with_traceback", "args", "count", "index"}


def test_mypy_has_no_complaint(tmp_path):
    if subprocess.run([sys.executable, "-m", "mypy", "--version"], capture_output=True, check=False).returncode:
        pytest.skip("there is no mypy")
    program = Path(__file__).parent / "typed.py"
    places = os.pathsep.join([str(STUB.parent.parent)])
    told = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--cache-dir", tmp_path, program],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MYPYPATH": places},
    )
    assert told.returncode == 0, told.stdout + told.stderr
