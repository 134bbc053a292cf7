/* SPDX-License-Identifier: MIT */
#include "explore_module.h"

#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <pcm/messages.h>

#include "command.h"

extern char **environ;

enum { PATH_SIZE = 4400 };

static void encode(const unsigned char in[3], size_t count, FILE *out)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const uint32_t    bits = (uint32_t)in[0] << 16 | (uint32_t)in[1] << 8 | in[2];
    for (size_t i = 0; i < 4; i++)
        (void)fputc(i <= count ? signs[bits >> (18 - 6 * i) & 63] : '=', out);
}

char *explore_encoded(const char *path)
{
    char  *text = NULL;
    size_t length, count;
    FILE  *in = fopen(path, "rb"), *out = in ? open_memstream(&text, &length) : NULL;
    if (out) {
        unsigned char part[3] = {0};
        while ((count = fread(part, 1, sizeof part, in)) > 0) {
            for (size_t i = count; i < sizeof part; i++)
                part[i] = 0;
            encode(part, count, out);
        }
        (void)fclose(out);
    }
    if (in)
        (void)fclose(in);
    return text;
}

char *explore_module(const char *folder, const char *law)
{
    char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/laws/%s.wasm.gz", folder, law);
    char *module = explore_encoded(path);
    if (!module)
        command_error(PCM_MSG_NO_PAGE,
                      "%s: there is no module of this law for pages: give its C file, or NEEDS=pages "
                      "scripts/setup build",
                      law);
    return module;
}

/* Whether the script made the module; it reports its own errors. */
static bool run_script(const char *script, const char *c_file, const char *module, const char *packed)
{
    static char shell[] = "/bin/sh", headers[] = "-";
    char *const words[] = {shell,
                           (char *)(uintptr_t)script,
                           headers,
                           (char *)(uintptr_t)c_file,
                           (char *)(uintptr_t)module,
                           (char *)(uintptr_t)packed,
                           NULL};
    pid_t       child;
    int         status;
    return posix_spawn(&child, shell, NULL, NULL, words, environ) == 0 && waitpid(child, &status, 0) == child &&
           WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

char *explore_compile(const char *folder, const char *c_file)
{
    char script[PATH_SIZE], work[] = "/tmp/pcm-explore-XXXXXX", path[64], packed[72], *module = NULL;
    (void)snprintf(script, sizeof script, "%s/law.sh", folder);
    if (mkdtemp(work)) {
        (void)snprintf(path, sizeof path, "%s/law.wasm", work);
        (void)snprintf(packed, sizeof packed, "%s.gz", path);
        if (run_script(script, c_file, path, packed))
            module = explore_encoded(packed);
        (void)unlink(path);
        (void)unlink(packed);
        (void)rmdir(work);
    }
    if (!module)
        command_error(PCM_MSG_NOT_BUILT, "%s was not compiled for pages: see above", c_file);
    return module;
}
