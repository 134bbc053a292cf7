# SPDX-License-Identifier: MIT
# usage: awk -v law=NAME -f scores.awk SUITES/*/suite.csv VALIDATE.md
#
# The section "Scores" of a law's page: the rows of the board of `pcm validate` whose types have the law. Nothing, if no
# suite tries it.

# ContactType Name = Law + Law {
function read_types(file,    line, words)
{
    while ((getline line <file) > 0)
        if (line ~ /^ContactType/) {
            split(line, words, " ")
            sub(/^[^=]*=/, "", line)
            sub(/[{;].*/, "", line)
            gsub(/[ +]+/, " ", line)
            sum[suite, words[2]] = line " "
        }
    close(file)
}

FNR == 1 { count = split(FILENAME, path, "/"); suite = path[count - 1]; board = 0 }
FILENAME ~ /suite\.csv$/ && /^laws,/ { read_types(substr(FILENAME, 1, length(FILENAME) - length("suite.csv")) substr($0, 6)) }

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
