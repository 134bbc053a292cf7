# SPDX-License-Identifier: MIT
# usage: awk -f make.awk SPECIFICATION TABLE
#
# Writes rows.pcm, with a contact type for each set of parameters in the table, motion.csv for `pcm rig --trial`, and
# expected.csv. Where a specification says name=column, the column may have a minus before it or stand in parentheses,
# and anything that is no column is taken as it is. A law with loads or losses is a part, which no rule may name. A row with the
# column=value of `skip` is left out.

function value(text,    name, sign) {
    name = text
    sign = sub(/^-/, "", name)
    if (text ~ /^\(.*\)$/)
        return "(" value(substr(text, 2, length(text) - 2)) ")"
    if (!(name in column))
        return text
    name = $column[name]
    return !sign ? name : name ~ /^-/ ? substr(name, 2) : "-" name
}

function split_pairs(from,    i) {
    pairs = 0
    for (i = from; i <= NF; i++) {
        split($i, part, "=")
        left[++pairs] = part[1]
        right[pairs] = part[2]
    }
}

FNR == NR && $1 == "law" {
    law = $2
    split_pairs(3)
    for (i = 1; i <= pairs; i++) { param[i] = left[i]; from[i] = right[i] }
    params = pairs
}
FNR == NR && $1 == "motion" {
    split_pairs(2)
    for (i = 1; i <= pairs; i++) { motion[i] = left[i]; moved[i] = right[i]; if (left[i] ~ /^(load_n|loss_friction)$/) is_part = 1 }
    motions = pairs
}
FNR == NR && ($1 == "near" || $1 == "word") {
    split_pairs($1 == "near" ? 3 : 2)
    for (i = 1; i <= ($1 == "near" ? pairs : 1); i++) wanted[++results] = right[i]
}
FNR == NR && $1 == "skip" { split_pairs(2); skipped = left[1]; skipped_at = right[1] }
FNR == NR { next }

/^#/ { next }
!header {
    FS = ","
    $0 = $0
    header = 1
    for (i = 1; i <= NF; i++) { sub(/\[.*/, "", $i); column[$i] = i }
    printf "contact" >"motion.csv"
    for (i = 1; i <= motions; i++) printf ",%s", motion[i] >"motion.csv"
    printf "\n" >"motion.csv"
    next
}
skipped && $column[skipped] == skipped_at { next }
{
    text = ""
    for (i = 1; i <= params; i++) text = text " " param[i] " = " value(from[i]) ";"
    if (!(text in type)) {
        type[text] = "T" ++types
        printf "ContactType %s = %s {%s };\n", type[text], law, text >"rows.pcm"
        if (!is_part) printf "ObjectPair A%d * B -> %s;\n", types, type[text] >"rows.pcm"
    }
    printf "%s", type[text] >"motion.csv"
    for (i = 1; i <= motions; i++) printf ",%s", value(moved[i]) >"motion.csv"
    printf "\n" >"motion.csv"
    for (i = 1; i <= results; i++) printf "%s%s", (i > 1 ? "," : ""), value(wanted[i]) >"expected.csv"
    printf "\n" >"expected.csv"
}
