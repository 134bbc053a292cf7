#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: wheel.sh PYTHON ROOT BUILD
#
# `pip wheel` of the tree, without network and index, installed into an environment of its own: nothing else is in the
# wheel, the command runs, and every test holds for the installed package.
set -eu
python=$1
root=$2
build=$3
"$python" -c 'import numpy, pytest, mesonpy, venv, ensurepip' 2>/dev/null && command -v patchelf >/dev/null ||
    { echo "$python lacks numpy, pytest, meson-python or venv, or there is no patchelf"; exit 77; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
unset PCM_PLUGIN_PATH PYTHONPATH

# The build backend writes into the sources: only what git ignores, so that a checkout stays clean.
cd "$root"
mkdir "$place/source"
git ls-files -z --cached --others --exclude-standard | xargs -0 cp --parents -t "$place/source"
cd "$place"
git -C source init --quiet
git -C source add --all
"$python" -m venv --system-site-packages environment
own=$place/environment/bin/python
"$own" -m pip wheel --quiet --no-build-isolation --no-index --no-deps -w "$place" "$place/source"
left=$(git -C source status --porcelain | grep -v '^A  ') && echo "pip leaves in the checkout: $left" && exit 1
wheel=$(ls "$place"/*.whl)
case $wheel in
*-cp311-abi3-*.whl) ;;
*) echo "$wheel: it is not for every Python from 3.11 on" && exit 1 ;;
esac
"$own" -m pip install --quiet --no-index --no-deps "$wheel"
installed=$("$own" -c 'import os, pcm; print(os.path.dirname(pcm.__file__))')
case $installed in "$place"/*) ;; *) echo "pcm is imported from $installed" && exit 1 ;; esac
if "$own" -m zipfile -l "$wheel" | awk 'NR > 1 { print $1 }' | grep -v -e '^pcm/' -e '^pcm_contact-[0-9.]*\.dist-info/'; then
    echo 'the wheel holds the files above, which are no part of the package'
    exit 1
fi
! ldd "$installed"/_pcm.abi3.so "$installed"/bin/* "$installed"/lib/* | grep 'not found' ||
    { echo 'the wheel lacks these libraries'; exit 1; }

# A moved program still finds its laws.
echo 'ContactType C = CompliantGround {}; DefaultPair -> C;' >c.pcm
"$place/environment/bin/pcm" check c.pcm
"$place/environment/bin/pcm" models | grep -q ViscoelasticGround
"$place/environment/bin/pcm" validate --suite spheres | grep -q '18 of 18'

export PCM_COMMAND="$place/environment/bin/pcm" PCM_SOURCE="$root" XDG_CACHE_HOME="$place/cache" PYTHONPATH=
for tests in bodies config law traced world; do
    "$root/tests/python/run.sh" "$own" "$root/tests/python/test_$tests.py"
done
# These compare with the build's own command, which includes the hosts.
for tests in attach mujoco; do
    PCM_COMMAND=$build/tools/pcm PCM_PLUGIN_PATH=$build/plugins \
        "$root/tests/python/run.sh" "$own" "$root/tests/python/test_$tests.py" || [ $? -eq 77 ]
done
