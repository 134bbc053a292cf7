#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: pictures.sh ROOT BUILD
#
# The pictures of the laws are what `docs/laws/draw BUILD` draws: the rig answers every table that they ask for, gnuplot
# has nothing to say, and the drawn picture is the one in docs/laws. Releases of gnuplot differ in where they put ticks:
# with another one than 5.4, each picture need only have curves.
set -u
command -v gnuplot >/dev/null || exit 77
export PATH="$2/tools:$PATH"
cd "$1/docs/laws/plots" || exit 1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0
for plot in [A-Z]*.gp; do
    law=${plot%.gp}
    gnuplot "$plot" >"$folder/drawn" 2>"$folder/said"
    [ ! -s "$folder/said" ] || { echo "$plot: $(head -n 3 "$folder/said")"; failed=1; }
    curves=$(grep -c 'id="gnuplot_plot_' "$folder/drawn")
    [ "$curves" -ge 2 ] || { echo "$plot: $curves curves"; failed=1; }
    awk -f ../compact.awk "$folder/drawn" >"$folder/compact" || failed=1
    case $(gnuplot --version) in
    'gnuplot 5.4 '*)
        cmp -s "$folder/compact" "../$law.svg" ||
            { echo "docs/laws/$law.svg is out of date: docs/laws/draw BUILD"; failed=1; }
        ;;
    esac
done
exit $failed
