/* What the files of this room do, each with a part of the source. */
#pragma once
#include "rewrite.h"
#include "../text/stream.h"

/* ---- what is known of a source meanwhile, with the headers that it includes ------------------ */

/* The file that is read: FILE.cu, or one that it includes. */
struct file {
    struct file *includer;
    const char *path;
    char *source;
    struct edits edits;
    struct conditional *innermost;
    struct directives *open; /* of the #if that is read */
    char *quoted;            /* the path inside a string */
    bool once;               /* it has #pragma once, which stands here */
    const char *once_at;
    size_t once_length;
    bool has_more_lines; /* than the source */
    size_t changes;      /* edits, once they are made */
    size_t paths;        /* those that only say where a file is */
};

/* A file and what it becomes; `text` is NULL while it is read. */
struct header {
    struct header *next;
    char *real_path;
    struct file file;
    char *text;
    char *written; /* the path of what it becomes, once that is a file */
};

struct kernel {
    const struct token *name;
    bool is_template;
    size_t parameters;   /* of the template; SIZE_MAX if they cannot be counted */
    size_t fewest, most; /* arguments of a call */
};

/* Another function, a variable or a macro: it may have a kernel's name. */
struct declared {
    const struct token *name;
    bool is_overload; /* a function that is no member */
    bool is_device;   /* declared for it, or maybe so, alone or for both */
};

struct names {
    struct declared *list;
    size_t count, room;
};

struct unit {
    struct manner manner;
    bool host_only; /* a program's .cpp file, which nvcc leaves to the host's compiler */
    struct file *file;
    struct kernel *kernels;
    size_t kernel_count, kernel_room;
    struct names others;
    struct names device_macros; /* with __device__ or __global__ in them: DEVICE or HOST_DEVICE */
    struct names constants;     /* variables, but for arrays */
    struct names dynamic;       /* arrays of dynamic shared memory; their types stand before them */
    struct directives *directives; /* see sides.c */
    bool asks_for_architecture;    /* __CUDA_ARCH__ stands in some file */
    struct header *headers;
    size_t headers_written;
    bool said_thrust;      /* that it is not here */
    struct text notes;     /* lines for people */
    struct text functions; /* see rewrite.h */
    /* Reads file->path and returns what it becomes. */
    char *(*rewrite_file)(struct unit *u, struct file *file);
};

void names_add(struct names *names, struct declared name);
bool names_have(const struct names *names, const struct token *t);

/* A change of the file that is read. */
#define change(u, ...) edit(&(u)->file->edits, __VA_ARGS__)

#define drop(u, at, length) edit(&(u)->file->edits, at, length, "%s", "")

/* An error for the compiler, if it ever gets to `where`. */
__attribute__((format(printf, 3, 4))) void complain(struct unit *u, const char *where,
                                                    const char *format, ...);

/* What cannot be read at all: the notes and the line go to stderr, and the exit status is 1. */
__attribute__((format(printf, 3, 4))) _Noreturn void fail(struct unit *u, int line,
                                                          const char *format, ...);

/* ---- scopes.c: the braces around a token ---------------------------------------------------- */

enum { SCOPES = 256, CONDITIONS = 64 };

struct nest {
    size_t depth;
    unsigned char scopes[SCOPES];
};

/* A way through a stream, with the braces around each token. After #else: those before #if. */
struct walk {
    const struct stream *s;
    size_t mark;
    struct nest now, saved[CONDITIONS];
    size_t saves;
};

/* Reaches the token at i: to be called for each, in order. Of a brace it returns what it opens or
 * closes, if that is a function's body; else INSIDE. */
enum scope walk_to(const struct unit *u, struct walk *w, size_t i);

/* The function around the token that was reached: HOST, DEVICE, BOTH, or TYPE if there is none. */
enum scope function_of(const struct nest *n);

/* Whether anything but namespaces is around it. */
bool in_braces(const struct nest *n);

/* ---- code.c: everything in a file's code, and in what #define stands for ------------------ */

/* What stands between these in a file becomes two branches: see both_sides(). */
enum { SIDES_BEGIN = 1, SIDES_END };

void read_code(struct unit *u, const struct stream *s);

/* The body of a #define. */
void read_body(struct unit *u, const struct stream *s);

/* ---- includes.c --------------------------------------------------------------------------- */

/* #include …, from `hash` to `end`. */
void read_include(struct unit *u, const char *hash, const char *end, int line);

/* The file at `path`, which is kept. It is read once: to read headers at each #include would take
 * hours. NULL if it is being read: it includes itself, and has a guard against that. */
struct header *read_header(struct unit *u, const char *path);

/* ---- conditionals.c: #if, and what the emulator lacks ------------------------------------- */

/* One of the directives of an #if, of which these are the words, from `hash` to `end`, in that
 * line. */
void read_conditional(struct unit *u, const struct stream *words, const char *hash, const char *end,
                      int line, struct stream *code);

/* If the emulator lacks what one of the tokens from `first` on means, the branch around it does. */
void note_lacking(struct unit *u, const struct stream *s, size_t first);

/* Whether the asm at i is more than asm volatile("" ::: "memory"), or may be: a step has none. */
bool has_assembly(const struct unit *u, const struct stream *s, size_t i);

/* ---- sides.c: macros that an #if defines by __CUDA_ARCH__ --------------------------------- */
/* nvcc compiles the host's code without that, so there they may have another value. */

/* The directive from `hash` to `end`, of these words: an #if goes with all that belongs to it. */
void note_directive(struct unit *u, const struct stream *words, const char *hash, const char *end);

/* The emulator takes the host's way on both sides of this #if. */
void leave_directives(struct unit *u);

/* The directives that make __CUDA_ARCH__ and these macros what they are on one side, from t on. */
char *directives_of(const struct unit *u, const struct token *t, bool host);

/* ---- functions.c: which there are ---------------------------------------------------------- */

const struct kernel *find_kernel(const struct unit *u, const struct token *name);

/* Whether only the arguments of a launch tell which kernel it means. */
bool is_overloaded(const struct unit *u, const struct kernel *kernel);

/* __device__, __global__, or a macro with one of them in it. */
bool is_device_word(const struct unit *u, const struct token *t);

/* `__global__ … void name(`: the name is the last one before the parameters. */
void note_kernel(struct unit *u, const struct stream *s, size_t i);

/* __launch_bounds__ at i: how many threads a block may have, behind the kernel. */
void keep_bounds(struct unit *u, const struct stream *s, size_t i);

/* If the token at i is the name that a declaration gives to a function or a variable, note it. */
void note_declared(struct unit *u, const struct stream *s, size_t i, bool in_namespace);

/* Whether the function whose body opens at `open` has a declaration with __device__, or without. */
bool is_declared(const struct unit *u, const struct stream *s, size_t open, bool device);

/* ---- launches.c --------------------------------------------------------------------------- */

/* The launch whose <<< begins at i. */
void rewrite_launch(struct unit *u, const struct stream *s, size_t i, bool on_device);

/* (void *)kernel: the address by which it is launched later. What is no kernel's name, but the
 * first argument of a launch, may point to one. */
void know_kernel(struct unit *u, const struct stream *s, size_t i);

/* ---- variables.c: shared memory, and variables of the device ------------------------------ */

/* If a declaration of dynamic shared memory starts at i, rewrite it and return its end. */
size_t try_dynamic_shared(struct unit *u, const struct stream *s, size_t i, bool in_function);

/* If the declaration at i is of a __device__, __constant__ or __managed__ variable, or of a static
 * one of a device function, say so to the compiler: EMULATOR_VARIABLE in cuda_runtime.h. Of a
 * member of a class these words say nothing. */
void mark_variable(struct unit *u, const struct stream *s, size_t i, enum scope function,
                   bool in_class);

/* ---- refusals.c: what nvcc refuses and a C++ compiler does not see ------------------------ */

/* If a declaration begins at i. */
void refuse_declaration(struct unit *u, const struct walk *walk, size_t i);

/* The token at i, in the body of a function. */
void refuse_word(struct unit *u, const struct stream *s, size_t i, enum scope function);
