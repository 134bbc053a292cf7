# SPDX-License-Identifier: MIT
# A picture as gnuplot writes it in SVG, in a tenth of the bytes: points that lie within 0.1 pixels of the line through
# their neighbours go, coordinates have one decimal, grid lines and ticks are one path each, text is grouped by style.
# Elements that it does not know are an error.

function fail(what) {
    print "compact.awk: " what > "/dev/stderr"
    failed = 1
    exit 1
}

# The value of an attribute in single or double quotes.
function attribute(line, name,    start, rest) {
    start = match(line, "[ \t]" name "=['\"]")
    if (!start)
        return ""
    rest = substr(line, RSTART + RLENGTH)
    match(rest, "['\"]")
    return substr(rest, 1, RSTART - 1)
}

# "rgb( 85,  85,  85)" as "#555555".
function colour(text,    part) {
    if (text !~ /^rgb/)
        return text
    gsub(/rgb\(|\)| /, "", text)
    split(text, part, ",")
    return sprintf("#%02x%02x%02x", part[1], part[2], part[3])
}

function number(value) {
    value = sprintf("%.1f", value)
    sub(/\.0$/, "", value)
    return value == "-0" ? "0" : value
}

# The square of the distance of point i from the line from point a to point b.
function distance(i, a, b,    dx, dy, length2, along) {
    dx = x[b] - x[a]
    dy = y[b] - y[a]
    length2 = dx * dx + dy * dy
    along = length2 ? ((x[i] - x[a]) * dx + (y[i] - y[a]) * dy) / length2 : 0
    along = along < 0 ? 0 : along > 1 ? 1 : along
    dx = x[i] - x[a] - along * dx
    dy = y[i] - y[a] - along * dy
    return dx * dx + dy * dy
}

# Keeps the points between a and b that the line would miss by more than 0.1 (Ramer, Douglas and Peucker).
function thin(a, b,    i, far, farthest) {
    farthest = 0.01
    for (i = a + 1; i < b; i++)
        if (distance(i, a, b) > farthest) {
            farthest = distance(i, a, b)
            far = i
        }
    if (!far)
        return
    keep[far] = 1
    thin(a, far)
    thin(far, b)
}

# One line of points, as the text of a path. A line without length shows nothing.
function polyline(points,    i, text) {
    if (points < 2)
        return ""
    for (i in keep)
        delete keep[i]
    keep[1] = keep[points] = 1
    thin(1, points)
    text = "M" number(x[1]) "," number(y[1])
    for (i = 2; i <= points; i++)
        if (i in keep)
            text = text " " number(x[i]) "," number(y[i])
    return text
}

# The text of a path from gnuplot's, which begins a line with each M.
function path(text,    count, part, i, points, result, at) {
    count = split(text, part, " ")
    for (i = 1; i <= count; i++) {
        if (part[i] ~ /^M/) {
            result = result " " polyline(points)
            points = 0
        }
        points++
        split(substr(part[i], 2), at, ",")
        x[points] = at[1]
        y[points] = at[2]
    }
    result = result " " polyline(points)
    gsub(/^ +| +$/, "", result)
    gsub(/  +/, " ", result)
    return result
}

# Remembers a path or a text under its style, in the order in which styles come. Curves stay apart: a later one lies on
# those before it.
function put(style, content, separator,    i) {
    i = inside_plot && style ~ /^path/ ? 0 : place_of[style]
    if (i)
        shown[i] = shown[i] separator content
    else {
        place_of[style] = ++last
        styles[last] = style
        shown[last] = content
    }
}

function end_path(    style) {
    style = "path fill=\"none\" stroke=\"" colour(attribute(open, "stroke")) "\" stroke-width=\"" width "\""
    if (open ~ /gridline/)
        style = style " stroke-dasharray=\"" attribute(open, "stroke-dasharray") "\""
    put(style, path(attribute(open, "d")), " ")
    open = ""
}

function folded(text,    line, word, count, i, result) {
    count = split(text, word, " ")
    for (i = 1; i <= count; i++) {
        if (length(line) + length(word[i]) > 118) {
            result = result line "\n"
            line = ""
        }
        line = line (line ? " " : "") word[i]
    }
    return result line
}

/^<svg/ { in_head = 1 }
in_head { head = head " " $0; if (/>/) in_head = 0; next }
/<defs>/ { in_defs = 1 }
in_defs { if (/<\/defs>/) in_defs = 0; next }
/id="gnuplot_plot_/ { inside_plot = 1; next }
/^\t<\/g>$/ { if (in_text) in_text = 0; else inside_plot = 0; next }
open { open = open " " $0; if (/\/>/) end_path(); next }
/^<g fill=/ { width = attribute($0, "stroke-width") + 0 }
/<path/ {
    open = $0
    sub(/<g transform.*/, "", open)
    if (open ~ /\/>/)
        end_path()
}
/<g transform/ {
    sub(/.*<g transform/, "<g transform")
    in_text = 1
    place = attribute($0, "transform")
    style = "text fill=\"" colour(attribute($0, "fill")) "\" text-anchor=\"" attribute($0, "text-anchor") "\""
    next
}
/<text>/ {
    gsub(/^[ \t]*<text>|<\/text>$/, "")
    sub(/^ +/, "")
    match(place, /[0-9.]+,[0-9.]+/)
    split(substr(place, RSTART, RLENGTH), at, ",")
    turned = place ~ /rotate/ ? " transform=\"rotate(-90 " number(at[1]) " " number(at[2]) ")\"" : ""
    put(style, "<text x=\"" number(at[1]) "\" y=\"" number(at[2]) "\"" turned ">" $0 "</text>", "\n")
    next
}
/^<\?xml|^<title>|^<desc>|^<g id="gnuplot_canvas">|^<rect |^<g fill=|<path|<\/g>|^<\/svg>|^[ \t]*$/ { next }
{ fail("unknown: " $0) }

END {
    if (failed)
        exit 1
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%s\" height=\"%s\" viewBox=\"%s\" %s>\n",
        attribute(head, "width"), attribute(head, "height"), attribute(head, "viewBox"),
        "font-family=\"sans-serif\" font-size=\"13\""
    print "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"
    for (i = 1; i <= last; i++)
        if (styles[i] ~ /^path/)
            printf "<%s d=\"\n%s\"/>\n", styles[i], folded(shown[i])
        else
            printf "<g%s>\n%s\n</g>\n", substr(styles[i], 5), shown[i]
    print "</svg>"
}
