/* SPDX-License-Identifier: MIT */
/* Log files: their contents, when these are written, and where the files may be. */
#include "fixture.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[64];

static int make_directory(void **state)
{
    (void)state;
    strcpy(directory, "/tmp/pcm-log-XXXXXX");
    return mkdtemp(directory) ? 0 : -1;
}

static int remove_directory(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -r %s", directory);
    return system(command);
}

static pcm_world_def logging(void)
{
    pcm_world_def def = pcm_world_defaults();
    def.log_directory = directory;
    return def;
}

static const char *read_file(const char *name)
{
    static char text[4096];
    char        path[128];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = fread(text, 1, sizeof text - 1, file);
    text[size] = '\0';
    fclose(file);
    return text;
}

static void rows_say_what_happened(void **state)
{
    (void)state;
    pcm_world_def def = logging();
    fixture       f;
    fixture_open(&f, "ContactType C = Brush { LogFile=\"deep/log.csv\"; Resolution=0.002; }; DefaultPair -> C;", &def);
    pcm_object a = pcm_world_add(f.world, "a, the \"base\"", NULL), b = pcm_world_add(f.world, "b", NULL);
    place(f.world, b, 0, 0, 0, 0.5, 0, 0);
    for (int i = 0; i < 4; i++) {
        touch(f.world, a, b, 3, 0.25, 0, 0.01);
        assert_int_equal(pcm_world_update(f.world, 0.001 * i, 0.001), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
        if (i == 0)
            assert_string_equal(read_file("deep/log.csv"), "");
    }
    assert_int_equal(pcm_world_flush(f.world), PCM_OK);
    assert_string_equal(
        read_file("deep/log.csv"),
        "time [s],contact,A,B,point_x [m],point_y [m],point_z [m],depth [m],depth_rate [m/s],slip_x [m/s],slip_y [m/s],"
        "spin_x [rad/s],spin_y [rad/s],spin_n [rad/s],force_x [N],force_y [N],force_n [N],"
        "moment_x [N*m],moment_y [N*m],moment_n [N*m],mode,stretch_x [m],stretch_y [m],end,end_energy "
        "[J],end_dissipation [J]\n"
        "0,1,\"a, the "
        "\"\"base\"\"\",b,0.25,0,0,0.01,0,0.5,0,0,0,0,-5.010000000000001,0,100,0,0,0,sticking,0.000501,0,,,\n"
        "0.002,1,\"a, the "
        "\"\"base\"\"\",b,0.25,0,0,0.01,0,0.5,0,0,0,0,-15.010000000000002,0,100,0,0,0,sticking,0.0015010000000000002,"
        "0,,,\n");
    fixture_close(&f);
}

/* Logs show control characters and changes of direction as \\xNN; of a name that is a formula to spreadsheets, once. */
static void names_in_logs_are_harmless(void **state)
{
    (void)state;
    pcm_world_def def = logging();
    fixture       f;
    fixture_open(&f, "ContactType C = Spring { LogFile=\"names.csv\"; }; DefaultPair -> C;", &def);
    pcm_object a = pcm_world_add(f.world, "=cmd|x\t\033[2J", NULL), b = pcm_world_add(f.world, "b\xe2\x80\xae\n", NULL);
    (void)pcm_world_add(f.world, "@SUM(1)", NULL);
    assert_true(f.messages == 1 && fixture_said(&f, 423) == 1);
    assert_non_null(strstr(f.text[0], "takes the name '=cmd|x"));
    touch(f.world, a, b, 3, 0, 0, 0.01);
    assert_int_equal(pcm_world_update(f.world, 0, 0.001), PCM_OK);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    assert_int_equal(pcm_world_flush(f.world), PCM_OK);
    assert_non_null(strstr(read_file("names.csv"), "\n0,1,=cmd|x\\x09\\x1b[2J,b\\xe2\\x80\\xae\\x0a,0,0,0,"));
    fixture_close(&f);
}

/* With Sensing, the sensed columns follow: the follower is rotated by half a turn about z, and is at (1, 0, 0). */
static void rows_hold_what_is_sensed(void **state)
{
    (void)state;
    pcm_world_def def = logging();
    fixture       f;
    fixture_open(&f, "ContactType C = Spring { LogFile=\"log.csv\"; Sensing = true; }; DefaultPair -> C;", &def);
    pcm_object      a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    const pcm_pose  pose = {{1, 0, 0}, {0, 0, 0, 1}};
    const pcm_twist twist = {{0, 0, 0}, {0.5, 0, 0.25}};
    assert_int_equal(pcm_world_move(f.world, b, &pose, &twist), PCM_OK);
    touch(f.world, a, b, 3, 0.25, 0, 0.125);
    assert_int_equal(pcm_world_update(f.world, 0, 0.001), PCM_OK);
    assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    assert_int_equal(pcm_world_flush(f.world), PCM_OK);
    const char *text = read_file("log.csv");
    assert_non_null(strstr(text, ",mode,contact_signal,penetration_depth [m],separation_distance [m],"));
    assert_non_null(strstr(text, ",base_rotation_11,"));
    assert_non_null(strstr(text, ",follower_translation_z [m],normal_load [N],end,"));
    /* By Spring's stiffness and damping: 1e4 * 0.125 - 10 * 0.25 = 1247.5 N, and 10 * 0.5 N of friction. */
    assert_non_null(strstr(text, ",1,0.125,-0.125,1247.5,5,0.25,0.5,0,"
                                 "1,0,0,0,1,0,0,0,1,0.25,0,0,"
                                 "-1,0,0,0,-1,0,0,0,1,0.75,0,0,1247.5,,,\n"));
    fixture_close(&f);
}

/* A contact that outlives its touch has states but no motion. */
static void rows_of_lingering_contacts_have_no_motion(void **state)
{
    (void)state;
    pcm_world_def def = logging();
    fixture       f;
    fixture_open(&f, "ContactType C = Brush { LogFile=\"log.csv\"; }; DefaultPair -> C;", &def);
    pcm_object a = pcm_world_add(f.world, "a", NULL), b = pcm_world_add(f.world, "b", NULL);
    place(f.world, b, 0, 0, 0, 0.5, 0, 0);
    touch(f.world, a, b, 3, 0, 0, 0.01);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pcm_world_update(f.world, i, 0.001), PCM_OK);
        assert_int_equal(pcm_world_commit(f.world), PCM_OK);
    }
    assert_int_equal(pcm_world_flush(f.world), PCM_OK);
    assert_non_null(strstr(read_file("log.csv"), "\n1,1,a,b,,,,,,,,,,,0,0,0,0,0,0,separated,"));
    fixture_close(&f);
}

static void two_worlds_never_share_a_file(void **state)
{
    (void)state;
    pcm_world_def def = logging();
    fixture       f;
    fixture_open(&f, "ContactType C = Brush { LogFile=\"log\"; }; DefaultPair -> C;", &def);
    assert_null(pcm_world_new(f.config, &def));
    assert_int_equal(fixture_said(&f, 412), 1);
    pcm_world *quiet = fixture_world(&f, NULL); /* without a log directory there is nothing to share */
    pcm_world_free(quiet);
    pcm_world_free(f.world);
    f.world = fixture_world(&f, &def);
    fixture_close(&f);
}

static void commit_at(fixture *f, const pcm_object object[2], double time)
{
    touch(f->world, object[0], object[1], 3, 0, 0, 0.01);
    assert_int_equal(pcm_world_update(f->world, time, 0.001), PCM_OK);
    assert_int_equal(pcm_world_commit(f->world), PCM_OK);
}

/* The number of rows of the text; fails unless all have as many cells as the header. */
static int rows_of(const char *text)
{
    int rows = 0, cells = 0, wanted = 0;
    for (; *text; text++) {
        cells += *text == ',';
        if (*text != '\n')
            continue;
        wanted = wanted ? wanted : cells;
        assert_int_equal(cells, wanted);
        cells = 0;
        rows++;
    }
    assert_int_equal(cells, 0);
    return rows;
}

/* Files that cannot grow, as on a full disk, with the limit in various places of a row; then there is room again. */
static void a_full_disk_leaves_whole_rows(void **state)
{
    (void)state;
    signal(SIGXFSZ, SIG_IGN);
    for (rlim_t limit = 1; limit < 500; limit += 29) {
        struct rlimit before;
        pcm_world_def def = logging();
        fixture       f;
        fixture_open(&f, "ContactType C = Brush { LogFile=\"log.csv\"; }; DefaultPair -> C;", &def);
        const pcm_object object[2] = {pcm_world_add(f.world, "a", NULL), pcm_world_add(f.world, "b", NULL)};
        for (int i = 0; i < 4; i++)
            commit_at(&f, object, 0.125 * i);
        assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &(struct rlimit){limit, before.rlim_max}), 0);
        assert_int_equal(pcm_world_flush(f.world), PCM_BAD_FILE);
        assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
        const int rows = rows_of(read_file("log.csv"));
        commit_at(&f, object, 0.5);
        assert_int_equal(pcm_world_flush(f.world), PCM_OK);
        assert_int_equal(rows_of(read_file("log.csv")), rows ? rows + 1 : 2);
        fixture_close(&f);
    }
}

/* The host sets its clock back: rows continue from there, with and without a Resolution. */
static void a_clock_that_goes_back_silences_nothing(void **state)
{
    (void)state;
    const char *const resolutions[] = {"0", "0.25"};
    for (int k = 0; k < 2; k++) {
        char config[128];
        snprintf(config, sizeof config,
                 "ContactType C = Spring { LogFile=\"log.csv\"; Resolution = %s }; DefaultPair -> C;", resolutions[k]);
        pcm_world_def def = logging();
        fixture       f;
        fixture_open(&f, config, &def);
        const pcm_object object[2] = {pcm_world_add(f.world, "a", NULL), pcm_world_add(f.world, "b", NULL)};
        for (int i = 0; i < 8; i++)
            commit_at(&f, object, 0.125 * (i % 4));
        assert_int_equal(pcm_world_flush(f.world), PCM_OK);
        assert_int_equal(rows_of(read_file("log.csv")), 1 + (k ? 4 : 8));
        fixture_close(&f);
    }
}

/* A path outside the directory is an error in the configuration (configs/bad); links below the directory are checked
 * here. */
static void logs_stay_inside(void **state)
{
    (void)state;
    char link[128];
    snprintf(link, sizeof link, "%s/link", directory);
    assert_int_equal(symlink("/tmp", link), 0);
    const char *blocked[] = {"link/log", "link"};
    for (size_t i = 0; i < 2; i++) {
        char config[128];
        snprintf(config, sizeof config, "ContactType C = Spring { LogFile=\"%s\"; }; DefaultPair -> C;", blocked[i]);
        fixture f;
        fixture_open(&f, config, NULL);
        pcm_world_def def = logging();
        assert_null(pcm_world_new(f.config, &def));
        assert_int_equal(fixture_said(&f, 411), 1);
        fixture_close(&f);
    }
    char folder[128];
    snprintf(folder, sizeof folder, "%s/folder", directory);
    assert_int_equal(mkdir(folder, 0777), 0);
    fixture f;
    fixture_open(&f, "ContactType C = Spring { LogFile=\"folder\"; }; DefaultPair -> C;", NULL);
    pcm_world_def def = logging();
    assert_null(pcm_world_new(f.config, &def));
    assert_int_equal(fixture_said(&f, 411), 1);
    def.log_directory = "/nowhere/at/all";
    assert_null(pcm_world_new(f.config, &def));
    assert_int_equal(fixture_said(&f, 411), 2);
    fixture_close(&f);
}

int main(void)
{
#define LOG_TEST(name) cmocka_unit_test_setup_teardown(name, make_directory, remove_directory)
    const struct CMUnitTest tests[] = {
        LOG_TEST(rows_say_what_happened),        LOG_TEST(names_in_logs_are_harmless),
        LOG_TEST(rows_hold_what_is_sensed),      LOG_TEST(rows_of_lingering_contacts_have_no_motion),
        LOG_TEST(two_worlds_never_share_a_file), LOG_TEST(logs_stay_inside),
        LOG_TEST(a_full_disk_leaves_whole_rows), LOG_TEST(a_clock_that_goes_back_silences_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
