/* SPDX-License-Identifier: MIT */
/* types.c - the contact types of a header, and the numbers in their structs. */
#include "export.h"

#include <stdlib.h>
#include <string.h>

/* ---- Names ------------------------------------------------------------------------------------------------------- */

/* Words that cannot name a number in some language of the header. */
static const char keywords[] =
    " alignas alignof and asm auto bfloat bool break case catch char class compl complex concept const constant "
    "constexpr continue default delete device do double else enum event explicit export extern false float for "
    "friend global goto half host if image imaginary inline int kernel local long mutable namespace new next noexcept "
    "not nullptr operator or pipe private protected public quad register requires restrict return sampler_t shared "
    "short signed size_t sizeof static struct switch template this throw true try typedef typeid typename "
    "typeof uchar uint ulong uniform union unsigned ushort using vec_step vector virtual void volatile wchar_t while "
    "xor read_only write_only linux unix ";

void export_identifier(char name[EXPORT_NAME], const char *prefix, const char *text)
{
    char padded[EXPORT_NAME + 2];
    int  length = snprintf(name, EXPORT_NAME - 2, "%s%s%s", prefix ? prefix : "",
                          !prefix && *text >= '0' && *text <= '9' ? "_" : "", text);
    length = length < EXPORT_NAME - 2 ? length : EXPORT_NAME - 3;
    for (int i = 0; i < length; i++)
        if (!((name[i] >= 'a' && name[i] <= 'z') || (name[i] >= 'A' && name[i] <= 'Z') ||
              (name[i] >= '0' && name[i] <= '9')))
            name[i] = '_';
    (void)snprintf(padded, sizeof padded, " %s ", name);
    if (strstr(keywords, padded))
        (void)snprintf(name + length, 2, "_");
}

static bool is_taken(const export_fields *fields, const char *name)
{
    for (size_t i = 0; i < fields->count; i++)
        if (strcmp(fields->at[i].name, name) == 0)
            return true;
    return false;
}

/* Adds a number whose name is prefix, text and suffix. */
static void add(export_fields *fields, export_field field, const char *prefix, const char *text, const char *suffix)
{
    if (fields->count == fields->room) {
        const size_t  room = fields->room ? 2 * fields->room : 16;
        export_field *more = realloc(fields->at, room * sizeof *more);
        fields->lacks_memory |= !more;
        if (!more)
            return;
        fields->at = more, fields->room = room;
    }
    char both[EXPORT_NAME];
    (void)snprintf(both, sizeof both, "%.*s%s", EXPORT_NAME - 16, text, suffix);
    export_identifier(field.name, *prefix ? prefix : NULL, both);
    field.again &= is_taken(fields, field.name);
    while (!field.again && is_taken(fields, field.name) && strlen(field.name) + 1 < EXPORT_NAME)
        (void)strcat(field.name, "_");
    fields->at[fields->count++] = field;
}

/* ---- Inputs and outputs ------------------------------------------------------------------------------------------ */

typedef struct number {
    uint32_t    bit;
    const char *name, *unit, *doc;
    bool        whole;
} number;

static const number inputs[] = {
    {PCM_DEPTH, "depth", "m", "overlap, < 0 the gap", false},
    {PCM_DEPTH_RATE, "depth_rate", "m/s", "> 0 approaching", false},
    {PCM_SLIP, "slip_x", "m/s", "tangential velocity of the follower relative to the base", false},
    {PCM_SLIP, "slip_y", "m/s", "the same along y", false},
    {PCM_SPIN, "spin_x", "rad/s", "angular velocity of the follower relative to the base", false},
    {PCM_SPIN, "spin_y", "rad/s", "the same about y", false},
    {PCM_SPIN, "spin_n", "rad/s", "the same about the normal", false},
    {PCM_POSITION, "x", "m", "the contact point from the base's origin, in its axes", false},
    {PCM_POSITION, "y", "m", "the same along y", false},
    {PCM_POSITION, "z", "m", "the same along z", false},
    {PCM_VELOCITY, "velocity_x", "m/s", "of the follower's point relative to the base, in its axes", false},
    {PCM_VELOCITY, "velocity_y", "m/s", "the same along y", false},
    {PCM_VELOCITY, "velocity_z", "m/s", "the same along z", false},
    {PCM_RADIUS, "radius", "m", "reduced: 1/r = 1/ra + 1/rb", false},
    {PCM_MASS, "mass", "kg", "reduced: 1/m = 1/ma + 1/mb", false},
    {PCM_LOAD, "load_n", "N", "normal force of the law in front of this one", false},
    {PCM_LOAD, "load_elastic", "N", "its elastic share", false},
    {PCM_LOAD, "load_adhesive", "N", "its adhesive share, < 0 where it pulls", false},
    {PCM_LOAD, "load_pull_off", "N", "the greatest pull that adhesion can carry", false},
    {PCM_CONTACT_RADIUS, "contact_radius", "m", "of the circle of contact", false},
    {PCM_FRESH, "fresh", "1", "1 where both objects are new, else 0; for establish alone", false},
    {PCM_AREA, "area", "m^2", "of the patch that the contact stands for", false},
    {PCM_SHARE, "share", "1", "of its pair's patch", false},
    {PCM_BODY_SPINS, "base_spin_x", "rad/s", "angular velocity of the base, in the contact frame", false},
    {PCM_BODY_SPINS, "base_spin_y", "rad/s", "the same about y", false},
    {PCM_BODY_SPINS, "base_spin_n", "rad/s", "the same about the normal", false},
    {PCM_BODY_SPINS, "follower_spin_x", "rad/s", "of the follower", false},
    {PCM_BODY_SPINS, "follower_spin_y", "rad/s", "the same about y", false},
    {PCM_BODY_SPINS, "follower_spin_n", "rad/s", "the same about the normal", false},
    {PCM_AXES, "base_axis_x", "1", "a unit vector along the base's axis, in the contact frame", false},
    {PCM_AXES, "base_axis_y", "1", "the same along y", false},
    {PCM_AXES, "base_axis_n", "1", "the same along the normal", false},
    {PCM_AXES, "follower_axis_x", "1", "of the follower", false},
    {PCM_AXES, "follower_axis_y", "1", "the same along y", false},
    {PCM_AXES, "follower_axis_n", "1", "the same along the normal", false},
    {PCM_LOSS, "loss_friction", "W", "heat of friction of the laws in front of this one", false},
    {PCM_LOSS, "loss_damping", "W", "all else that they dissipate", false},
    {PCM_LOSS, "load_x", "N", "their tangential force", false},
    {PCM_LOSS, "load_y", "N", "the same along y", false},
    {PCM_CURVATURE, "curvature_1", "1/m", "the smaller relative curvature at the point; NaN: radius counts", false},
    {PCM_CURVATURE, "curvature_2", "1/m", "the larger one", false},
    {PCM_CURVATURE_AXIS, "curvature_x", "1", "the direction of the smaller one, in the contact frame", false},
    {PCM_CURVATURE_AXIS, "curvature_y", "1", "the same along y", false},
    {PCM_EXTENT, "point_part", "1", "of the force of a point; 1 for a point", false},
    {PCM_EXTENT, "patch_part", "1", "of the force of the whole line or flat; 0 for a point", false},
    {PCM_EXTENT, "line_length", "m", "of the whole line; 0: none", false},
    {PCM_EXTENT, "line_curvature", "1/m", "across the line", false},
    {PCM_EXTENT, "flat_area", "m^2", "of the whole flat; 0: none", false},
    {PCM_EXTENT, "flat_aspect", "1", "ratio of its radii of gyration, at least 1", false},
};

/* Written in every call; then the reports. */
static const number outputs[] = {
    {0, "force_n", "N", "on the follower, along the normal", false},
    {PCM_FRICTION, "force_x", "N", "along x", false},
    {PCM_FRICTION, "force_y", "N", "along y", false},
    {PCM_MOMENT, "moment_n", "N*m", "on the follower, about the normal", false},
    {PCM_MOMENT, "moment_x", "N*m", "about x", false},
    {PCM_MOMENT, "moment_y", "N*m", "about y", false},
    {PCM_LIFE, "life", "1", "PCMX_LIVE, PCMX_BROKEN or PCMX_INVALID", true},
    {PCM_ONSET, "onset", "m", "the largest gap at which this contact may begin", false},
    {PCM_SHARES, "elastic_n", "N", "the elastic share of force_n", false},
    {PCM_SHARES, "adhesive_n", "N", "the adhesive share", false},
    {PCM_SHARES, "pull_off", "N", "the greatest pull", false},
    {PCM_PATCH_RADIUS, "patch_radius", "m", "of the circle of contact", false},
};
static const number reports[] = {
    {PCM_ENERGY, "energy", "J", "stored", false},
    {PCM_DISSIPATION, "dissipation", "W", "turned into heat", false},
    {PCM_MODE, "mode", "1", "PCMX_SEPARATED, _STICKING, _SLIPPING or _TOUCHING", true},
};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void add_columns(export_fields *fields, const number *columns, size_t count, uint32_t bits, const char *in)
{
    for (size_t i = 0; i < count; i++) {
        export_field field = {.unit = columns[i].unit, .doc = columns[i].doc, .whole = columns[i].whole};
        if (columns[i].bit && !(columns[i].bit & bits))
            continue;
        (void)snprintf(field.lane, sizeof field.lane, "%s%s", in, columns[i].name);
        add(fields, field, "", columns[i].name, "");
    }
}

/* Adds one or two numbers: those of a state or host input. */
static void add_shaped(export_fields *fields, const char *prefix, const char *name, const char *unit, const char *doc,
                       uint32_t shape, const char *lane, uint32_t *column)
{
    for (uint32_t k = 0; k < pcm_columns_of(shape); k++) {
        export_field field = {.unit = unit, .doc = doc};
        (void)snprintf(field.lane, sizeof field.lane, "%s[%u]", lane, (*column)++);
        add(fields, field, prefix, name, shape == PCM_SCALAR ? "" : k ? "_y" : "_x");
    }
}

static void add_amounts(export_type *type)
{
    static const char *const sides[] = {"base_", "follower_"};
    for (uint32_t i = 0; i < type->info->model->amounts.count; i++) {
        const pcm_amount *amount = pcm_model_amount(type->info->model, i);
        for (int side = 0; side < 2; side++) {
            export_field in = {.unit = amount->unit, .doc = amount->doc, .again = true};
            export_field out = {.unit = amount->flow_unit, .doc = "into it, per second"};
            (void)snprintf(in.lane, sizeof in.lane, "amount[%d][%u]", side, i);
            (void)snprintf(out.lane, sizeof out.lane, "flow[%d][%u]", side, i);
            add(&type->contact, in, sides[side], amount->name, "");
            add(&type->result, out, sides[side], amount->name, "_flow");
        }
    }
}

static void add_events(export_type *type)
{
    for (uint32_t i = 0; i < type->info->model->events.count; i++) {
        const pcm_event *event = pcm_model_event(type->info->model, i);
        export_field     field = {.unit = "1", .doc = event->doc};
        (void)snprintf(field.lane, sizeof field.lane, "event[%u]", i);
        add(&type->report, field, "event_", event->name, "");
    }
}

/* ---- Parameters that are arguments ------------------------------------------------------------------------------- */

/* The index of the parameter in the type's table; -1: it has none of that name. */
static long find_param(const export_type *type, const char *name, size_t length)
{
    const pcm_model *model = type->info->model;
    for (size_t i = 0; i < model->params.count; i++)
        if (strlen(pcm_model_param(model, i)->name) == length &&
            strncmp(pcm_model_param(model, i)->name, name, length) == 0)
            return (long)i;
    return -1;
}

static bool find_free(const export_job *job, export_type *type)
{
    size_t length;
    if (!job->free)
        return true;
    type->free = calloc(strlen(job->free) + 1, sizeof *type->free);
    if (!type->free)
        return export_refuse(NULL, "out of memory");
    for (const char *name = job->free; *name; name += length + (name[length] == ',')) {
        length = strcspn(name, ",");
        const long index = find_param(type, name, length);
        if (index < 0)
            continue;
        const pcm_param *param = pcm_model_param(type->info->model, (size_t)index);
        if (param->kind == PCM_KIND_LIST || param->kind == PCM_KIND_TEXT)
            return export_refuse(&type->info->place, "%s is a %s: it stays as the file has it", param->name,
                                 param->kind == PCM_KIND_LIST ? "list" : "text");
        type->free[type->n_free++] = (size_t)index;
    }
    return true;
}

/* The entry of the part's table that begins at that byte of its parameters, or -1; -2: the byte is inside of one. */
static long entry_at(const export_part *part, size_t offset, size_t unit)
{
    for (size_t i = 0; i < part->model->params.count; i++) {
        const uint32_t kind = pcm_model_param(part->model, i)->kind;
        const size_t   size = kind == PCM_KIND_REAL ? unit : kind == PCM_KIND_LIST ? sizeof(pcm_list) : sizeof(int64_t);
        if (offset >= part->offset[i] && offset < part->offset[i] + size)
            return offset == part->offset[i] ? (long)i : -2;
    }
    return -1;
}

/* Adds a word of a part's parameters: an entry of its table, or one of the constants that the law's prepare computes.
 */
static void add_word(export_type *type, uint32_t p, size_t offset, size_t unit)
{
    const export_part *part = &type->part[p];
    const long         entry = entry_at(part, offset, unit);
    const pcm_param   *param = entry < 0 ? NULL : pcm_model_param(type->info->model, part->first_param + (size_t)entry);
    export_field       field = {.unit = param ? param->unit : "1",
                                .doc = param ? param->doc : "that the law's prepare computes, as bits"};
    char               name[64];
    if (entry == -2 || (param && (param->kind == PCM_KIND_LIST || param->kind == PCM_KIND_TEXT)))
        return;
    field.whole = !param || param->kind != PCM_KIND_REAL;
    (void)snprintf(name, sizeof name, "prepared_%u_%zu", p, offset / unit);
    (void)snprintf(field.lane, sizeof field.lane, "LANE_%s(w%u, %zu)",
                   !param        ? "BITS"
                   : field.whole ? "WHOLE"
                                 : "REAL",
                   p, offset);
    add(&type->params, field, "", param ? param->name : name, "");
}

static void add_params(const export_job *job, export_type *type)
{
    const size_t unit = job->single ? sizeof(float) : sizeof(double);
    if (type->n_free == 0)
        return;
    for (uint32_t p = 0; p < type->n_parts; p++)
        for (size_t offset = 0; offset < type->part[p].params_size; offset += unit)
            add_word(type, p, offset, unit);
    add(&type->params,
        (export_field){.unit = "1", .doc = "not 0: the law rejects the values", .whole = true, .lane = "rejected"}, "",
        "rejected", "");
}

/* ---- Types ------------------------------------------------------------------------------------------------------- */

static bool add_part(export_job *job, export_type *type, const pcm_model *model)
{
    export_part next = {.model = model};
    if (type->n_parts > 0) {
        const export_part *last = &type->part[type->n_parts - 1];
        next.first_param = last->first_param + last->model->params.count;
        next.state = last->state + last->n_state, next.host_input = last->host_input + last->n_host_input;
        next.event = last->event + last->model->events.count, next.amount = last->amount + last->model->amounts.count;
    }
    for (uint32_t i = 0; i < model->states.count; i++)
        next.n_state += pcm_columns_of(pcm_model_state(model, i)->shape);
    for (uint32_t i = 0; i < model->host_inputs.count; i++)
        next.n_host_input += pcm_columns_of(pcm_model_host_input(model, i)->shape);
    next.params_size = model->params.count ? pcm_model_param(model, 0)->params_size : 0;
    next.offset = calloc(model->params.count + 1, sizeof *next.offset);
    if (!next.offset)
        return export_refuse(NULL, "out of memory");
    for (size_t i = 0; i < model->params.count; i++)
        next.offset[i] = pcm_model_param(model, i)->offset;
    if (model->params.count > 0)
        next.params = (const char *)type->info->params + pcm_model_param(type->info->model, next.first_param)->offset -
                      next.offset[0];
    export_part *part = &type->part[type->n_parts++];
    *part = next;
    return export_write_law(job, model) && (!job->single || export_prepare_single(job, type, part));
}

/* The laws of a sum such as "Hertz + Mindlin". */
static bool add_parts(export_job *job, export_type *type)
{
    const char *names = type->info->model->name;
    for (size_t length; *names; names += length + strspn(names + length, " +")) {
        char name[EXPORT_NAME];
        length = strcspn(names, " +");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
        const pcm_model *model = pcm_model_load(job->context, name);
        if (!model || type->n_parts == EXPORT_PARTS)
            return export_refuse(&type->info->place, "the law %s cannot be read", name);
        if (!add_part(job, type, model))
            return false;
    }
    return true;
}

static bool has_pair_verb(const pcm_model *model)
{
    return ((const pcm_kernel_set *)model->kernels.entries)->pair != NULL;
}

static bool can_export(const pcm_type_info *info)
{
    if (info->model->flags & PCM_HOST_CONTACT)
        return export_refuse(
            &info->place, "contact type %s leaves its pairs to the simulator: there is no law to export", info->name);
    if (has_pair_verb(info->model))
        return export_refuse(&info->place,
                             "%s has a verb for the contacts of a pair together, which a header for one contact cannot "
                             "have",
                             info->model->name);
    return true;
}

static bool fill_fields(const export_job *job, export_type *type)
{
    const pcm_model *model = type->info->model;
    uint32_t         column = 0;
    add(&type->contact, (export_field){.unit = "s", .doc = "of the motion", .lane = "time"}, "", "time", "");
    add(&type->contact, (export_field){.unit = "s", .doc = "the step to this time; 0: none", .lane = "dt"}, "", "dt",
        "");
    const uint32_t from_parts = type->n_parts > 1 ? PCM_FROM_PARTS : 0;
    const uint32_t shape = job->shapes ? 0 : PCM_CURVATURE | PCM_CURVATURE_AXIS | PCM_EXTENT;
    const uint32_t reads = model->inputs & ~(from_parts | shape);
    const uint32_t inner = type->n_parts > 1 ? PCM_SHARES | PCM_PATCH_RADIUS : 0;
    add_columns(&type->contact, inputs, COUNT(inputs), reads, "");
    for (uint32_t i = 0; i < model->host_inputs.count; i++) {
        const pcm_host_input *input = pcm_model_host_input(model, i);
        add_shaped(&type->contact, "host_", input->name, input->unit, input->doc, input->shape, "host_input", &column);
    }
    column = 0;
    for (uint32_t i = 0; i < model->states.count; i++) {
        const pcm_state *state = pcm_model_state(model, i);
        add_shaped(&type->state, "", state->name, state->unit, state->doc, state->shape, "", &column);
    }
    add_columns(&type->result, outputs, COUNT(outputs), model->outputs & ~inner, "out.");
    add_amounts(type);
    add_columns(&type->report, reports, COUNT(reports), model->outputs, "out.");
    add_events(type);
    if (!find_free(job, type))
        return false;
    add_params(job, type);
    return !(type->contact.lacks_memory || type->state.lacks_memory || type->result.lacks_memory ||
             type->report.lacks_memory || type->params.lacks_memory) ||
           export_refuse(NULL, "out of memory");
}

bool export_add_type(export_job *job, const pcm_type *type, const char *suffix)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    for (size_t i = 0; i < job->n_types; i++)
        if (job->types[i]->info == info)
            return true;
    if (!can_export(info))
        return false;
    export_type **more = realloc(job->types, (job->n_types + 1) * sizeof *more);
    export_type  *added = more ? calloc(1, sizeof *added) : NULL;
    job->types = more ? more : job->types;
    if (!added)
        return export_refuse(NULL, "out of memory");
    job->types[job->n_types++] = added;
    added->type = type, added->info = info;
    char full[EXPORT_NAME];
    (void)snprintf(full, sizeof full, "%.*s%.*s", EXPORT_NAME / 2, info->name, EXPORT_NAME / 2 - 1, suffix);
    export_identifier(added->name, NULL, full);
    for (size_t i = 0; i + 1 < job->n_types; i++)
        if (strcmp(job->types[i]->name, added->name) == 0)
            return export_refuse(&info->place, "%s and %s would both be called %s in the header: rename one",
                                 job->types[i]->info->name, info->name, added->name);
    return add_parts(job, added) && fill_fields(job, added);
}

void export_free_types(export_job *job)
{
    for (size_t i = 0; i < job->n_types; i++) {
        export_type *type = job->types[i];
        free(type->contact.at);
        free(type->state.at);
        free(type->result.at);
        free(type->report.at);
        free(type->params.at);
        free(type->free);
        for (uint32_t p = 0; p < type->n_parts; p++)
            export_release_single(&type->part[p]);
        free(type);
    }
    free(job->types);
}
