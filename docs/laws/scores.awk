# SPDX-License-Identifier: MIT
# usage: awk -v law=NAME -f scores.awk SUITES/*/laws.pcm VALIDATE.md
#
# The section "Scores" of a law's page: the rows of the board of `pcm validate` whose types have the law. Nothing, if no
# suite tries it.

FNR == 1 { split(FILENAME, path, "/"); suite = path[length(path) - 1]; board = 0 }

# ContactType Name = Law + Law {
FILENAME ~ /laws\.pcm$/ && /^ContactType/ {
    type = $2
    laws = $0
    sub(/^[^=]*=/, "", laws)
    sub(/[{;].*/, "", laws)
    gsub(/[ +]+/, " ", laws)
    sum[suite, type] = laws " "
}

/^<!-- board -->/ { board = 1 }
/^<!-- end -->/ { board = 0 }
board && /^### / { suite = $2 }
board && /^\| / && $2 != "type" && index(sum[suite, $2], " " law " ") {
    if (!rows++)
        print "\n## Scores\n\nContact types with this law on the board of [pcm validate](../validate.md#how-to-read-the-board).\n\n" \
              "| suite | type | laws | within tolerance | mean error |\n|---|---|---|---|---|"
    split($0, cells, " *[|] *")
    parts = sum[suite, $2]
    gsub(/^ +| +$/, "", parts)
    gsub(/ +/, " + ", parts)
    printf "| [%s](../validate.md#%s) | %s | %s | %s | %s |\n", suite, suite, $2, parts, cells[3], cells[4]
}
