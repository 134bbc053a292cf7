#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: pictures.sh ROOT BUILD
#
# The pictures of the laws can still be drawn: the rig answers every table that they ask for, without a word from gnuplot.
# What is drawn is for people to look at.
set -u
command -v gnuplot >/dev/null || exit 77
export PATH="$2/tools:$PATH"
cd "$1/docs/laws/plots" || exit 1
failed=0
for plot in [A-Z]*.gp; do
    said=$(gnuplot "$plot" 2>&1 >/dev/null)
    [ -z "$said" ] || { echo "$plot: $said"; failed=1; }
    curves=$(gnuplot "$plot" 2>/dev/null | grep -c 'id="gnuplot_plot_')
    [ "$curves" -ge 2 ] || { echo "$plot: $curves curves"; failed=1; }
done
exit $failed
