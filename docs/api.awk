# SPDX-License-Identifier: MIT
# Public headers, as the page docs/api.md: every function with the first sentence of its comment. A comment speaks for all
# functions up to the next blank line; one behind a function speaks for that one. Exits 1 where a function has none.

# What a comment says first: its first sentence, or less of a long one.
function first_words(text) {
    gsub(/^ +| +$/, "", text)
    sub(/^\[[a-z]+\] /, "", text)
    if (match(text, /\. [A-Z]/))
        text = substr(text, 1, RSTART)
    if (length(text) > 100 && match(text, /^[^(]*[;:] /) && RLENGTH > 30)
        text = substr(text, 1, RLENGTH - 2)
    sub(/[.;:]$/, "", text)
    gsub(/\|/, "\\|", text)
    return text
}

# Comments without their marks, blanks folded.
function plain(text) {
    gsub(/\/\*|\*\//, "", text)
    gsub(/[ \t]+/, " ", text)
    return text
}

function list(declaration,    own, name) {
    if (match(declaration, /\/\*.*\*\//))
        own = plain(substr(declaration, RSTART, RLENGTH))
    match(declaration, /pcm_[a-z0-9_]+\(/)
    name = substr(declaration, RSTART, RLENGTH - 1)
    if (name ~ /_$/)
        return
    if (!listed) {
        header = FILENAME
        sub(/.*include\//, "", header)
        printf "\n## %s\n\n| function | what |\n|---|---|\n", header
        listed = 1
    }
    if (own == "" && comment == "") {
        print FILENAME ": " name " has no comment" >"/dev/stderr"
        failed = 1
    }
    if (name ~ /_free$/ && own !~ /frees/)
        own = "frees it"
    printf "| `%s` | %s |\n", name, first_words(own != "" ? own : comment)
}

BEGIN {
    print "# The functions\n\nEvery function of `include/pcm/`, with the first words of its contract, which stands in the header.\nThe test `functions` holds this page to the headers, and writes it with `PCM_UPDATE_GOLDEN=1`."
}
FNR == 1 { listed = 0; comment = ""; in_comment = 0; declaration = "" }
declaration != "" {
    declaration = declaration " " $0
    if (/;/) {
        list(declaration)
        declaration = ""
    }
    next
}
in_comment || /^\/\*/ {
    line = $0
    if (in_comment && line !~ /^ *\*\//)
        sub(/^ *\* ?/, " ", line)
    comment = (in_comment ? comment : "") line
    in_comment = line !~ /\*\//
    if (!in_comment)
        comment = comment ~ /\/\* ----/ ? "" : plain(comment)
    next
}
/^$/ { comment = "" }
/^(PCM_EXPORT|PCM_INLINE|PCM_KIT_FUNCTION|static inline) .*pcm_[a-z0-9_]+\(/ {
    declaration = $0
    if (/^PCM_EXPORT/ && !/;/)
        next
    list(declaration)
    declaration = ""
}
END { exit failed }
