/* What the files of this room do, each with a part of the source. */
#pragma once
#include "scopes.h"

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
