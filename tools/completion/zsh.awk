# SPDX-License-Identifier: MIT
# Rows of commands and options, from completion.sh, as a function of zsh.

function escape(text) {
    gsub(/'/, "'\\''", text)
    gsub(/[[]/, "\\[", text)
    gsub(/[]]/, "\\]", text)
    gsub(/:/, "\\:", text)
    return text
}

BEGIN { print "#compdef pcm\n# Completion of pcm for zsh, made from the output of --help." }
$1 == "command" {
    summaries = summaries "        '" $2 ":" escape($3) "'\n"
    command = $2
    order[++n] = $2
}
$1 == "option" {
    files = $3 ~ /^DIR$/ ? "_files -/" : $3 ~ /[.]|FILE|PICTURE/ && $3 !~ /=/ ? "_files" : ""
    rows[command] = rows[command] " \\\n                '" ($4 ~ /may be repeated|give it twice/ ? "*" : "") $2 "[" escape($4) "]" ($3 == "" ? "" : ":" escape($3) ":" files) "'"
}

END {
    print "_pcm() {"
    print "    local -a commands=(\n" summaries "    )"
    print "    if (( CURRENT == 2 )); then"
    print "        _describe command commands"
    print "        return"
    print "    fi"
    print "    shift words"
    print "    (( CURRENT-- ))"
    print "    case $words[1] in"
    for (k = 1; k <= n; k++)
        print "        " order[k] ")\n            _arguments" rows[order[k]] " \\\n                '*:file:_files'\n            ;;"
    print "    esac"
    print "}"
    print "_pcm \"$@\""
}
