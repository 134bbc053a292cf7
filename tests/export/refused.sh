#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: refused.sh SOURCE BUILD
#
# What cannot be exported is an error that says where; the header that was there stays as it was.
set -u
source=$1 build=$2
export PKG_CONFIG_PATH="$build/meson-uninstalled" PCM_PLUGIN_PATH="$build/plugins"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
cd "$folder" || exit 1
complain() {
    echo "$1"
    failed=1
}

# refused WANTED WORD...: the command fails, and its message contains WANTED.
refused() {
    wanted=$1
    shift
    echo 'as it was' >out.h
    "$build/tools/pcm" export "$@" -o out.h >said 2>&1 && complain "$wanted: is exported"
    grep -qF -e "$wanted" said || { complain "missing: $wanted"; cat said; }
    [ "$(cat out.h)" = 'as it was' ] || complain "$wanted: the header has changed"
}

# law NAME STATEMENT [DECLARATION]: the law of the README with a statement on line 11, as C file and plugin.
law() {
    sed -e "s/LinearSpring/$1/" -e "s|^static void update|${3-}\n&|" -e "s|^    PCM_EACH(b, i)|    $2\n&|" \
        "$source/examples/LinearSpring.c" >"$1.c"
    # shellcheck disable=SC2046
    cc -shared -fPIC -O2 -w $(pkg-config --cflags pcm-plugin) "$1.c" -o "$1.so" -lm || complain "$1 does not compile"
    echo "ContactType T = $1 { };" >"$1.pcm"
}
line() { grep -nF "$2" "$1" | cut -d: -f1; }

law Prints 'if (b->depth[0] > 1) printf("deep");' '#include <stdio.h>'
refused "Prints.c:$(line Prints.c 'printf(')" Prints.pcm --plugins .
refused 'calls printf' Prints.pcm --plugins .
law Tanh 'b->force_n[0] = tanh(b->depth[0]);' '#include <math.h>'
sed -i 's/b->force_n\[i\] = pcm_max(/b->force_n[i] = tanh(b->depth[i]) + pcm_max(/' Tanh.c
refused "Tanh.c:$(line Tanh.c '= tanh(b->depth[i])')" Tanh.pcm --plugins .
refused "calls tanh; a law computes with kit.h's functions alone" Tanh.pcm --plugins .
law Counts 'calls++;' 'static int calls;'
refused "Counts.c:$(line Counts.c 'static int calls')" Counts.pcm --plugins .
refused 'calls can be written; static data of a law is const' Counts.pcm --plugins .
law Table 'b->energy[0] = table[b->depth[0] > 0];' 'static double table[] = {1, 2};'
refused "Table.c:$(line Table.c 'static double table')" Table.pcm --plugins .
law Loops 'double s = 0; for (double x = b->depth[0]; x > 1e-9; x *= 0.5) s += x * x;'
sed -i 's/b->force_n\[i\] = pcm_max(/b->force_n[i] = s + pcm_max(/' Loops.c
refused "Loops.c:$(line Loops.c 'x *= 0.5')" Loops.pcm --plugins .
refused 'has a loop whose end depends on the contact' Loops.pcm --plugins .
law Pairs ''
sed -i -e 's/PCM_KERNELS(update)/PCM_PAIR_KERNELS(together, update)/' \
    -e 's/^PCM_PAIR_KERNELS/static void together(const pcm_pair_batch *b) { (void)b; }\n&/' Pairs.c
# shellcheck disable=SC2046
cc -shared -fPIC -O2 -w $(pkg-config --cflags pcm-plugin) Pairs.c -o Pairs.so || complain 'Pairs does not compile'
refused 'Pairs.pcm:1:13' Pairs.pcm --plugins .
refused 'a verb for the contacts of a pair together' Pairs.pcm --plugins .
law Text ''
sed -i -e 's/double stiffness, damping;/double stiffness, damping; const char *name;/' \
    -e 's/b->force_n\[i\] = pcm_max(/b->force_n[i] = law.name[0] + pcm_max(/' \
    -e 's|^    PCM_REAL(Law, damping|    PCM_TEXT(Law, name, "Name", "x", "a text"),\n&|' Text.c
# shellcheck disable=SC2046
cc -shared -fPIC -O2 -w $(pkg-config --cflags pcm-plugin) Text.c -o Text.so || complain 'Text does not compile'
refused 'reads memory: of its own, of a text' Text.pcm --plugins .
rm Loops.c
refused 'the C file of Loops is not beside its plugin' Loops.pcm --plugins .

cat >file.pcm <<'PCM'
ContactType Ground = HuntCrossley { };
ContactType Native = DefaultContact;
ContactType Soft = HertzTsuji { };
Material Steel { YoungModulus = 2e11; PoissonRatio = 0.3; };
Material Ice { Density = 900; };
PCM
refused "file.pcm has no contact type 'Grund'; did you mean 'Ground'?" file.pcm Grund
refused 'file.pcm:2:13' file.pcm Native
refused 'leaves its pairs to the simulator' file.pcm Native
refused "file.pcm:5:10: error: the material 'Ice' lacks" file.pcm Soft --between Steel --between Ice
refused '--between A --between B' file.pcm Soft
refused "no exported type has a parameter 'Dissipaton' for --free; did you mean 'Dissipation'?" \
    file.pcm Ground --free Dissipaton
mkdir locked.h
"$build/tools/pcm" export file.pcm Ground -o locked.h >said 2>&1 && complain 'writes over a folder'
grep -q 'locked.h: ' said || complain 'does not say which file could not be written'
exit $failed
