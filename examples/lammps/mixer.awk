# SPDX-License-Identifier: MIT
# The triangles of a mixer's drum, as an STL file: a cylinder about the y axis with lifters along it. Its ends are open.
function point(k, r, y) { return sprintf("%.9g %.9g %.9g", r * cos(2 * pi * k / n), y, r * sin(2 * pi * k / n)) }
function facet(a, b, c) { print "facet normal 0 0 0\nouter loop\nvertex", a, "\nvertex", b, "\nvertex", c, "\nendloop\nendfacet" }
function strip(k, r, K, R) {
    facet(point(k, r, -0.005), point(K, R, -0.005), point(K, R, 0.065))
    facet(point(k, r, -0.005), point(K, R, 0.065), point(k, r, 0.065))
}
BEGIN {
    pi = atan2(0, -1)
    n = 48
    print "solid mixer"
    for (k = 0; k < n; k++)
        strip(k, 0.06, k + 1, 0.06)
    for (k = n / 12; k < n; k += n / 6)
        strip(k, 0.06, k, 0.045)
    print "endsolid mixer"
}
