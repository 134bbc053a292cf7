# SPDX-License-Identifier: MIT
# Turns a Markdown page into a shell script that does what the page tells its reader to do, in order:
#   ```c NAME, ```pcm NAME, ```csv NAME ... with a file name   the file is written
#   ```sh                                                      the commands are run, and must succeed
#   ```text output                                             is what the commands before it print, exactly
# Other blocks only show something.

function quote(text) {
    gsub(/'/, "'\\''", text)
    return "'" text "'"
}

!inside && /^```/ {
    inside = 1
    kind = substr($1, 4)
    name = $2
    line = FNR
    body = ""
    next
}

inside && /^```$/ {
    inside = 0
    if (kind == "sh")
        printf "printf '%%s' %s | sh -e >output || fail %d\n", quote(body), line
    else if (kind == "text" && name == "output")
        printf "printf '%%s' %s | diff -u - output || fail %d\n", quote(body), line
    else if (kind != "text" && name != "")
        printf "printf '%%s' %s >%s\n", quote(body), quote(name)
    next
}

inside { body = body $0 "\n" }
