#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: completion.sh bash|zsh|fish PCM
#
# Writes that shell's completion of pcm to standard output: commands and options as --help prints them.
set -eu
here=$(dirname "$0")
shell=$1
pcm=$2
tab=$(printf "\t")
"$pcm" --help | sed -n '/^commands:/,/^$/s/^  \([^ ]*\)  */\1\t/p' | while IFS="$tab" read -r command summary; do
    printf 'command\t%s\t%s\n' "$command" "$summary"
    "$pcm" "$command" --help | sed -nE 's/^  (--[a-z-]+)( ([A-Z][^ ]*))?  ?*(.*)/option\t\1\t\3\t\4/p'
done | awk -F '\t' -f "$here/$shell.awk"
