/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* nftw */
#include "browser.h"

#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "contents.h"

extern char **environ;

enum { PATIENCE = 600000, PART = 65536 }; /* ms for an answer; bytes read at once */

typedef struct browser {
    pid_t  child;
    int    to, from;
    char   folder[32]; /* its profile */
    char  *text;       /* what has been read, with a NUL after each message */
    size_t count, capacity;
} browser;

/* ---- The process ------------------------------------------------------------------------------------------------- */

static bool spawn(browser *b, int in, int out)
{
    static const char *const names[] = {"chromium", "chromium-browser", "google-chrome", "chrome"};
    char                     profile[64], headless[] = "--headless=new", pipe[] = "--remote-debugging-pipe";
    char  sandbox[] = "--no-sandbox", soft[] = "--use-angle=swiftshader", unsafe[] = "--enable-unsafe-swiftshader";
    char  quiet[] = "--no-first-run", name[32];
    char *words[] = {name, headless, pipe, profile, soft, unsafe, quiet, geteuid() == 0 ? sandbox : NULL, NULL};
    posix_spawn_file_actions_t actions;
    (void)snprintf(profile, sizeof profile, "--user-data-dir=%s", b->folder);
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in, 3);
    posix_spawn_file_actions_adddup2(&actions, out, 4);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    bool started = false;
    for (size_t i = 0; !started && i < sizeof names / sizeof *names; i++) {
        (void)snprintf(name, sizeof name, "%s", names[i]);
        started = posix_spawnp(&b->child, name, &actions, NULL, words, environ) == 0;
    }
    posix_spawn_file_actions_destroy(&actions);
    return started;
}

/* A descriptor above those that the browser reads. */
static int above(int descriptor)
{
    const int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10);
    (void)close(descriptor);
    return moved;
}

static bool start(browser *b)
{
    int in[2], out[2];
    (void)snprintf(b->folder, sizeof b->folder, "/tmp/pcm-browser-XXXXXX");
    if (!mkdtemp(b->folder) || pipe(in) != 0 || pipe(out) != 0)
        return false;
    for (int i = 0; i < 2; i++) {
        in[i] = above(in[i]);
        out[i] = above(out[i]);
    }
    b->to = in[1];
    b->from = out[0];
    const bool started = spawn(b, in[0], out[1]);
    (void)close(in[0]);
    (void)close(out[1]);
    return started;
}

static int drop(const char *path, const struct stat *facts, int kind, struct FTW *place)
{
    (void)facts, (void)kind, (void)place;
    return remove(path);
}

static void stop(browser *b)
{
    if (b->child > 0) {
        (void)kill(b->child, SIGKILL);
        (void)waitpid(b->child, NULL, 0);
    }
    if (b->to > 0)
        (void)close(b->to);
    if (b->from > 0)
        (void)close(b->from);
    (void)nftw(b->folder, drop, 16, FTW_DEPTH | FTW_PHYS);
    free(b->text);
}

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

static bool send_message(browser *b, const char *message)
{
    const size_t length = strlen(message) + 1;
    for (size_t done = 0; done < length;) {
        const ssize_t written = write(b->to, message + done, length - done);
        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

/* Reads more; false: nothing comes. */
static bool read_more(browser *b)
{
    struct pollfd waiting = {.fd = b->from, .events = POLLIN};
    if (b->count + PART > b->capacity) {
        char *grown = realloc(b->text, 2 * b->capacity + PART);
        if (!grown)
            return false;
        b->text = grown;
        b->capacity = 2 * b->capacity + PART;
    }
    if (poll(&waiting, 1, PATIENCE) <= 0)
        return false;
    const ssize_t got = read(b->from, b->text + b->count, PART);
    b->count += got > 0 ? (size_t)got : 0;
    return got > 0;
}

/* The next message, whose `"id":NUMBER` is that of the question; others are dropped. NULL: it does not come. */
static char *answer_to(browser *b, int id)
{
    char wanted[32];
    (void)snprintf(wanted, sizeof wanted, "{\"id\":%d,", id);
    for (;;) {
        char *end = b->count ? memchr(b->text, '\0', b->count) : NULL;
        if (!end) {
            if (!read_more(b))
                return NULL;
            continue;
        }
        const size_t length = (size_t)(end - b->text) + 1;
        char        *message = strncmp(b->text, wanted, strlen(wanted)) == 0 ? strdup(b->text) : NULL;
        b->count -= length;
        memmove(b->text, b->text + length, b->count);
        if (message)
            return message;
    }
}

/* The text value of a key, up to its quote; NULL: there is none. To be freed. */
static char *value_of(const char *message, const char *key)
{
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "\"%s\":\"", key);
    const char *at = message ? strstr(message, wanted) : NULL;
    return at ? strndup(at + strlen(wanted), strcspn(at + strlen(wanted), "\"")) : NULL;
}

/* Asks, and returns the value of a key of the answer. */
static char *ask(browser *b, int id, const char *message, const char *key)
{
    char *answer = send_message(b, message) ? answer_to(b, id) : NULL;
    char *value = value_of(answer, key);
    free(answer);
    return value;
}

/* ---- Pictures ---------------------------------------------------------------------------------------------------- */

static int place_of(char sign)
{
    static const char signs[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char       *at = sign ? strchr(signs, sign) : NULL;
    return at ? (int)(at - signs) : -1;
}

static bool write_decoded(const char *base64, const char *path)
{
    FILE    *out = fopen(path, "wb");
    uint32_t word = 0;
    int      bits = 0;
    for (const char *at = base64; out && *at && place_of(*at) >= 0; at++) {
        word = word << 6 | (uint32_t)place_of(*at);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            (void)fputc((int)(word >> bits & 255), out);
        }
    }
    const bool good = out && !ferror(out);
    return (out && fclose(out) == 0 && good) || contents_fail(path, "it could not be written");
}

/* The session of a tab with the page; NULL: it does not open. To be freed. */
static char *open_page(browser *b, const char *page)
{
    char  message[9000], *path = realpath(page, NULL);
    char *target = NULL, *session = NULL;
    if (path && strlen(path) < 4096 && !strpbrk(path, "\"\\%#?")) {
        (void)snprintf(message, sizeof message,
                       "{\"id\":1,\"method\":\"Target.createTarget\",\"params\":{\"url\":\"file://%s\"}}", path);
        target = ask(b, 1, message, "targetId");
    }
    if (target) {
        (void)snprintf(
            message, sizeof message,
            "{\"id\":2,\"method\":\"Target.attachToTarget\",\"params\":{\"targetId\":\"%s\",\"flatten\":true}}",
            target);
        session = ask(b, 2, message, "sessionId");
    }
    free(path);
    free(target);
    return session;
}

/* The text that an expression of the page gives. To be freed; NULL: none. */
static char *evaluate(browser *b, const char *session, int id, const char *expression)
{
    char message[1024];
    (void)snprintf(message, sizeof message,
                   "{\"id\":%d,\"sessionId\":\"%s\",\"method\":\"Runtime.evaluate\",\"params\":{\"awaitPromise\":true,"
                   "\"returnByValue\":true,\"expression\":\"%s\"}}",
                   id, session, expression);
    return ask(b, id, message, "value");
}

/* Until the page says that it is there. Asked again and again, as the tab has another page first. */
static bool is_ready(browser *b, const char *session, int *id)
{
    const struct timespec pause = {.tv_nsec = 100000000};
    for (int tries = 0; tries < 600; tries++) {
        char *said = evaluate(b, session, (*id)++, "document.body?.dataset.ready ?? document.body?.dataset.failed");
        const bool ready = said && *said;
        free(said);
        if (ready)
            return true;
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

/* Has the page make a picture or a film, which comes as a data: address. */
static bool take(browser *b, const char *session, int id, const char *call, const page_picture *picture,
                 const char *out)
{
    char expression[256];
    (void)snprintf(expression, sizeof expression, "pcm.%s(%.9g, %.0f, %.0f)", call, picture->time, picture->width,
                   picture->height);
    char       *value = evaluate(b, session, id, expression);
    const char *comma = value ? strchr(value, ',') : NULL;
    const bool  good = comma ? write_decoded(comma + 1, out)
                             : contents_fail(out, "the page made no picture: open it in a browser to see why");
    free(value);
    return good;
}

bool browser_picture(const char *page, const page_picture *picture)
{
    if (!picture->image && !picture->video)
        return true;
    browser b = {0};
    char   *session = NULL;
    int     id = 3;
    (void)signal(SIGPIPE, SIG_IGN);
    bool good = start(&b) || contents_fail(page, "pictures are made by Chromium, which is not installed");
    if (good) {
        session = open_page(&b, page);
        good = (session && is_ready(&b, session, &id)) || contents_fail(page, "Chromium does not open the page");
    }
    good = good && (!picture->image || take(&b, session, id++, "image", picture, picture->image));
    good = good && (!picture->video || take(&b, session, id++, "video", picture, picture->video));
    free(session);
    stop(&b);
    return good;
}
