#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: completion.sh BUILD
#
# The completions of bash, zsh and fish have every command and option that --help prints, and each shell that is installed
# reads its own. In bash they are tried.
set -u
folder=$1/tools/completion
pcm=$1/tools/pcm
failed=0
lacks() {
    echo "$1 lacks $2"
    failed=1
}
commands=$("$pcm" --help | sed -n '/^commands:/,/^$/s/^  \([^ ]*\).*/\1/p')
[ -n "$commands" ] || { echo 'pcm --help lists no commands'; exit 1; }
for command in $commands; do
    grep -q "words=\".*\b$command\b" "$folder/pcm" || lacks pcm "$command"
    grep -q "^        '$command:" "$folder/_pcm" || lacks _pcm "$command"
    grep -q -- "-a $command " "$folder/pcm.fish" || lacks pcm.fish "$command"
    for option in $("$pcm" "$command" --help | sed -n 's/^  \(--[a-z-]*\).*/\1/p'); do
        grep -q -- "$command,-\*) words=.*$option\b" "$folder/pcm" || lacks pcm "$command $option"
        grep -q -- "seen_subcommand_from $command' -l ${option#--} " "$folder/pcm.fish" || lacks pcm.fish "$command $option"
        sed -n "/^        $command)/,/;;/p" "$folder/_pcm" | grep -q -- "$option\[" || lacks _pcm "$command $option"
    done
done

# complete WORD ...: what bash offers for the last word.
complete_in_bash() {
    bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _pcm; printf "%s " "${COMPREPLY[@]}"' - "$folder/pcm" "$@"
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" && mkdir logs && touch feet.pcm
expect() {
    wanted=$1
    shift
    got=$(complete_in_bash "$@")
    [ "$got" = "$wanted " ] || { echo "$*: '$got' and not '$wanted'"; failed=1; }
}
expect 'models message' pcm m
expect '--plugins' pcm models --pl
expect 'feet.pcm' pcm check fe
expect 'logs' pcm check --plugins l
expect '' pcm plot --depth f
for shell in zsh fish; do
    command -v $shell >/dev/null || continue
    [ $shell = zsh ] && file=_pcm || file=pcm.fish
    $shell -n "$folder/$file" || failed=1
done
exit $failed
