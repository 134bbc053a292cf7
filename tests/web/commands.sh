#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: commands.sh ROOT BUILD
#
# check, models, explain and rig say as WebAssembly what they say as native code, byte for byte but for the paths of
# plugins; files of configs/bad get the errors that stand beside them.
set -eu
root=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0
wasm() { node "$root/tests/web/pcm.mjs" "$build/web/pcm.wasm" "$laws" "$folder" "$@" 2>&1 || echo "status $?"; }
native() { (cd "$folder" && "$build/tools/pcm" "$@") 2>&1 || echo "status $?"; }
plain() { sed -e 's/"file": .*/"file": .../' -e 's/^version \([^,]*\), .*/version \1/' -e 's/in [^ ]*plugins[^[]*\[/in ... [/' -e 's/in an empty search path/in .../'; }
same() {
    native "$@" | plain >"$work/native"
    wasm "$@" | plain >"$work/wasm"
    diff "$work/native" "$work/wasm" || { echo "pcm $* says another thing as WebAssembly"; failed=1; }
}

laws=$build/web/laws folder=$root/configs
PCM_PLUGIN_PATH=$build/plugins
export PCM_PLUGIN_PATH
same models --json
same models Hertz
same check rise.pcm
same explain rise.pcm FrontRightFoot Wall
same explain rise.pcm --json
same explain rise.pcm NoSuchFoot Wall
printf 't,depth,depth_rate,slip_x,slip_y\n0,0.001,0.1,0,0\n0.001,0.002,0.1,0.01,0\n0.002,-0.001,-1,0,0\n' >"$work/motion.csv"
printf 'ContactType T = CompliantGround {};\n' >"$work/one.pcm"
folder=$work
same rig one.pcm --motion motion.csv
same rig one.pcm --motion none.csv

# The faulty files with their expected errors, and the laws that they use.
folder=$root/configs/bad laws=$work/specimens
mkdir "$laws"
for law in Curve Mixed Specimen Unlike; do
    "$root/web/law.sh" "$root/include" "$root/tests/specimen/$law.c" "$laws/$law.wasm"
done
# The plugin of one of the files is not a module.
files=$(cd "$folder" && ls ./*.pcm | sed -e 's|^./||' -e '/^202-refused-model/d')
for file in $files; do cat "$folder/${file%.pcm}.err"; done >"$work/native"
node "$root/tests/web/pcm.mjs" "$build/web/pcm.wasm" "$laws" "$folder" check $files 2>&1 >/dev/null |
    sed 's/an empty search path/PLUGINS/' >"$work/wasm"
diff "$work/native" "$work/wasm" || { echo "configs/bad has other errors as WebAssembly"; failed=1; }
exit $failed
