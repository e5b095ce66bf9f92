/* contract FUNCTION WATCH.o ENTRY_POINTS [--evidence=FILE] OBJECT...
 * Has the objects of a step keep to the contract, whatever made them. What the first one contains
 * that a step has no use for goes to FILE (evidence.h). What is not there is left out: the counted
 * build may be missing.
 *
 * Only the contract's functions leave an object: whatever else it defines, be it called send, main
 * or cudaEventRecord, never takes the place of what the harness calls. (What C++ has only one of in
 * a program, such as CUB's inline variables, cannot be made local; no name in C begins like theirs.
 * Assembly can do the same with other names: such an object is refused. A static libstdc++ needs
 * the pointer to C++'s personality routine, of which the linker keeps one.) Its calls of CUDA's
 * functions that a timed call should not use go through those of common/runner/watch.c, WATCH.o.
 * Of the others it may call those that the file ENTRY_POINTS has.
 *
 * Exit status: 0 done, 1 an object is refused, 2 wrong usage, 3 one cannot be read. */
#include "evidence.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static _Noreturn void cannot(const char *what, const char *path) {
    fprintf(stderr, "contract: cannot %s %s\n", what, path);
    exit(3);
}

static void open_object(struct object *o, const char *path) {
    if (!object_open(o, path))
        cannot("read", path);
}

static bool stays(const char *name, const char *section, const void *function) {
    (void)section;
    return is_of_contract(name, function) || strcmp(name, "DW.ref.__gxx_personality_v0") == 0;
}

static void find_watched(const char *path, struct renames *watched) {
    static const char prefix[] = "lab_watched_";
    struct object o;
    open_object(&o, path);
    for (size_t i = 1; i < o.symbol_count; i++) {
        const char *name = name_of(&o, &o.symbols[i]);
        if (o.symbols[i].st_shndx != SHN_UNDEF && begins_with(name, prefix))
            renames_add(watched, name + strlen(prefix), name);
    }
}

/* Returns whether nothing of it is refused. */
static bool write_evidence(const char *path, const char *object, const char *function,
                           const struct text *entry_points) {
    struct object o;
    struct text evidence = {0}, errors = {0};
    open_object(&o, object);
    if (!find_evidence(&o, function, entry_points->at, &evidence, &errors))
        cannot("disassemble", object);
    if (!text_write(path, evidence.at ? evidence.at : "", evidence.size))
        cannot("write", path);
    fputs(errors.at ? errors.at : "", stderr);
    return !errors.size;
}

/* Returns whether nothing else leaves it. */
static bool keep_to_contract(const char *path, const char *function,
                             const struct renames *watched) {
    struct object o;
    bool kept = true;
    if (!symbols_change(
            path, &(struct symbol_changes){.renames = watched, .stays = stays, .data = function}))
        cannot("change", path);
    open_object(&o, path);
    for (size_t i = 1; i < o.symbol_count; i++) {
        const Elf64_Sym *symbol = &o.symbols[i];
        const char *name = name_of(&o, symbol);
        if (symbol->st_shndx == SHN_UNDEF || ELF64_ST_BIND(symbol->st_info) == STB_LOCAL ||
            begins_with(name, "_Z") || stays(name, "", function))
            continue;
        fprintf(stderr, "error: the step leaves %s to the link\n", name);
        kept = false;
    }
    return kept;
}

/* Those of the file, and those that are watched. */
static struct text read_entry_points(const char *path, const struct renames *watched) {
    bool ok;
    struct text names = text_read(path, &ok);
    if (!ok)
        cannot("read", path);
    for (size_t i = 0; i < watched->count; i++)
        text_print(&names, "%s\n", watched->list[i].from);
    return names;
}

int main(int count, char **words) {
    static const char option[] = "--evidence=";
    struct renames watched = {0};
    bool evidence = count > 4 && begins_with(words[4], option), kept = true;
    int first = evidence ? 5 : 4;
    if (count <= first) {
        fputs("contract: use: contract FUNCTION WATCH.o ENTRY_POINTS [--evidence=FILE] OBJECT...\n",
              stderr);
        return 2;
    }
    find_watched(words[2], &watched);
    if (evidence) {
        struct text entry_points = read_entry_points(words[3], &watched);
        kept = write_evidence(words[4] + strlen(option), words[5], words[1], &entry_points);
    }
    for (int i = first; i < count; i++)
        if (access(words[i], F_OK) == 0)
            kept &= keep_to_contract(words[i], words[1], &watched);
    return !kept;
}
