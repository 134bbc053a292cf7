# SPDX-License-Identifier: MIT
# Rows of commands and options, from completion.sh, as a function of bash.

$1 == "command" { names = names " " $2; command = $2 }
$1 == "option" {
    options[command] = options[command] " " $2
    if ($3 ~ /^DIR$/)
        folders = folders (folders ? " | " : "") command "," $2
    else if ($3 != "" && ($3 !~ /[.]|FILE|PICTURE/ || $3 ~ /=/))
        others = others (others ? " | " : "") command "," $2
}

END {
    print "# Completion of pcm for bash, made from the output of --help."
    print "_pcm() {"
    print "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]} words="
    print "    if [ \"$COMP_CWORD\" = 1 ]; then"
    printf "        words=\"%s --help --version\"\n", substr(names, 2)
    print "    else"
    print "        case $command,$before in"
    printf "            %s)\n                mapfile -t COMPREPLY < <(compgen -d -- \"$word\")\n                return\n                ;;\n", folders
    printf "            %s)\n                COMPREPLY=()\n                return\n                ;;\n", others
    print "        esac"
    print "        case $command,$word in"
    for (name in options)
        printf "            %s,-*) words=\"%s\" ;;\n", name, substr(options[name], 2) | "sort"
    close("sort")
    print "        esac"
    print "    fi"
    print "    if [ -n \"$words\" ]; then"
    print "        mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")"
    print "    else"
    print "        mapfile -t COMPREPLY < <(compgen -f -- \"$word\")"
    print "    fi"
    print "}"
    print "complete -o filenames -F _pcm pcm"
}
