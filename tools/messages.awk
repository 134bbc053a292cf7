# SPDX-License-Identifier: MIT
# docs/messages.md as the rows of a table in C: {code, "what the page says of it"},

function quote(text) {
    gsub(/\\/, "\\\\", text)
    gsub(/"/, "\\\"", text)
    return "\"" text "\\n\""
}

function finish() {
    if (code)
        print "},"
    code = 0
}

/^#/ { finish() }
/^\*\*PCM-/ {
    finish()
    match($1, /[0-9]+/)
    code = substr($1, RSTART, RLENGTH)
    print "{" code ", " quote("PCM-" code ": " substr($0, length($1) + 2))
    next
}
code && NF { print quote($0) }
END { finish() }
