/* SPDX-License-Identifier: MIT */
/* new.c - pcm new: the files that a contact law begins with. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <pcm/messages.h>

#include "command.h"

/* One file; @ stands for the law's name. */
typedef struct template_file {
    const char *name, *text;
} template_file;

static const template_file whole[] = {
    {"@.c",
     "/* @.c - a contact law: a spring whose damping sets in with the depth. */\n"
     "#include <pcm/plugin.h>\n"
     "\n"
     "/* The parameters, in SI units. */\n"
     "typedef struct Law {\n"
     "    double stiffness, dissipation;\n"
     "} Law;\n"
     "\n"
     "/* The force of every contact, from its motion now. */\n"
     "static void update(const pcm_batch *b)\n"
     "{\n"
     "    const Law law = *(const Law *)b->params;\n"
     "    PCM_EACH(b, i) {\n"
     "        const double depth = pcm_ramp(b->depth[i]), rate = b->depth_rate[i];\n"
     "        b->force_n[i] = law.stiffness * depth * pcm_ramp(1 + law.dissipation * rate);\n"
     "    }\n"
     "}\n"
     "\n"
     "/* As .pcm files name them: unit, default, meaning, range. */\n"
     "static const pcm_param params[] = {\n"
     "    PCM_REAL(Law, stiffness, \"Stiffness\", \"N/m\", 1e4, \"force per metre of depth\", .min = 0),\n"
     "    PCM_REAL(Law, dissipation, \"Dissipation\", \"s/m\", 0.1, \"share of force per m/s of approach\", .min = "
     "0),\n"
     "};\n"
     "\n"
     "PCM_KERNELS(update);\n"
     "PCM_MODEL(@, \"Spring whose damping sets in with the depth\", .params = PCM_TABLE(params),\n"
     "          .inputs = PCM_DEPTH | PCM_DEPTH_RATE, .flags = PCM_ISOTROPIC);\n"},
    {"@.pcm", "ContactType Pad = @ { Stiffness = 20 [N/mm]; Dissipation = 0.2 [s/m]; };\n"
              "\n"
              "DefaultPair -> Pad;\n"},
    {"press.csv", "t,depth,depth_rate\n"
                  "0,0,0.1\n"
                  "0.01,0.001,0.1\n"
                  "0.02,0.002,0.1\n"
                  "0.02,0.002,-0.1\n"
                  "0.03,0.001,-0.1\n"
                  "0.04,0,-0.1\n"},
    {NULL, NULL},
};

static const template_file part[] = {
    {"@.c",
     "/* @.c - a part of a contact law: friction that grows with the slip and is limited by the normal load. */\n"
     "#include <pcm/plugin.h>\n"
     "\n"
     "/* The parameters, in SI units. */\n"
     "typedef struct Law {\n"
     "    double friction, damping;\n"
     "} Law;\n"
     "\n"
     "/* The friction of every contact; load_n is the normal force of the parts before this one. */\n"
     "static void update(const pcm_batch *b)\n"
     "{\n"
     "    const Law law = *(const Law *)b->params;\n"
     "    PCM_EACH(b, i) {\n"
     "        const double x = b->slip_x[i], y = b->slip_y[i], speed = pcm_length(x, y);\n"
     "        const double most = law.friction * pcm_ramp(b->load_n[i]);\n"
     "        const double drag = pcm_min(law.damping, most / pcm_max(speed, 1e-12));\n"
     "        b->force_x[i] = -drag * x;\n"
     "        b->force_y[i] = -drag * y;\n"
     "        if (b->reports)\n"
     "            b->dissipation[i] = drag * speed * speed;\n"
     "    }\n"
     "}\n"
     "\n"
     "/* As .pcm files name them: unit, default, meaning, range. */\n"
     "static const pcm_param params[] = {\n"
     "    PCM_REAL(Law, friction, \"Friction\", \"1\", 0.5, \"most friction over normal load\", .min = 0, .flags = "
     "PCM_CONE),\n"
     "    PCM_REAL(Law, damping, \"SlipDamping\", \"N*s/m\", 1e3, \"friction per m/s of slip, up to there\", .min = "
     "0),\n"
     "};\n"
     "\n"
     "PCM_KERNELS(update);\n"
     "PCM_MODEL(@, \"Friction that grows with the slip, up to a share of the load\", .params = PCM_TABLE(params),\n"
     "          .inputs = PCM_SLIP | PCM_LOAD, .outputs = PCM_FRICTION | PCM_DISSIPATION,\n"
     "          .flags = PCM_ISOTROPIC);\n"},
    {"@.pcm", "ContactType Pad = KelvinVoigt + @ { Stiffness = 20 [N/mm]; Damping = 50; Friction = 0.6; };\n"
              "\n"
              "DefaultPair -> Pad;\n"},
    {"press.csv", "t,depth,depth_rate,slip_x,slip_y\n"
                  "0,0,0.1,0,0\n"
                  "0.01,0.001,0,0.001,0\n"
                  "0.02,0.001,0,0.01,0\n"
                  "0.03,0.001,0,0.1,0\n"
                  "0.04,0.001,0,0,-0.1\n"},
    {NULL, NULL},
};

static const template_file common[] = {
    {"meson.build", "project('@', 'c')\n"
                    "\n"
                    "shared_module('@', '@.c',\n"
                    "  name_prefix: '',\n"
                    "  dependencies: dependency('pcm-plugin'),\n"
                    "  gnu_symbol_visibility: 'hidden',\n"
                    "  override_options: ['optimization=2'],\n"
                    ")\n"},
    {"README.md", "# @\n"
                  "\n"
                  "A contact law for PCM: `@.c`. One command builds it, here or by `meson.build`:\n"
                  "\n"
                  "```sh\n"
                  "cc -shared -fPIC -O2 $(pkg-config --cflags pcm-plugin) @.c -o @.so\n"
                  "```\n"
                  "\n"
                  "Try to break it, and see what it does with a table of motion. Both use what was built last:\n"
                  "\n"
                  "```sh\n"
                  "pcm verify @.so\n"
                  "pcm rig @.pcm --motion press.csv --plugins .\n"
                  "```\n"
                  "\n"
                  "`pcm verify @.c` builds it too. Simulators find the law in the directories of `PCM_PLUGIN_PATH`.\n"},
    {NULL, NULL},
};

/* ---- Writing ------------------------------------------------------------------------------------------------------
 */

static void put(FILE *out, const char *text, const char *name)
{
    for (; *text; text++)
        if (*text == '@')
            (void)fputs(name, out);
        else
            (void)fputc(*text, out);
}

static bool refuse(const char *path)
{
    command_error(PCM_MSG_NOT_MADE, "%s was not written: %s", path, strerror(errno));
    return false;
}

static bool write_one(const template_file *file, const char *name)
{
    char   path[512] = "";
    size_t length = 0;
    FILE  *text = fmemopen(path, sizeof path - 1, "w");
    if (text) {
        put(text, "@/", name);
        put(text, file->name, name);
        length = (size_t)ftell(text);
        (void)fclose(text);
    }
    path[length] = '\0';
    FILE *out = fopen(path, "wx");
    if (!out)
        return refuse(path);
    put(out, file->text, name);
    if (fclose(out) != 0)
        return refuse(path);
    (void)printf("%s\n", path);
    return true;
}

static bool write_all(const char *name, bool is_part)
{
    const template_file *const lists[] = {is_part ? part : whole, common};
    if (mkdir(name, 0777) != 0)
        return refuse(name);
    for (size_t i = 0; i < 2; i++)
        for (const template_file *file = lists[i]; file->name; file++)
            if (!write_one(file, name))
                return false;
    return true;
}

/* A model's name is what C calls an identifier. */
static bool is_name(const char *text)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    static const char signs[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    const size_t      most = 63;
    return strspn(text, letters) > 0 && text[strspn(text, signs)] == '\0' && strlen(text) <= most;
}

static const char about[] =
    "Makes a folder with what a contact law begins with: a C file of one screen that `pcm verify` already finds no "
    "fault\n"
    "with, a contact type and a table of motion for `pcm rig`, a meson.build, and a README with the commands.";

static const char examples[] = "  pcm new SoftPad && cd SoftPad\n"
                               "  pcm verify SoftPad.c\n"
                               "  pcm new Grip --part";

int new_run(int argc, char **argv)
{
    bool               is_part = false;
    const option       options[] = {{.name = "--part", .doc = "friction to put behind another law", .flag = &is_part}};
    const command_line line = {.name = "new",
                               .usage = "NAME [--part]",
                               .about = about,
                               .examples = examples,
                               OPTIONS(options),
                               .min_words = 1,
                               .max_words = 1};
    option_texts       words;
    int                status;
    if (options_read(&line, argc, argv, &words, &status)) {
        if (!is_name(words.at[0]))
            status =
                options_refuse(&line, "a law's name is a letter or _, then letters, digits and _, at most 63 in all");
        else
            status = write_all(words.at[0], is_part) ? EXIT_GOOD : EXIT_WRONG;
    }
    free(words.at);
    return status;
}
