/* SPDX-License-Identifier: MIT */
/* syntax.h - the diagnostics of text and syntax: a part of the registry in core/messages.h. */
#ifndef PCM_GRAMMAR_SYNTAX_H
#define PCM_GRAMMAR_SYNTAX_H

#define PCM_SYNTAX_MESSAGE_TABLE(X)                                                                                    \
    X(101, SYNTAX, "something else was expected here")                                                                 \
    X(102, NO_SEMICOLON, "a statement or parameter lacks its ';'")                                                     \
    X(103, NO_CLOSING_BRACKET, "a block of parameters lacks its '}' or its ']'")                                       \
    X(104, UNKNOWN_STATEMENT, "a statement begins with an unknown word")                                               \
    X(105, BAD_BYTE, "a byte that has no place in a .pcm file")                                                        \
    X(106, OPEN_STRING, "a quoted text lacks its closing quote on its line")                                           \
    X(107, OPEN_UNIT, "a unit lacks its ']' on its line")                                                              \
    X(108, TOO_LONG, "a name or text is longer than 65000 bytes")                                                      \
    X(109, TOO_NESTED, "an expression has too many parentheses inside each other")                                     \
    X(110, TOO_MANY_ERRORS, "the file has more than 1000 errors of syntax; the rest of it was not read")               \
    X(111, UNREADABLE, "a file is missing, may not be read, or is no regular file")                                    \
    X(112, FILE_TOO_LARGE, "a file is larger than 1 GiB")                                                              \
    X(113, INCLUDE_CYCLE, "a file includes itself, by way of others perhaps")                                          \
    X(114, INCLUDE_DEPTH, "files include each other more than 16 deep")                                                \
    X(115, INCLUDE_COUNT, "more than 1000 files are included")                                                         \
    X(116, NOT_UTF8, "the file is UTF-16; .pcm files are ASCII or UTF-8")

enum {
#define PCM_SYNTAX_MESSAGE_ENUM(code, name, text) PCM_MSG_##name = code,
    PCM_SYNTAX_MESSAGE_TABLE(PCM_SYNTAX_MESSAGE_ENUM)
#undef PCM_SYNTAX_MESSAGE_ENUM
};

#endif
