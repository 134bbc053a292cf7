/* SPDX-License-Identifier: MIT */
/* models.h - a law's tables as rows of a grid, for the terminal and for the law's page. */
#ifndef PCM_TOOLS_LAW_MODELS_H
#define PCM_TOOLS_LAW_MODELS_H

#include "describe.h"
#include "text_table.h"

void models_add_params(grid *g, const pcm_param *params, size_t count); /* 5 columns */
/* The properties that the law reads from materials. */
enum { MODELS_PROPERTIES = 64 };
void models_add_properties(grid *g, const pcm_model *model);
void models_add_columns(grid *g, const describe_column *columns, uint32_t bits); /* 3 */
void models_add_given(grid *g, const pcm_model *model);                          /* 3 */
void models_add_states(grid *g, const pcm_model *model);                         /* 4 */
void models_add_amounts(grid *g, const pcm_model *model);
void models_add_events(grid *g, const pcm_model *model);  /* 3 */
void models_add_derived(grid *g, const pcm_model *model); /* 3 */
void models_add_flags(grid *g, const pcm_model *model);   /* 2 */

/* The length of the law's equations in bytes, without trailing line ends, for "%.*s". */
int models_equations_length(const pcm_model *model);

/* Writes the law's description as an object. path: of its file; NULL: the law is linked in. */
void models_json(json *j, const pcm_model *model, const char *path);

/* Prints the law's page in Markdown. */
void page_print(const pcm_model *model);

#endif
