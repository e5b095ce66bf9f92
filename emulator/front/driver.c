#define _GNU_SOURCE
#include "builds.h"
#include "options.h"
#include "object.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where the toolkit is, what it says that it is, and a folder of this call. */
struct toolkit {
    char *root, *include, *libraries, *folder;
    unsigned major, minor;
};

/* A source for the host's compiler. */
static bool is_host_source(const char *path) {
    const char *ending = strrchr(base_name(path), '.');
    return ending && strstr(" .c .cc .cxx .cpp .C ", format_text(" %s ", ending));
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk) {
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

static char *folder_to_remove;
static void remove_folder(void) { nftw(folder_to_remove, remove_one, 16, FTW_DEPTH | FTW_PHYS); }

/* EMULATOR_CUDA=8.0, or a folder that is named cuda-8.0; else 13.0. */
static void find_version(struct toolkit *t) {
    const char *asked = getenv("EMULATOR_CUDA"), *name = strrchr(t->root, '/');
    t->major = 13;
    if (!asked && name && begins_with(name, "/cuda-"))
        asked = name + strlen("/cuda-");
    if (asked && sscanf(asked, "%u.%u", &t->major, &t->minor) < 1)
        t->major = 0;
    if (t->major < 5 || t->major > 13)
        fatal("EMULATOR_CUDA=%s: the versions are 5 to 13", asked);
}

static struct toolkit find_toolkit(void) {
    struct toolkit t = {0};
    char self[4096], folder[] = "/tmp/nvcc-XXXXXX";
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    for (int i = 0; i < 2 && strchr(self, '/'); i++)
        *strrchr(self, '/') = '\0';
    t.root = format_text("%s", self);
    t.include = format_text("%s/include", self);
    t.libraries = format_text("%s/lib64", self);
    const char *place = getenv("TMPDIR");
    t.folder = place ? format_text("%s/nvcc-XXXXXX", place) : format_text("%s", folder);
    if (!mkdtemp(t.folder))
        fatal("cannot write to %s: %s", t.folder, strerror(errno));
    folder_to_remove = t.folder = realpath(t.folder, NULL); /* as headers are named */
    atexit(remove_folder);
    find_version(&t);
    return t;
}

/* Says what is run, as --dryrun and --verbose want it. False: it failed. */
static bool run(const struct options *o, const struct command *command) {
    if (o->verbose || o->dry) {
        fputs("#$ ", stderr);
        for (size_t i = 0; i < command->count; i++) { /* as CMake and makefiles look for them */
            const char *word = command->words[i];
            bool names = i > 0 && (*word != '-' || begins_with(word, "-L"));
            fprintf(stderr, names ? "\"%s\" " : "%s ", word);
        }
        fputc('\n', stderr);
    }
    return o->dry || command_run(command, NULL, NULL, NULL) == 0;
}

/* CMake reads this. */
static void tell_settings(const struct toolkit *t) {
    fprintf(stderr,
            "#$ _NVVM_BRANCH_=nvvm\n#$ _SPACE_= \n#$ _CUDART_=cudart\n#$ _HERE_=%s/bin\n"
            "#$ TOP=%s\n#$ PATH=%s/bin:%s\n#$ INCLUDES=\"-I%s\"  \n#$ LIBRARIES=  \"-L%s\"\n"
            "#$ CUDAFE_FLAGS=\n#$ PTXAS_FLAGS=\n#$ emulated -arch compute_%s\n",
            t->root, t->root, t->root, getenv("PATH") ? getenv("PATH") : "", t->include,
            t->libraries,
            t->major < 9    ? "30"
            : t->major < 13 ? "52"
                            : "75");
}

/* ---- compile ---------------------------------------------------------------------------- */

static char *with_ending(const char *path, const char *ending) {
    const char *name = base_name(path), *dot = strrchr(name, '.');
    return format_text("%.*s%s", dot ? (int)(dot - name) : (int)strlen(name), name, ending);
}

static bool is_cuda(const struct options *o, const char *path) {
    return o->language ? strcmp(o->language, "cu") == 0 : ends_in(path, ".cu");
}

/* What both languages get. */
static void add_flags(struct command *c, const struct options *o, const struct toolkit *t) {
    command_list(c, o->compiler.words);
    command_add(c, format_text("-I%s", t->include));
}

static char *version_flag(const struct toolkit *t) {
    return format_text("-DEMULATOR_CUDA=%u%02u0", t->major, t->minor);
}

static struct source cuda_source(const struct options *o, const struct toolkit *t, const char *path,
                                 const char *base) {
    struct source source = {.path = path,
                            .program = true,
                            .older = t->major < 13,
                            .relaxed = o->relaxed_constexpr,
                            .libraries = t->include,
                            .base = base};
    struct command *c = &source.compiler;
    const char *slash = strrchr(path, '/');
    /* addr2line takes one file for another in newer tables of lines. */
    command_words(c, o->host_compiler, o->standard, "-gdwarf-4", "-fno-strict-aliasing", "-w",
                  version_flag(t), format_text("-D__CUDACC_VER_MAJOR__=%u", t->major),
                  format_text("-D__CUDACC_VER_MINOR__=%u", t->minor), "-D__CUDACC_VER_BUILD__=88",
                  "-D__NVCC__=1",
                  /* whose lines they are, for those who tell of places in a program */
                  format_text("-fdebug-prefix-map=%s=/emulator/include", t->include));
    if (o->separate)
        command_add(c, "-D__CUDACC_RDC__=1");
    if (o->extended_lambda)
        command_add(c, "-D__CUDACC_EXTENDED_LAMBDA__=1");
    if (o->relaxed_constexpr)
        command_add(c, "-D__CUDACC_RELAXED_CONSTEXPR__=1");
    const char *beside = slash ? format_text("%.*s", (int)(slash - path), path) : ".";
    command_words(c, "-iquote", beside); /* what is compiled stands elsewhere */
    add_flags(c, o, t);
    command_words(c, format_text("-I%s", beside), "-I."); /* as rewriting writes paths */
    char *cccl = format_text("%s/cccl", t->root);         /* where Thrust is */
    if (access(cccl, R_OK) == 0)
        command_add(c, format_text("-isystem%s", cccl));
    return source;
}

/* The author's file, of which rewriting made this one. */
static char *author_of(const char *made) {
    bool ok;
    const struct text text = text_read(made, &ok);
    const char *line = strstr(text.at, "#line 1 \""), *name = line ? strchr(line, '"') + 1 : made;
    return format_text("%.*s", (int)strcspn(name, "\""), name);
}

/* What depends on what, for make, about the author's files. */
static bool write_dependencies(const struct options *o, const char *base, const char *object) {
    bool ok;
    struct text rules = text_read(format_text("%s.d", base), &ok), out = {0};
    const char *at = rules.at;
    for (const char *found; (found = strstr(at, base));) {
        text_add(&out, at, (size_t)(found - at));
        at = found + strcspn(found, " :\n");
        text_put(&out, author_of(format_text("%.*s", (int)(at - found), found)));
    }
    text_put(&out, at);
    if (o->dependencies && !o->dependency_file) {
        fputs(out.at, stdout);
        return ok;
    }
    char *file =
        o->dependency_file ? format_text("%s", o->dependency_file) : with_ending(object, ".d");
    return ok && text_write(file, out.at, out.size);
}

static enum build kind_of_build(void) {
    const char *kind = getenv("EMULATOR_BUILD");
    return kind && strcmp(kind, "plain") == 0     ? PLAIN
           : kind && strcmp(kind, "counted") == 0 ? COUNTED
                                                  : CHECKED;
}

static bool is_no_device_variable(const char *name, const char *section, const void *unused) {
    (void)name, (void)unused;
    return !begins_with(section, "emulator_");
}

/* Without -rdc each file has its own variables of the device: others may have the same names. */
static bool keep_variables(const char *object) {
    return symbols_change(object, &(struct symbol_changes){.stays = is_no_device_variable});
}

static bool compile_cuda(const struct options *o, const struct toolkit *t, const char *path,
                         const char *object) {
    char *base = format_text("%s/%d-%s", t->folder, (int)getpid(), base_name(path));
    struct source source = cuda_source(o, t, path, base);
    source.targets = o->target ? o->target : object;
    struct text said = {0};
    bool ok;
    if (o->verbose || o->dry)
        fprintf(stderr, "#$ emulated -arch compute_75 -c %s -o %s\n", path, object);
    if (o->dry)
        return true;
    if (!preprocess(&source))
        return false;
    if (o->preprocess_only) {
        struct text text = text_read(format_text("%s.ii", base), &ok);
        return o->output ? text_write(o->output, text.at, text.size)
                         : fputs(text.at, stdout) != EOF;
    }
    if (o->dependencies)
        return write_dependencies(o, base, object);
    bool done = build_object(kind_of_build(), &source, object, &said);
    fputs(said.at ? said.at : "", stderr);
    done = done && (o->separate || keep_variables(object));
    return done && (!o->dependencies_too || write_dependencies(o, base, object));
}

/* A source of the host's goes to the host's compiler as it is. */
static bool compile_host(const struct options *o, const struct toolkit *t, const char *path,
                         const char *object) {
    struct command c = {0};
    command_add(&c, o->host_compiler);
    if (o->given_standard && !ends_in(path, ".c"))
        command_add(&c, o->standard);
    command_add(&c, "-g");
    if (ends_in(path, ".c"))
        command_words(&c, "-x", "c");
    add_flags(&c, o, t);
    command_add(&c, version_flag(t));
    if (o->dependencies_too || o->dependencies) {
        command_add(&c, o->dependencies ? "-M" : "-MD");
        if (o->dependency_file)
            command_add(&c, format_text("-MF%s", o->dependency_file));
        if (o->target)
            command_add(&c, format_text("-MT%s", o->target));
    }
    if (o->preprocess_only || o->dependencies)
        command_words(&c, "-E", path);
    else
        command_words(&c, "-c", path, "-o", object);
    return run(o, &c);
}

/* A file of CUDA's in a process of its own, with which its memory ends. */
static bool compile(const struct options *o, const struct toolkit *t, const char *path,
                    const char *object) {
    int status = 1;
    if (!is_cuda(o, path))
        return compile_host(o, t, path, object);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        status = !compile_cuda(o, t, path, object);
        fflush(NULL);
        _exit(status);
    }
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

/* ---- link ------------------------------------------------------------------------------- */

/* The checked one serves objects of the plain build too. */
static const char *runtime_of(const struct toolkit *t) {
    const char *kind = kind_of_build() == COUNTED ? "/counted"
                       : kind_of_build() == PLAIN ? "/plain"
                                                  : "";
    return format_text("%s%s/libcudart_static.a", t->libraries, kind);
}

/* A function of the device in a header is in every object that includes it: nvcc's host compiler
 * never sees it, and the linker takes one of them. */
static bool link_program(const struct options *o, const struct toolkit *t,
                         const struct command *objects) {
    struct command c = {0};
    command_add(&c, o->host_compiler);
    command_list(&c, objects->words);
    command_words(&c, "-o", o->output ? o->output : "a.out");
    if (o->shared)
        command_add(&c, "-shared");
    command_words(&c, format_text("-L%s", t->libraries), format_text("-L%s/stubs", t->libraries));
    command_list(&c, o->linker.words);
    command_add(&c, "-Wl,-z,muldefs");
    if (!o->shared)
        command_words(&c, "-lcudadevrt", runtime_of(t));
    command_words(&c, "-lrt", "-lpthread", "-ldl", "-lm");
    return run(o, &c);
}

static bool make_library(const struct options *o, const struct command *objects) {
    struct command c = {0};
    command_words(&c, "ar", "rcs", o->output ? o->output : "a.a");
    command_list(&c, objects->words);
    return run(o, &c);
}

/* There is no code of the device apart from the host's to link. */
static bool link_device(const struct options *o) {
    struct command c = {0};
    struct text none = {0};
    command_words(&c, o->host_compiler, "-c", "-x", "c", "-", "-o",
                  o->output ? o->output : "a_dlink.o");
    text_put(&none, "\n");
    return command_run(&c, &none, NULL, NULL) == 0;
}

static bool run_program(const struct options *o) {
    const char *name = o->output ? o->output : "a.out";
    struct command c = {0};
    command_add(&c, strchr(name, '/') ? name : format_text("./%s", name));
    return command_run(&c, NULL, NULL, NULL) == 0;
}

/* Compiles what is a source; what is left is linked in the order in which it was named. */
static bool build_all(const struct options *o, const struct toolkit *t) {
    struct command objects = {0};
    bool only = o->compile_only || o->preprocess_only || o->dependencies;
    for (size_t i = 0; i < o->inputs.count; i++) {
        const char *path = o->inputs.words[i];
        bool source = o->language || ends_in(path, ".cu") || is_host_source(path);
        if (!source) {
            command_add(&objects, path);
            continue;
        }
        char *object = with_ending(path, ".o");
        if (!only)
            object = format_text("%s/%zu-%s", t->folder, i, object);
        else if (o->output && !o->preprocess_only && !o->dependencies)
            object = format_text("%s", o->output);
        if (!compile(o, t, path, object))
            return false;
        command_add(&objects, object);
    }
    if (only)
        return true;
    if (o->device_link)
        return link_device(o);
    if (o->library)
        return make_library(o, &objects);
    return link_program(o, t, &objects) && (!o->run || run_program(o));
}

static int tell_version(const struct toolkit *t) {
    printf("nvcc: NVIDIA (R) Cuda compiler driver\n"
           "(emulated: the programs that it builds run on the CPU)\n"
           "Cuda compilation tools, release %u.%u, V%u.%u.88\n",
           t->major, t->minor, t->major, t->minor);
    return 0;
}

int drive(int count, char **words) {
    struct options o = options_read(count, words);
    struct toolkit t = find_toolkit();
    if (o.version)
        return tell_version(&t);
    if (!o.inputs.count)
        fatal("No input files specified; use option --help for more information");
    if (o.verbose || o.dry)
        tell_settings(&t);
    return !build_all(&o, &t);
}
