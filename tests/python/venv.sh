#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: venv.sh PYTHON FOLDER PACKAGE==RELEASE...
#
# An environment of Python in FOLDER with packages of PyPI, made once. 77, with a word: PyPI cannot be reached, or PYTHON
# lacks what this takes.
set -eu
python=$1
place=$2
shift 2
"$python" -c 'import numpy, pytest, venv, ensurepip' 2>/dev/null || { echo "$python has no numpy, pytest or venv"; exit 77; }
[ ! -e "$place/complete" ] || exit 0
rm -rf "$place"
"$python" -m venv --system-site-packages "$place"
if ! "$place/bin/python" -m pip -q --disable-pip-version-check --timeout 20 --retries 1 install --only-binary :all: "$@"; then
    echo "PyPI gave no $*: not tested with it"
    exit 77
fi
touch "$place/complete"
