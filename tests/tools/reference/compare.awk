# SPDX-License-Identifier: MIT
# usage: awk -f compare.awk SPECIFICATION EXPECTED FORCES
#
# Holds forces.csv to expected.csv. The numbers of one `near` line are compared as a vector: the greatest difference, over
# the greatest magnitude expected in it; a name that the rig does not have, such as weight=1, only takes part in that
# magnitude. Prints the worst.

function magnitude(x) { return x < 0 ? -x : x }

function complain(what) {
    printf "row %d: %s\n", row, what
    failed = 1
}

FILENAME != last { last = FILENAME; file++ }
file == 1 && ($1 == "near" || $1 == "word") {
    lines++
    kind[lines] = $1
    tolerance[lines] = $2
    first[lines] = results + 1
    for (i = ($1 == "near" ? 3 : 2); i <= NF; i++) {
        split($i, part, "=")
        if ($1 == "word" && i > 2) translated[lines, part[1]] = part[2]
        else name[++results] = part[1]
    }
    end[lines] = results
}
file == 1 { next }
file == 2 { expected[++rows] = $0; next }
!header {
    header = 1
    for (i = split($0, cell, ","); i > 0; i--) column[cell[i]] = i
    next
}
{
    row++
    split($0, cell, ",")
    split(expected[row], want, ",")
    for (l = 1; l <= lines; l++) {
        if (kind[l] == "word") {
            if (cell[column[name[first[l]]]] != translated[l, want[first[l]]])
                complain(name[first[l]] " is " cell[column[name[first[l]]]] ", expected " want[first[l]])
            continue
        }
        scale = difference = 0
        for (i = first[l]; i <= end[l]; i++) {
            if (magnitude(want[i] + 0) > scale) scale = magnitude(want[i] + 0)
            if (!(name[i] in column)) continue
            got = cell[column[name[i]]]
            if (got !~ /^-?[0-9]/) complain(name[i] " is " got)
            if (magnitude(got - want[i]) > difference) difference = magnitude(got - want[i])
        }
        if (difference > tolerance[l] * scale) complain(name[first[l]] " differs by " difference " in " scale)
        if (scale > 0 && difference / scale > worst[l]) worst[l] = difference / scale
    }
}
END {
    if (row != rows || rows == 0) complain("the rig answered " row " of " rows " rows")
    for (l = 1; l <= lines; l++)
        if (kind[l] == "near") printf "%s: worst relative difference %.2g in %d rows\n", name[first[l]], worst[l], rows
    exit failed
}
