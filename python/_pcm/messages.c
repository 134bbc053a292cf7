/* SPDX-License-Identifier: MIT */
/* messages.c - messages of libpcm, queued until Python can take them. */
#include "extension.h"
#include <stdlib.h>
#include <string.h>

static _Thread_local unsigned calls; /* the call that this thread is in; its address identifies the thread */

PyThreadState *library_enter(void)
{
    calls++;
    return PyEval_SaveThread();
}

void library_leave(PyThreadState *thread)
{
    PyEval_RestoreThread(thread);
    calls--;
}

struct message {
    message     *next;
    const void  *thread; /* the thread that reports it; NULL: any */
    pcm_severity severity;
    uint32_t     code, line, column, length;
    char        *file, *words, *text; /* words: the message alone; text: formatted for people. May be NULL */
};

enum { KEPT = 1000 }; /* limits the memory if a loop never collects its messages */

static char *copy_of(const char *text) { return text ? strdup(text) : NULL; }

static char *formatted(const pcm_diagnostic *diagnostic)
{
    const size_t length = pcm_diagnostic_format(diagnostic, NULL, 0);
    char        *text = malloc(length + 1);
    if (!text)
        return NULL;
    pcm_diagnostic_format(diagnostic, text, length + 1);
    if (length && text[length - 1] == '\n')
        text[length - 1] = '\0';
    return text;
}

static void message_free(message *gone)
{
    free(gone->file);
    free(gone->words);
    free(gone->text);
    free(gone);
}

static void messages_free(message *list)
{
    while (list) {
        message *gone = list;
        list = gone->next;
        message_free(gone);
    }
}

void mailbox_open(mailbox *box)
{
    pthread_mutex_init(&box->lock, NULL);
    box->first = NULL;
    box->end = &box->first;
    box->count = 0;
    box->dropped = 0;
}

void mailbox_close(mailbox *box)
{
    messages_free(box->first);
    pthread_mutex_destroy(&box->lock);
}

void mailbox_receive(void *user, const pcm_diagnostic *diagnostic)
{
    mailbox         *box = user;
    const pcm_place *place = &diagnostic->place;
    message *new = malloc(sizeof *new);
    if (new)
        *new = (message){.thread = calls ? &calls : NULL,
                         .severity = diagnostic->severity,
                         .code = diagnostic->code,
                         .line = place->line,
                         .column = place->column,
                         .length = place->length,
                         .file = copy_of(place->file),
                         .words = copy_of(diagnostic->message),
                         .text = formatted(diagnostic)};
    if (new) {
        speak_python(new->words);
        speak_python(new->text);
    }
    pthread_mutex_lock(&box->lock);
    const bool room = new && box->count < KEPT;
    if (room) {
        *box->end = new;
        box->end = &new->next;
        box->count++;
    } else {
        box->dropped++;
    }
    pthread_mutex_unlock(&box->lock);
    if (new && !room)
        message_free(new);
}

/* The messages that this thread reports, in their order. */
static message *take_own(mailbox *box, size_t *dropped)
{
    message *own = NULL, **end = &own;
    pthread_mutex_lock(&box->lock);
    message **at = &box->first;
    while (*at) {
        message *said = *at;
        if (said->thread && said->thread != &calls) {
            at = &said->next;
            continue;
        }
        *at = said->next;
        said->next = NULL;
        *end = said;
        end = &said->next;
        box->count--;
    }
    box->end = at;
    *dropped = box->dropped;
    box->dropped = 0;
    pthread_mutex_unlock(&box->lock);
    return own;
}

/* ---- Passing them to Python -------------------------------------------------------------------------------------- */

/* To libpcm, file names and texts may be any bytes. */
static PyObject *text_of(const char *bytes)
{
    if (!bytes)
        return Py_BuildValue("");
    return PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)strlen(bytes), "surrogateescape");
}

static PyObject *diagnostic_of(module_state *state, const message *said)
{
    static const char *const severities[] = {"note", "warning", "error"};
    PyObject                *words = text_of(said->words), *file = text_of(said->file), *text = text_of(said->text);
    PyObject                *made = NULL;
    if (words && file && text)
        made = PyObject_CallFunction(state->diagnostic, "sIOOIIIO", severities[said->severity], said->code, words, file,
                                     said->line, said->column, said->length, text);
    Py_XDECREF(words);
    Py_XDECREF(file);
    Py_XDECREF(text);
    return made;
}

static bool append_new(PyObject *list, PyObject *entry)
{
    const bool done = entry && PyList_Append(list, entry) == 0;
    Py_XDECREF(entry);
    return done;
}

/* Errors with the notes that follow them, in two lists: their texts, and what they are. */
static bool collect_errors(module_state *state, const message *list, PyObject *texts, PyObject *diagnostics)
{
    bool of_error = false;
    for (; list; list = list->next) {
        of_error = list->severity == PCM_ERROR || (of_error && list->severity == PCM_NOTE);
        if (of_error && (!append_new(texts, text_of(list->text ? list->text : "no memory for the message")) ||
                         !append_new(diagnostics, diagnostic_of(state, list))))
            return false;
    }
    return true;
}

static void raise_error(module_state *state, PyObject *texts, PyObject *diagnostics)
{
    PyObject *newline = PyUnicode_FromString("\n"), *told = PyList_AsTuple(diagnostics);
    PyObject *text = newline ? PyUnicode_Join(newline, texts) : NULL;
    PyObject *error = text && told ? PyObject_CallFunctionObjArgs(state->error, text, told, NULL) : NULL;
    if (error)
        PyErr_SetObject(state->error, error);
    Py_XDECREF(newline);
    Py_XDECREF(told);
    Py_XDECREF(text);
    Py_XDECREF(error);
}

/* Warnings and notes; those that belong to an error stand in the exception. */
static bool tell_others(module_state *state, const message *list, size_t dropped)
{
    bool of_error = false;
    for (; list; list = list->next) {
        of_error = list->severity == PCM_ERROR || (of_error && list->severity == PCM_NOTE);
        if (of_error)
            continue;
        PyObject *text = text_of(list->text), *done = NULL;
        if (text && list->severity == PCM_NOTE)
            done = PyObject_CallFunctionObjArgs(state->note, text, NULL);
        else if (text && PyErr_WarnFormat(state->warning, 1, "%U", text) == 0)
            done = Py_NewRef(text);
        Py_XDECREF(text);
        Py_XDECREF(done);
        if (!done)
            return false;
    }
    return !dropped || PyErr_WarnFormat(state->warning, 1, "%zu more messages were not kept", dropped) == 0;
}

static bool raise_status(module_state *state, PyObject *texts, PyObject *diagnostics, pcm_status status,
                         const char *call)
{
    if (status == PCM_NO_MEMORY && PyList_Size(texts) == 0) {
        PyErr_NoMemory();
        return false;
    }
    if (status != PCM_OK && PyList_Size(texts) == 0 &&
        !append_new(texts, PyUnicode_FromFormat("%s: %s", call, pcm_status_text(status))))
        return false;
    if (PyList_Size(texts) == 0)
        return true;
    raise_error(state, texts, diagnostics);
    return false;
}

bool mailbox_tell(mailbox *box, module_state *state, pcm_status status, const char *call)
{
    if (status == PCM_OK && box->count == 0)
        return true;
    size_t    dropped;
    message  *list = take_own(box, &dropped);
    PyObject *texts = PyList_New(0), *diagnostics = PyList_New(0);
    bool      done = texts && diagnostics && tell_others(state, list, dropped) &&
                collect_errors(state, list, texts, diagnostics) &&
                raise_status(state, texts, diagnostics, status, call);
    Py_XDECREF(texts);
    Py_XDECREF(diagnostics);
    messages_free(list);
    return done;
}
