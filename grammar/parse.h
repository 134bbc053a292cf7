/* SPDX-License-Identifier: MIT */
/* parse.h - reads .pcm text with its included files, and passes on its statements one by one, in the order of the text.
 */
#ifndef PCM_GRAMMAR_PARSE_H
#define PCM_GRAMMAR_PARSE_H

#include "report.h"
#include "tree.h"

/* Callbacks for the statements. Nodes of contact types, of materials and of Let live as long as the reports; rules and
 * surfaces only during the call. Returning false (no memory) ends the reading. */
typedef struct pcm_listener {
    void *user;
    bool (*type)(void *user, const pcm_type_node *type);
    bool (*rule)(void *user, const pcm_rule_node *rule);
    bool (*let)(void *user, const pcm_let_node *let);
    bool (*surface)(void *user, const pcm_surface_node *surface);
    bool (*material)(void *user, const pcm_material_node *material);
    bool (*setting)(void *user, const pcm_param_node *setting); /* lives as long as the reports */
    bool (*token)(void *user, pcm_span token); /* NULL: none; otherwise gets every token, and no Include is followed */
} pcm_listener;

/* Reads the source at `index` of reports->sources, whose text is loaded: a file, or one setting. Errors of syntax are
 * added to the reports. Returns false if there is no memory. Sets incomplete if a part could not be read that may
 * define contact types. */
bool pcm_parse(pcm_reports *reports, uint32_t index, const pcm_listener *listener, bool *incomplete);

/* Adds the source whose path is quoted there: relative to the file that contains it, or, in text without a file, to the
 * current directory. UINT32_MAX: no memory. */
uint32_t pcm_source_add_named(pcm_reports *reports, pcm_span path);

/* Gives a source its text: a copy of length bytes or, if text is NULL, the contents of its file. Reports why it cannot
 * be read, at the Include if there is one. */
bool pcm_source_open(pcm_reports *reports, uint32_t index, const char *text, size_t length);

#endif
