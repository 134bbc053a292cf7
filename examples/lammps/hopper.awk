# SPDX-License-Identifier: MIT
# The triangles of a hopper, as an STL file: a cone below a cylinder, about the z axis, in `n` sides.
function point(k, r, z) { return sprintf("%.9g %.9g %.9g", r * cos(2 * pi * k / n), r * sin(2 * pi * k / n), z) }
function facet(a, b, c) { print "facet normal 0 0 0\nouter loop\nvertex", a, "\nvertex", b, "\nvertex", c, "\nendloop\nendfacet" }
function ring(r, z, R, Z, k) {
    for (k = 0; k < n; k++) {
        facet(point(k, r, z), point(k + 1, r, z), point(k + 1, R, Z))
        facet(point(k, r, z), point(k + 1, R, Z), point(k, R, Z))
    }
}
BEGIN {
    pi = atan2(0, -1)
    n = 48
    print "solid hopper"
    ring(0.024, 0, 0.05, 0.06)
    ring(0.05, 0.06, 0.05, 0.4)
    print "endsolid hopper"
}
