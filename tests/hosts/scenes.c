/* SPDX-License-Identifier: MIT */
#include "scenes.h"
#include "../../hosts/mujoco/base/release.h"

#include <stdarg.h>
#include <stdio.h>

/* The text of a file that is being written. */
typedef struct draft {
    char  *text;
    size_t used;
    int    variant;
} draft;

static void __attribute__((format(printf, 2, 3))) add(draft *d, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    d->used += (size_t)vsnprintf(d->text + d->used, SCENE_SIZE - d->used, format, list);
    va_end(list);
}

static const char *const shapes[] = {
    "type='sphere' size='0.05'",        "type='capsule' size='0.04 0.05'",        "type='box' size='0.05 0.04 0.06'",
    "type='cylinder' size='0.05 0.04'", "type='ellipsoid' size='0.06 0.05 0.04'", "type='mesh' mesh='Wedge'"};

static const char *shape(int index) { return shapes[index % 6]; }

/* ---- Families ---------------------------------------------------------------------------------------------------- */

static void floor_plane(draft *d) { add(d, "<geom name='floor' type='plane' size='20 20 1' material='Ground'/>"); }

static void add_leg(draft *d, const char *name, double x, double y)
{
    static const char *const feet[] = {"type='sphere' size='0.022'", "type='capsule' size='0.015 0.01'",
                                       "type='box' size='0.03 0.02 0.012'"};
    add(d, "<body name='%s_hip' pos='%g %g 0'><joint class='leg' axis='1 0 0' range='-46 46'/>", name, x, y);
    add(d,
        "<geom class='visual' type='cylinder' size='0.04 0.02'/><inertial pos='0 0 0' mass='0.6' diaginertia='"
        "1e-3 1e-3 1e-3'/><body name='%s_thigh' pos='0 0 0'><joint name='%s_thigh' class='leg' range='-57 172'/>",
        name, name);
    add(d,
        "<geom class='collision' type='capsule' fromto='0 0 0 0 0 -0.2' size='0.02' mass='0.9'/>"
        "<body name='%s_calf' pos='0 0 -0.2'><joint name='%s_calf' class='leg' range='-155 -46'/>"
        "<geom class='collision' type='capsule' fromto='0 0 0 0 0 -0.18' size='0.012' mass='0.15'/>"
        "<geom class='foot' %s pos='0 0 -0.2'/></body></body></body>",
        name, name, feet[d->variant % 3]);
}

/* A quadruped whose feet have no names, held by position servos at its home keyframe. */
static void quadruped(draft *d)
{
    static const char *const legs[] = {"FR", "FL", "RR", "RL"};
    add(d, "<worldbody>");
    floor_plane(d);
    add(d,
        "<body name='trunk' pos='0 0 0.32'><freejoint/><geom class='collision' type='box' size='0.18 0.05 0.05' "
        "mass='%g'/>",
        4.0 + d->variant);
    for (int i = 0; i < 4; i++)
        add_leg(d, legs[i], i < 2 ? 0.18 : -0.18, i % 2 ? 0.1 : -0.1);
    add(d, "</body></worldbody><actuator>");
    for (int i = 0; i < 4; i++)
        add(d, "<position class='servo' joint='%s_thigh'/><position class='servo' joint='%s_calf'/>", legs[i], legs[i]);
    add(d, "</actuator><keyframe><key name='home' qpos='0 0 0.285 1 0 0 0");
    for (int i = 0; i < 4; i++)
        add(d, " 0 0.9 -1.8");
    add(d, "' ctrl='0.9 -1.8 0.9 -1.8 0.9 -1.8 0.9 -1.8'/></keyframe>");
}

/* A biped of capsules on flat feet, which falls. */
static void biped(draft *d)
{
    add(d, "<worldbody>");
    floor_plane(d);
    add(d, "<body name='torso' pos='0 0 1.06'><freejoint/><geom type='capsule' fromto='0 -0.07 0.2 0 0.07 0.2' "
           "size='0.1' mass='20'/><geom type='sphere' size='0.09' pos='0 0 0.42' mass='4'/>");
    for (int side = -1; side <= 1; side += 2)
        add(d,
            "<body name='thigh%d' pos='0 %g 0'><joint type='ball' damping='3'/>"
            "<geom type='capsule' fromto='0 0 0 0 0 -0.45' size='0.06' mass='6'/>"
            "<body name='shin%d' pos='0 0 -0.5'><joint axis='0 1 0' range='-115 0' limited='true' damping='2'/>"
            "<geom type='capsule' fromto='0 0 0 0 0 -0.4' size='0.05' mass='3'/>"
            "<geom type='box' size='0.12 0.05 0.02' pos='0.05 0 -0.46' mass='1'/></body></body>",
            side, 0.11 * side, side);
    add(d, "</body></worldbody>");
}

/* A fixed arm whose two fingers press on an object, with a tendon that couples them. */
static void gripper(draft *d)
{
    add(d, "<worldbody>");
    floor_plane(d);
    add(d, "<geom name='table' type='box' size='0.3 0.3 0.1' pos='0 0 0.1'/>"
           "<body name='wrist' pos='0 0 0.45'><joint name='lift' type='slide' axis='0 0 1' range='-0.2 0.2' "
           "limited='true' damping='20'/><geom type='cylinder' size='0.04 0.03' mass='1'/>");
    for (int side = -1; side <= 1; side += 2)
        add(d,
            "<body name='finger%d' pos='0 %g -0.1'><joint name='f%d' type='slide' axis='0 %d 0' damping='5' "
            "range='0 0.06' limited='true'/><geom type='box' size='0.02 0.01 0.06' mass='0.1' condim='4' "
            "friction='1 0.05 0.001'/></body>",
            side, 0.1 * side, side, -side);
    add(d,
        "</body><body name='object' pos='0 0 0.26'><freejoint/><geom %s mass='0.2'/></body></worldbody>"
        "<tendon><fixed name='grip'><joint joint='f-1' coef='0.5'/><joint joint='f1' coef='0.5'/></fixed></tendon>"
        "<actuator><position joint='lift' kp='400' ctrlrange='-0.2 0.2' ctrllimited='true'/><motor tendon='grip' "
        "gear='10'/></actuator>"
        "<keyframe><key name='hold' qpos='-0.05 0 0 0 0 0.26 1 0 0 0' ctrl='-0.05 1'/></keyframe>",
        shape(d->variant));
}

static void stack(draft *d)
{
    add(d, "<worldbody>");
    floor_plane(d);
    for (int i = 0; i < 3 + d->variant % 4; i++)
        add(d, "<body pos='%g 0 %g'><freejoint/><geom %s mass='%g'/></body>", 0.01 * (i % 2), 0.0501 + 0.1002 * i,
            d->variant % 2 || i % 2 ? "type='box' size='0.1 0.1 0.05'" : "type='cylinder' size='0.1 0.05'", 1.0 + i);
    add(d, "</worldbody>");
}

/* Bodies that fall into a box of walls and form a heap. */
static void heap(draft *d)
{
    add(d, "<worldbody>");
    floor_plane(d);
    for (int i = 0; i < 4; i++)
        add(d, "<geom type='box' size='%s' pos='%d %d 0.2'/>", i < 2 ? "0.05 0.4 0.2" : "0.4 0.05 0.2",
            i < 2 ? 2 * i - 1 : 0, i < 2 ? 0 : 2 * i - 5);
    for (int i = 0; i < 12; i++)
        add(d, "<body pos='%g %g %g' euler='%d %d 0'><freejoint/><geom %s density='%d'/></body>", 0.12 * (i % 2) - 0.06,
            0.12 * (i / 2 % 2) - 0.06, 0.1 + 0.13 * (i / 4), 20 * i, 35 * i, shape(i + d->variant),
            500 * (1 + d->variant % 3));
    add(d, "</worldbody>");
}

/* A planar hopper on the spring of a spatial tendon. */
static void hopper(draft *d)
{
    add(d, "<worldbody>");
    floor_plane(d);
    add(d,
        "<body name='torso' pos='0 0 0.9'><joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 0 1'/>"
        "<joint axis='0 1 0' stiffness='50' damping='2'/><geom type='capsule' fromto='0 0 0 0 0 0.3' size='0.05' "
        "mass='3'/><site name='hip'/><body name='thigh'><joint axis='0 1 0' range='-57 57' damping='1' "
        "limited='true'/><geom type='capsule' fromto='0 0 0 0 0 -0.4' size='0.04' mass='1.5'/>"
        "<body name='shank' pos='0 0 -0.4'><joint axis='0 1 0' range='-12 115' damping='1' limited='true'/>"
        "<geom type='capsule' fromto='0 0 0 0 0 -0.35' size='0.03' mass='0.8'/><site name='heel' pos='0 0 -0.3'/>"
        "<geom name='foot' type='capsule' fromto='-0.08 0 -0.4 0.12 0 -0.4' size='0.03' mass='0.4'/></body></body>"
        "</body></worldbody><tendon><spatial name='spring' stiffness='%d' damping='5'><site site='hip'/>"
        "<site site='heel'/></spatial></tendon><sensor><touch site='heel'/></sensor>",
        400 + 200 * d->variant);
}

/* Closed loops by equality constraints. */
static void linkage(draft *d)
{
    add(d, "<worldbody>");
    floor_plane(d);
    add(d, "<body name='beam' pos='0 0 0.36'><freejoint/><geom type='box' size='0.3 0.1 0.02' mass='3'/>");
    for (int side = -1; side <= 1; side += 2)
        add(d,
            "<body name='rod%d' pos='%g 0 0' euler='0 %d 0'><joint name='j%d' axis='0 1 0' damping='0.5'/>"
            "<geom type='capsule' fromto='0 0 -0.03 0 0 -0.3' size='0.02' mass='0.3'/>"
            "<geom name='toe%d' %s pos='0 0 -0.3' mass='0.1'/></body>",
            side, 0.25 * side, 10 * side, side, side, d->variant % 2 ? shapes[0] : shapes[2]);
    add(d,
        "</body><body name='load' pos='0 0 0.44'><freejoint/><geom type='cylinder' size='0.05 0.05' mass='1'/></body>"
        "</worldbody><contact><exclude body1='rod-1' body2='rod1'/></contact><equality>");
    if (d->variant % 3 == 0)
        add(d, "<weld body1='beam' body2='load'/>");
    else if (d->variant % 3 == 1)
        add(d, "<connect body1='beam' body2='load' anchor='0 0 0.03'/>");
    add(d, "<joint joint1='j-1' joint2='j1' polycoef='0 -1 0 0 0'/></equality>");
}

static void vehicle(draft *d)
{
    add(d, "<worldbody>");
    floor_plane(d);
    add(d,
        "<geom type='box' size='0.5 1 0.04' pos='1.6 0 0' euler='0 -8 0'/>"
        "<body name='chassis' pos='0 0 0.14'><freejoint/><geom type='box' size='0.3 0.15 0.04' mass='%g'/>",
        5.0 + 3 * d->variant);
    for (int i = 0; i < 4; i++)
        add(d,
            "<body pos='%g %g -0.04' euler='90 0 0'><joint name='w%d' axis='0 0 1' damping='0.05' armature='0.01'/>"
            "<geom %s mass='0.8' friction='1.2 0.01 0.001' condim='6'/></body>",
            i < 2 ? 0.2 : -0.2, i % 2 ? 0.2 : -0.2, i,
            d->variant % 2 ? "type='cylinder' size='0.1 0.03'" : "type='ellipsoid' size='0.1 0.1 0.04'");
    add(d, "</body></worldbody><actuator>");
    for (int i = 0; i < 4; i++)
        add(d, "<velocity joint='w%d' kv='0.5' ctrlrange='-20 20' ctrllimited='true'/>", i);
    add(d, "</actuator><keyframe><key name='drive' ctrl='5 5 5 5'/></keyframe>");
}

static void terrain(draft *d)
{
    add(d, "<worldbody><geom name='field' type='hfield' hfield='Flat' material='Ground'/>"
           "<geom name='stone' type='mesh' mesh='Wedge' pos='0.5 0 0.02'/>");
    for (int i = 0; i < 4; i++)
        add(d, "<body pos='%g 0 0.2'><freejoint/><geom %s density='1500'/></body>", 0.3 * i - 0.5,
            shape(i + d->variant));
    add(d, "</worldbody>");
}

/* Fingers around a ball, with friction in their joints. */
static void hand(draft *d)
{
    add(d, "<worldbody>");
    floor_plane(d);
    add(d, "<body name='palm' pos='0 0 0.3'><geom type='box' size='0.08 0.08 0.015' mass='1'/>");
    for (int i = 0; i < 4; i++) {
        add(d,
            "<body pos='%g %g 0.01' euler='0 0 %d'><joint class='finger' axis='0 1 0'/>"
            "<geom class='tip' type='capsule' fromto='0 0 0 0 0 0.05' size='0.012'/><body pos='0 0 0.055'>"
            "<joint name='k%d' class='finger' axis='0 1 0'/><geom class='tip' type='capsule' fromto='0 0 0 0 0 0.04' "
            "size='0.011'/><geom class='tip' type='sphere' size='0.012' pos='0 0 0.045'/></body></body>",
            i < 2 ? 0.13 * i - 0.065 : 0.0, i < 2 ? 0.0 : 0.13 * i - 0.325,
            i == 0   ? 0
            : i == 1 ? 180
            : i == 2 ? 90
                     : -90,
            i);
    }
    add(d,
        "</body><body name='ball' pos='0 0 0.37'><freejoint/><geom %s mass='0.1' condim='6' "
        "friction='0.9 0.01 0.001'/></body></worldbody><actuator>",
        shape(d->variant));
    for (int i = 0; i < 4; i++)
        add(d, "<motor joint='k%d' gear='0.05'/>", i);
    add(d, "</actuator>");
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*write)(draft *d);
} families[] = {{"quadruped", quadruped}, {"biped", biped},   {"gripper", gripper}, {"stack", stack},
                {"heap", heap},           {"hopper", hopper}, {"linkage", linkage}, {"vehicle", vehicle},
                {"terrain", terrain},     {"hand", hand}};
enum { FAMILIES = sizeof families / sizeof *families };

const char *scene_family(int index) { return families[index % FAMILIES].name; }

void scene_write(int index, char text[SCENE_SIZE])
{
    static const char *const integrators[] = {"Euler", "implicit", PCM_RELEASE >= 2003003 ? "implicitfast" : "Euler",
                                              "Euler", "RK4",      "Euler"};
    static const double      steps[] = {0.002, 0.002, 0.004, 0.003, 0.002, 0.005};
    draft                    d = {text, 0, index / FAMILIES};
    add(&d, "<mujoco model='%s %d'><option timestep='%g' integrator='%s' cone='%s'/>", scene_family(index), d.variant,
        steps[d.variant % 6], integrators[d.variant % 6], d.variant % 2 ? "elliptic" : "pyramidal");
    add(&d, "<size nconmax='400' njmax='2000'/><default><geom solref='0.02 1'/>"
            "<default class='leg'><joint axis='0 1 0' damping='1' armature='0.01' limited='true'/></default>"
            "<default class='servo'><position kp='60' forcerange='-40 40' forcelimited='true'/></default>"
            "<default class='visual'><geom contype='0' conaffinity='0' group='2' mass='0'/></default>"
            "<default class='collision'><geom group='3'/><default class='foot'><geom friction='0.8 0.02 0.01' "
            "mass='0.06' priority='1'/></default></default>"
            "<default class='finger'><joint damping='0.05' frictionloss='0.01' armature='1e-3' range='-69 69' "
            "limited='true'/></default><default class='tip'><geom density='800' condim='4'/></default></default>"
            "<asset><material name='Ground'/><mesh name='Wedge' vertex='-0.06 -0.05 -0.04 0.06 -0.05 -0.04 -0.06 0.05 "
            "-0.04 0.06 0.05 -0.04 -0.05 -0.04 0.04 -0.05 0.04 0.04'/>"
            "<hfield name='Flat' nrow='21' ncol='21' size='2 2 0.1 0.1'/></asset>");
    families[index % FAMILIES].write(&d);
    add(&d, "</mujoco>");
}
