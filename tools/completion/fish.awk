# SPDX-License-Identifier: MIT
# Rows of commands and options, from completion.sh, as commands of fish.

function quote(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/'/, "\\'", text)
    return "'" text "'"
}

BEGIN { print "# Completion of pcm for fish, made from the output of --help." }
$1 == "command" {
    command = $2
    print "complete -c pcm -f -n __fish_use_subcommand -a " $2 " -d " quote($3)
}
$1 == "option" {
    kind = $3 == "" ? "" : $3 ~ /^DIR$/ ? " -x -a '(__fish_complete_directories)'" : $3 ~ /[.]|FILE|PICTURE/ && $3 !~ /=/ ? " -r" : " -x"
    print "complete -c pcm -n '__fish_seen_subcommand_from " command "' -l " substr($2, 3) kind " -d " quote($4)
}
