#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: venv.sh [--some] PYTHON FOLDER PACKAGE==RELEASE...
#
# An environment of Python in FOLDER with packages of PyPI, made anew where these are others. With --some it lacks those
# that PyPI does not give, and says so. Exit status 77, with a word: PYTHON lacks what this takes or, without --some, PyPI
# did not give them all.
set -eu
some=
[ "$1" != --some ] || { some=yes; shift; }
python=$1
place=$2
shift 2
"$python" -c 'import numpy, pytest, venv, ensurepip' 2>/dev/null || { echo "$python has no numpy, pytest or venv"; exit 77; }
[ "$(cat "$place/complete" 2>/dev/null)" != "$*" ] || exit 0
rm -rf "$place"
"$python" -m venv --system-site-packages "$place"
install() { "$place/bin/python" -m pip -q --disable-pip-version-check --timeout 20 --retries 1 install --only-binary :all: "$@"; }
if [ -n "$some" ]; then
    for package; do
        install "$package" || echo "PyPI gave no $package for this Python"
    done
elif ! install "$@"; then
    echo "PyPI gave no $*: not tested with it"
    exit 77
fi
echo "$*" >"$place/complete"
