# SPDX-License-Identifier: MIT
# What `pcm --help` or `pcm COMMAND --help` prints, as a page for man. Variables: name ("pcm-rig"), version, summary,
# status (what exit statuses mean) and others (pages to see also).

function escape(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text ~ /^[.']/ ? "\\&" text : text
}

# Indented lines outside of lists stay as they are.
function verbatim(wanted) {
    if (wanted != is_verbatim)
        print wanted ? ".nf" : ".fi"
    is_verbatim = wanted
}

function section(title) {
    verbatim(0)
    print ".SH " title
    part = title
    blank = 0
}

# One entry of a list: the text that matches the pattern is its head, the rest is its meaning.
function entry(pattern,    head) {
    match($0, pattern)
    head = substr($0, 1, RLENGTH)
    gsub(/^ +| +$/, "", head)
    print ".TP\n.B " escape(head) "\n" escape(substr($0, RLENGTH + 1))
}

BEGIN {
    is_verbatim = 0
    printf ".TH %s 1 \"\" \"pcm %s\" \"PCM\"\n", toupper(name), version
    section("NAME")
    print escape(name) " \\- " escape(summary)
}

/^usage: / {
    section("SYNOPSIS")
    print ".B " escape(substr($0, 8))
    section("DESCRIPTION")
    next
}
/^(commands|options|example|environment):$/ { section(toupper(substr($0, 1, length($0) - 1))); next }
/^exit status: / { next }
/^$/ { blank = NR > 2; next }
part == "COMMANDS" && /^ / { entry("^ +[^ ]+ +"); next }
part == "OPTIONS" { entry("^ +--[a-z-]+( [A-Z][^ ]*)? +"); next }
part == "ENVIRONMENT" { entry("^ +[^ ]+ +"); next }
{
    verbatim(/^ /)
    if (blank)
        print ".PP"
    blank = 0
    print escape($0)
}

END {
    section("EXIT STATUS")
    print escape(status)
    section("SEE ALSO")
    print others
}
