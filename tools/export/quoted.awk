# SPDX-License-Identifier: MIT
# The lines of a file as C strings.
{
    gsub(/\\/, "&&")
    gsub(/"/, "\\\\&")
    print "\"" $0 "\\n\","
}
