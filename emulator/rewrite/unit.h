/* What is known of a source while it is rewritten, with the headers that it includes. */
#pragma once
#include "../text/edits.h"
#include "../text/stream.h"

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

/* How a source is to be rewritten. */
struct manner {
    bool any_program; /* of somebody's own, which nobody grades */
    bool older;       /* for a toolkit before CUDA 13 */
    /* Directories in which a program has headers, beside its own (-I). A step has none. */
    const char *const *directories;
    size_t directory_count;
    /* Directories of headers that a program may include, and a step may not: those of libraries/
     * that stand for the toolkit's, and CCCL's, where Thrust is. NULL: there are none. */
    const char *libraries, *cccl;
    /* A directory for headers that have something to rewrite in them: each is written there once.
     * Where headers with CUDA in them include each other often, as Boost's do, there is no end to a
     * text with all of them in it. NULL: a header's text takes the place of its #include. */
    const char *headers;
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
    struct directives *directives; /* see sides.h */
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
