/* SPDX-License-Identifier: MIT */
/* Any bytes as the rig's table: read to the end or to an error; each row is a trial of a law and a step of its
 * history. */
#include "fuzz.h"
#include "csv.h"
#include "rig.h"

static void run_rows(rig_law *law, csv_reader *table)
{
    double time = 0;
    while (csv_next(table) == CSV_ROW && rig_law_read(law, table, 0)) {
        rig_law_evaluate(law, 1, time, 1e-3);
        rig_law_step(law, time);
        time += 1e-3;
    }
}

static void run_rig(const pcm_type *type, csv_reader *table, bool trial)
{
    rig_law law;
    demand(rig_law_new(&law, type, trial));
    csv_rewind(table);
    if (rig_law_match(&law, table))
        run_rows(&law, table);
    rig_law_free(&law);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char text[] = "ContactType A = ViscoelasticGround {}; ContactType B = CompliantGround {"
                               " Stiffness = 2e5; Damping = 1000; Friction = 0.8 };";
    csv_reader        table;
    const pcm_config *config = fuzz_config(PLUGINS, text);
    if (csv_open(&table, fuzz_file(data, size)))
        for (size_t i = 0; i < 4; i++)
            run_rig(pcm_config_type_at(config, i / 2), &table, i % 2);
    csv_close(&table);
    return 0;
}
