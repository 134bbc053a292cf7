/* SPDX-License-Identifier: MIT */
/* usage: features docs/mujoco.md
 *
 * Holds the page's table of MuJoCo's releases against release.h, for the release whose headers this is compiled with:
 * each row has a feature and the ranges of releases that have it. Needs no library of MuJoCo. */
#include "../../hosts/mujoco/base/release.h"
#include <stdio.h>
#include <string.h>

typedef struct feature {
    const char *name;
    bool        has;
} feature;

static const feature features[] = {
    {"laws in explicit steps, copies, checkpoints", PCM_RELEASE <= PCM_RELEASE_LAST},
    {"steps implicit in contacts", PCM_RELEASE_KNOWS_INERTIA},
    {"the integrator `implicitfast`", PCM_RELEASE_IMPLICITFAST >= 0},
    {"the integrator `discrete`, in explicit steps", PCM_RELEASE_DISCRETE >= 0},
    {"laws' contacts in `mjData.contact` with their distance at once",
     PCM_RELEASE_GATHERS_PAIRS || PCM_RELEASE_GATHERS_ALL},
    {"points for a mesh, in the axes of its file", PCM_RELEASE >= 3000000},
    {"contact sensors", PCM_RELEASE >= 3003004},
    {"their velocities", PCM_RELEASE >= 3016000},
    {"sleeping bodies", PCM_RELEASE_HAS_SLEEP},
    {"springs that yield, `mjData.plastic`", PCM_RELEASE >= 4000000},
    {"speculative contacts, which laws refuse", PCM_RELEASE >= 4000000},
};

/* Whether the release lies in one of the ranges: "2.2.0 to 3.2.5, from 3.3.7". */
static bool lies_in(const char *ranges, int release)
{
    bool in = false;
    for (const char *at = ranges; at && *at; at = strchr(at, ',') ? strchr(at, ',') + 2 : NULL) {
        int       from[3], to[3];
        const int count = sscanf(at, "%d.%d.%d to %d.%d.%d", from, from + 1, from + 2, to, to + 1, to + 2);
        if (count < 6)
            return false;
        in |= release >= from[0] * 1000000 + from[1] * 1000 + from[2] &&
              release <= to[0] * 1000000 + to[1] * 1000 + to[2];
    }
    return in;
}

/* Finds the row; false: it is missing or wrong. */
static bool holds(FILE *page, const feature *f)
{
    char line[512];
    rewind(page);
    while (fgets(line, sizeof line, page)) {
        char *ranges = strncmp(line, "| ", 2) == 0 ? strstr(line + 2, " | ") : NULL;
        if (!ranges || strncmp(line + 2, f->name, (size_t)(ranges - line) - 2) != 0 ||
            f->name[ranges - line - 2] != '\0')
            continue;
        if (lies_in(ranges + 3, PCM_RELEASE) == f->has)
            return true;
        fprintf(stderr, "%s: release.h says %s for %d, and the page has%s", f->name, f->has ? "yes" : "no", PCM_RELEASE,
                ranges + 2);
        return false;
    }
    fprintf(stderr, "%s: the page has no such row\n", f->name);
    return false;
}

int main(int argc, char **argv)
{
    FILE *page = argc == 2 ? fopen(argv[1], "r") : NULL;
    bool  good = page;
    for (size_t i = 0; page && i < sizeof features / sizeof *features; i++)
        good &= holds(page, &features[i]);
    if (page)
        fclose(page);
    return good ? 0 : 1;
}
