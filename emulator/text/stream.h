/* Tokens that belong together: a file without its directives, or the body of one #define. */
#pragma once
#include "lexer.h"
#include "text.h"

/* A directive that other tokens stand between: #if, #else … #endif. */
struct mark {
    size_t token; /* the first one after it */
    enum { OPENS, GOES_ON, CLOSES } kind;
    const char *end;
    int line;
};

struct stream {
    struct token *tokens;
    size_t count, room;
    struct mark *marks;
    size_t mark_count, mark_room;
};

#define NONE ((size_t)-1)

void add_token(struct stream *s, enum kind kind, const char *at, const char *end, int line);

/* The tokens of a preprocessed text; those in files beside its source have the mark OWN. */
enum { OWN = 1 };
void read_preprocessed(struct stream *s, const struct text *text);

bool at(const struct stream *s, size_t i, const char *text);

/* The bracket that closes, or opens, the one at i; NONE: there is none. */
size_t closing(const struct stream *s, size_t i);
size_t opening(const struct stream *s, size_t i);
/* What comes behind the token at i, or behind the brackets that it opens; NONE: they stay open. */
size_t past(const struct stream *s, size_t i);

/* The '<' that belongs to the '>' at i, looking back; NONE if there is none in this statement. */
size_t opening_angle(const struct stream *s, size_t i);
/* The '>' that closes the '<' at i of a template's parameters. */
size_t closing_angle(const struct stream *s, size_t i);

/* The number of arguments between the brackets `first` and `last`. */
size_t count_arguments(const struct stream *s, size_t first, size_t last);

/* Three characters side by side; as in nvcc, there may be blanks before the last one. */
bool is_triple(const struct stream *s, size_t i, char c);

/* The text of tokens as the inside of a string. */
char *quote(const struct stream *s, size_t first, size_t last);

/* ---- words ------------------------------------------------------------------------------ */

/* Stands before a name and is not its type. */
bool is_statement_word(const struct token *t);
/* Has brackets behind it that are no parameters. */
bool is_attribute(const struct token *t);
/* A name as macros have it. */
bool is_upper(const struct token *t);

/* ---- declarations ----------------------------------------------------------------------- */

/* The first token of the declaration or statement that reaches the token at i. */
size_t declaration_start(const struct stream *s, size_t i);
bool starts_declaration(const struct stream *s, size_t i);

/* The `<` of a `template <…>` whose declaration reaches the token at i, or NONE. */
size_t template_of(const struct stream *s, size_t i);

/* How many arguments a function takes whose parameters stand between these brackets. */
void count_parameters(const struct stream *s, size_t open, size_t close, size_t *fewest,
                      size_t *most);

/* ---- lines of a preprocessed text -------------------------------------------------------- */

/* A line marker, # 12 "FILE" 1 3, names the file of the next line. */
struct marker {
    int line;
    const char *file;
    size_t length;
    bool begins, ends, system; /* 1: an include begins, 2: it has ended, 3: of the system */
};

/* False: the line is none. */
bool read_marker(const char *line, struct marker *marker);

/* The directory of the first .cu file that the text names, with its slash; NULL: there is none. */
char *source_directory(const struct text *text);

/* The line with copies as functions, which are watched, in place of the compiler's own. */
void write_watched(struct text *out, const char *line);
