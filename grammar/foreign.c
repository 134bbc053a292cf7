/* SPDX-License-Identifier: MIT */
#include "foreign.h"
#include "scan.h"
#include "suggest.h"

#include <string.h>

static const char type_says[] =
    "a law and its numbers are written ContactType Floor = CompliantGround { Friction = 0.6; };";
static const char rule_says[] =
    "the scene stays in its own file, and a rule gives two of its objects a law: ObjectPair "
    "Foot * Floor -> Ground;";
static const char code_says[] =
    "a .pcm file has no commands: a number is named by Let mu = 0.6; and used in ContactType "
    "Floor = CompliantGround { Friction = mu; };";
static const char table_says[] = "a table is a file of its own, and a list one of its columns: Depths = "
                                 "\"pad.csv\".depth;";

static const char *const statements[] = {"ContactType", "ObjectPair", "SurfacePair", "DefaultPair",
                                         "Surface",     "Material",   "Let",         "Include"};

/* The first words of lines by language, with blanks around each. */
static const struct {
    const char *words, *language, *says;
} languages[] = {
    {" pair_style pair_coeff atom_style atom_modify fix compute units timestep boundary region create_box create_atoms "
     "dump "
     "thermo newton neighbor neigh_modify variable run group read_data velocity special_bonds mass ",
     "LAMMPS", "its input script stays in its own file and reads this one: pair_style pcm FILE.pcm"},
    {" import from def class print for if elif else while return with try pass assert raise ", "Python", code_says},
    {" namespace using struct typedef void template public private extern enum static_cast switch ", "C or C++",
     code_says},
    {" function clear clc close disp fprintf figure addpath end ", "MATLAB", code_says},
    {" fn use impl pub mod module begin export require console async proc puts echo set source local ",
     "a programming language", code_says},
    {" model equation within package connector extends annotation ", "Modelica", code_says},
    {" program subroutine implicit integer call ", "Fortran", code_says},
    {" ball wall clump cmat zone ", "PFC", type_says},
    {" WorldInfo ContactProperties Solid DEF PROTO Shape Robot ", "VRML", rule_says},
    {" MP ET KEYOPT TB TBDATA RMODIF ", "ANSYS", type_says},
};

/* The tags that show which kind of XML it is. */
static const struct {
    const char *tags, *language;
} documents[] = {
    {" mujoco compiler option default worldbody asset geom body joint site contact pair exclude actuator ", "MJCF"},
    {" sdf surface friction ode bullet mu mu2 torsional collision kp kd world model gazebo bounce ", "SDFormat"},
    {" robot link xacro inertial visual ", "URDF"},
};

/* Words before the name of a number, with blanks around each. */
static const char declares[] =
    " const constexpr static double float int real auto var val local final unsigned long mut let "
    "string String number Real real64 f64 parameter Dim define ";

/* ---- Text ------------------------------------------------------------------------------------------------------- */

static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (is_letter(text[length]) || (length > 0 && (is_digit(text[length]) || text[length] == '.')))
        length++;
    return length;
}

static size_t blanks(const char *text) { return scan_over(text, " \t"); }

static size_t line_length(const char *text) { return scan_to(text, "\r\n"); }

/* Whether the list has the word between blanks. */
static bool has_word(const char *list, const char *word, size_t length)
{
    for (const char *at = strchr(list, ' '); at != NULL && at[1] != '\0'; at = strchr(at + 1, ' '))
        if (scan_same(at + 1, word, length) && at[1 + length] == ' ')
            return true;
    return false;
}

static bool is_statement(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        if (strlen(statements[i]) == length && scan_same(statements[i], word, length))
            return true;
    return false;
}

/* Whether the word is probably a mistyped keyword. */
static bool is_nearly_statement(const char *word, size_t length)
{
    pcm_suggestion suggestion = pcm_suggest(word, length);
    for (size_t i = 0; i < sizeof statements / sizeof *statements; i++)
        pcm_suggest_try(&suggestion, statements[i], strlen(statements[i]));
    return suggestion.best != NULL;
}

/* The bytes up to the next line that begins with a statement. */
static size_t to_statement(const char *text)
{
    const char *at = text + scan_to(text, "\n");
    while (*at == '\n') {
        const char  *line = at + 1 + blanks(at + 1);
        const size_t word = word_length(line);
        if (word > 0 && is_statement(line, word))
            return (size_t)(at + 1 - text);
        at = line + scan_to(line, "\n");
    }
    return (size_t)(at - text);
}

static bool take_lines(const char *text, size_t length, const char *language, const char *says, pcm_foreign *found)
{
    *found = (pcm_foreign){.kind = PCM_FOREIGN_LINES,
                           .language = language,
                           .says = says,
                           .length = length > 0 ? length : 1,
                           .end = to_statement(text)};
    return true;
}

/* ---- Signs ------------------------------------------------------------------------------------------------------ */

static bool read_comment(const char *text, pcm_foreign *found)
{
    static const char *const marks[] = {"--", "!", "$ ", ";;", "'", "REM ", "(*", "<!--"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const size_t length = strlen(marks[i]);
        if (!scan_same(text, marks[i], length) || scan_same(text, "---", 3))
            continue;
        const size_t line = line_length(text);
        if (*text == '<' && (line < 7 || !scan_same(text + line - 3, "-->", 3)))
            continue;
        *found = (pcm_foreign){
            .kind = PCM_FOREIGN_COMMENT, .length = marks[i][length - 1] == ' ' ? length - 1 : length, .end = line};
        return true;
    }
    return false;
}

static bool read_xml(const char *text, pcm_foreign *found)
{
    const char  *tag = text + 1 + scan_over(text + 1, "/?!");
    const size_t length = word_length(tag);
    if (*text != '<')
        return false;
    for (size_t i = 0; i < sizeof documents / sizeof *documents; i++)
        if (has_word(documents[i].tags, tag, length))
            return take_lines(text, (size_t)(tag - text) + length, documents[i].language, rule_says, found);
    return take_lines(text, (size_t)(tag - text) + length, "XML", rule_says, found);
}

static bool read_sign(const char *text, pcm_foreign *found)
{
    static const struct {
        const char *start, *language, *says;
    } signs[] = {{"---", "YAML", type_says},     {"- ", "YAML", type_says},
                 {"[", "TOML", type_says},       {"{", "JSON", type_says},
                 {"\\", "LaTeX", type_says},     {"`", "Markdown", type_says},
                 {"|", "Markdown", table_says},  {"(", "Lisp", code_says},
                 {"@", "Python", code_says},     {"*", "Abaqus or LS-DYNA", type_says},
                 {"/PREP7", "ANSYS", type_says}, {"&", "Fortran", type_says}};
    if (read_comment(text, found) || read_xml(text, found))
        return true;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t length = strlen(signs[i].start);
        if (scan_same(text, signs[i].start, length))
            return take_lines(text, length + word_length(text + length), signs[i].language, signs[i].says, found);
    }
    return *text == '"' && text[1 + scan_to(text + 1, "\"\n")] == '"' &&
           text[2 + scan_to(text + 1, "\"\n") + blanks(text + 2 + scan_to(text + 1, "\"\n"))] == ':' &&
           take_lines(text, 2 + scan_to(text + 1, "\"\n"), "JSON", type_says, found);
}

/* ---- Words ------------------------------------------------------------------------------------------------------ */

/* "mu = 0.6", "mu := 0.6", "mu <- 0.6", and words of a declaration before it. */
static bool read_number(const char *text, pcm_foreign *found)
{
    size_t name = 0, length = word_length(text);
    while (has_word(declares, text + name, length) && is_letter(text[name + length + blanks(text + name + length)])) {
        name += length + blanks(text + name + length);
        length = word_length(text + name);
    }
    const size_t sign = name + length + blanks(text + name + length);
    const size_t of_sign = text[sign] == '=' && text[sign + 1] != '='                           ? 1
                           : scan_same(text + sign, ":=", 2) || scan_same(text + sign, "<-", 2) ? 2
                                                                                                : 0;
    const size_t value = sign + of_sign + blanks(text + sign + of_sign), of_value = scan_to(text + value, ";#\r\n");
    if (of_sign == 0 || length == 0 || strchr("0123456789.+-(", text[value]) == NULL ||
        memchr(text + value, '{', of_value) != NULL)
        return false;
    *found = (pcm_foreign){.kind = memchr(text + name, '.', length) != NULL ? PCM_FOREIGN_MEMBER : PCM_FOREIGN_NUMBER,
                           .length = name + length,
                           .end = value + of_value + (text[value + of_value] == ';'),
                           .name = name,
                           .name_length = length,
                           .sign = sign,
                           .sign_length = of_sign,
                           .value = value,
                           .value_length = of_value};
    while (found->value_length > 0 &&
           (text[value + found->value_length - 1] == ' ' || text[value + found->value_length - 1] == '\t'))
        found->value_length--;
    return true;
}

static bool read_word(const char *text, pcm_foreign *found)
{
    const size_t length = word_length(text);
    const char  *next = text + length + blanks(text + length);
    if (length == 0 || is_statement(text, length))
        return false;
    if (scan_same(next, "::", 2))
        return take_lines(text, length, "C++", code_says, found);
    if (*next == ':' && next[1] != '=' && strchr(" \t\r\n", next[1]) != NULL)
        return take_lines(text, length, "YAML", type_says, found);
    if (has_word(declares, text, length) && read_number(text, found))
        return true;
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        if (has_word(languages[i].words, text, length) && *next != '=')
            return take_lines(text, length, languages[i].language, languages[i].says, found);
    if (is_nearly_statement(text, length))
        return false;
    if (*next == ',')
        return take_lines(text, length, "a table", table_says, found);
    if (*next == '(')
        return take_lines(text, length, "a programming language", code_says, found);
    return read_number(text, found);
}

bool pcm_foreign_read(const char *text, pcm_foreign *found) { return read_sign(text, found) || read_word(text, found); }
