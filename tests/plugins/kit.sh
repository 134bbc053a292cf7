#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: kit.sh INCLUDE PACKED.sh KitUse.c
#
# A law that uses a function of the kit is packed by gcc and clang, also where an argument is the same for every lane.
set -u
command -v objdump >/dev/null || exit 77
[ "$(uname -m)" = x86_64 ] || exit 77
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0
while IFS= read -r expression; do
    for compiler in gcc clang; do
        command -v $compiler >/dev/null || continue
        $compiler -shared -fPIC -O2 -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off -I"$1" \
            "-DEXPRESSION=$expression" "$3" -o "$out/KitUse.so" && sh "$2" "$out/KitUse.so" || {
            echo "$compiler: $expression"
            failed=1
        }
    done
done <<'EXPRESSIONS'
pcm_pow(pcm_ramp(d), law.exponent)
pcm_pow(pcm_ramp(d), 1.5)
pcm_exp(law.rate * d)
pcm_log(d)
pcm_tanh(d)
pcm_length(d, v)
pcm_cbrt(law.rate * d)
pcm_sin(d)
pcm_cos(law.rate * d)
pcm_atan2(d, v)
pcm_atan2(d, law.rate)
pcm_erf(d)
pcm_log1p(d)
pcm_asinh(law.rate * d)
pcm_hertz_radius(pcm_abs(d), pcm_abs(v))
pcm_punch_radius(d, 1 + pcm_ramp(v))
pcm_hertz_line(pcm_clamp(d, 0, 0.09))
pcm_clamp(d, law.rate, law.exponent)
pcm_choose(law.exponent == 1.5 && law.rate > 0, d * pcm_sqrt(d), v)
pcm_choose(law.exponent == 1.5, d * pcm_sqrt(d), pcm_pow(pcm_ramp(d), law.exponent))
pcm_choose(b->dt > 0 || law.rate > 2, pcm_exp(d), pcm_sqrt(v))
EXPRESSIONS
exit $failed
