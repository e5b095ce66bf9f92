#include "evidence.h"
#include "front/process.h"
#include "names.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct finding {
    char *line;     /* with where it is, by which all are sorted */
    size_t length;  /* without */
    size_t section; /* of the object; 0: it is nowhere */
    Elf64_Addr offset;
};

struct search {
    const struct object *o;
    const char *function, *entry_points;
    struct finding *list;
    size_t count, room;
    char *artificial; /* debug information, once it was asked for */
};

__attribute__((format(printf, 4, 5))) static void say(struct search *s, size_t section,
                                                      Elf64_Addr offset, const char *format, ...) {
    struct finding one = {.section = section, .offset = offset};
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    one.length = strlen(text);
    for (size_t i = 0; i < s->count; i++)
        if (s->list[i].length == one.length && strncmp(s->list[i].line, text, one.length) == 0)
            return;
    one.line = section ? format_text("%s @ %s %012llx", text, section_name(s->o, section),
                                     (unsigned long long)offset)
                       : format_text("%s", text);
    s->list = grow(s->list, s->count, &s->room, sizeof *s->list);
    s->list[s->count++] = one;
}

/* ---- what runs before and after main ---------------------------------------------------- */

static bool is_or_begins(const char *name, const char *word) {
    size_t length = strlen(word);
    return strncmp(name, word, length) == 0 && (!name[length] || name[length] == '.');
}

static void look_at_sections(struct search *s) {
    static const char before[] = "code that runs before main",
                      after[] = "code that runs after main",
                      loader[] = "tells the loader what to do";
    static const struct {
        const char *name, *why;
    } sections[] = {{".preinit_array", before}, {".init", before}, {".ctors", before},
                    {".fini", after},           {".dtors", after}, {".interp", loader},
                    {".dynamic", loader}};
    for (size_t i = 1; i < s->o->section_count; i++)
        for (size_t n = 0; n < sizeof sections / sizeof *sections; n++)
            if (is_or_begins(section_name(s->o, i), sections[n].name))
                say(s, 0, 0, "flag: %s: section %s", sections[n].why, section_name(s->o, i));
}

/* The compiler itself made the function: the debug information calls it artificial. */
static bool is_artificial(struct search *s, const char *name) {
    if (!s->artificial) {
        struct command command = {0};
        struct text output = {0}, warnings = {0};
        command_words(&command, "readelf", "-W", "--debug-dump=info", s->o->path);
        command_run(&command, NULL, &output, &warnings);
        text_put(&output, "");
        s->artificial = output.at;
    }
    size_t length = strlen(name);
    for (const char *at = s->artificial; (at = strstr(at, name)); at += length) {
        const char *end = strstr(at, "DW_TAG_"), *artificial = strstr(at, "DW_AT_artificial");
        if (at[length] == '\n' && at > s->artificial && strchr(" \t", at[-1]) && artificial &&
            (!end || artificial < end))
            return true;
    }
    return false;
}

/* Initialisers of C++ variables that the compiler made, and nvcc registering its kernels. */
static bool is_compilers(struct search *s, const char *name) {
    static const char *const makes[] = {"_GLOBAL__sub_I", "_GLOBAL__sub_D", "_GLOBAL__I",
                                        "_GLOBAL__D"};
    const char *registers = begins_with(name, "_ZL24") ? name + strlen("_ZL24") : name;
    if (strcmp(registers, "__sti____cudaRegisterAll") == 0 ||
        strcmp(registers, "__sti____cudaRegisterAllv") == 0)
        return true;
    bool made = begins_with(name, "__cxx_global_");
    for (size_t i = 0; i < sizeof makes / sizeof *makes; i++)
        made |= begins_with(name, makes[i]) && name[strlen(makes[i])] &&
                strchr("_.", name[strlen(makes[i])]);
    return made && is_artificial(s, name);
}

/* What stands at a place in a section: compilers name the entry by the section it lies in, or by
 * its symbol. */
static void look_at_entry(const struct object *o, const Elf64_Rela *at, size_t section,
                          void *data) {
    struct search *s = data;
    const Elf64_Sym *symbol = symbol_of(o, at);
    bool any = false, compilers = false;
    struct text names = {0};
    bool by_section = ELF64_ST_TYPE(symbol->st_info) == STT_SECTION;
    for (size_t i = 1; i < o->symbol_count; i++) {
        const Elf64_Sym *one = &o->symbols[i];
        int type = ELF64_ST_TYPE(one->st_info);
        if (by_section
                ? type == STT_SECTION || type == STT_FILE || one->st_shndx != symbol->st_shndx ||
                      one->st_value != (Elf64_Addr)at->r_addend
                : one != symbol)
            continue;
        compilers |= is_compilers(s, name_of(o, one));
        text_print(&names, "%s%s", any ? " " : "", name_of(o, one));
        any = true;
    }
    if (!any && by_section)
        text_print(&names, "%s+%llx", section_name(o, symbol->st_shndx),
                   (unsigned long long)at->r_addend);
    if (!compilers)
        say(s, 0, 0, "flag: code that runs %s main: %s",
            strstr(section_name(o, section), "fini") ? "after" : "before",
            names.at ? names.at : "");
}

static bool is_entries(const char *name) {
    return begins_with(name, ".init_array") || begins_with(name, ".fini_array");
}

/* What the compiler chooses by processor (target_clones) has a resolver of its own making. */
static bool has_resolver(const struct object *o, const Elf64_Sym *ifunc) {
    for (size_t i = 1; i < o->symbol_count; i++)
        if (o->symbols[i].st_shndx == ifunc->st_shndx &&
            o->symbols[i].st_value == ifunc->st_value &&
            ends_in(name_of(o, &o->symbols[i]), ".resolver"))
            return true;
    return false;
}

/* ---- names ------------------------------------------------------------------------------ */

bool is_of_contract(const char *name, const char *function) {
    size_t length = strlen(function);
    return strncmp(name, function, length) == 0 &&
           (!name[length] || strcmp(name + length, "_setup") == 0 ||
            strcmp(name + length, "_teardown") == 0);
}

static bool is_defined(const struct object *o, const Elf64_Sym *symbol) {
    int type = ELF64_ST_TYPE(symbol->st_info);
    return symbol->st_shndx != SHN_UNDEF && symbol->st_shndx < o->section_count &&
           ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
           (type == STT_FUNC || type == STT_GNU_IFUNC || type == STT_NOTYPE) &&
           begins_with(section_name(o, symbol->st_shndx), ".text");
}

/* CUDA's own names, with whatever its compiler puts before them. */
static bool is_of_cuda(const char *name) {
    name += strspn(name, "_");
    size_t length = begins_with(name, "cuda") ? 4 : begins_with(name, "cu") ? 2 : 0;
    return length && isupper((unsigned char)name[length]);
}

static void look_at_definition(struct search *s, const char *name) {
    if (is_of_contract(name, s->function))
        return;
    if (is_name_of(OF_LIBC, name))
        say(s, 0, 0, "flag: defines %s, which is libc's", name);
    else if (*name != '_' && is_of_cuda(name))
        say(s, 0, 0, "flag: defines %s, which is CUDA's", name);
    else if (is_name_of(OF_HARNESS, name))
        say(s, 0, 0, "flag: defines %s, which is the harness's", name);
}

/* Where the object asks for a symbol first. */
struct asked {
    const Elf64_Sym *symbol;
    size_t section;
    Elf64_Addr offset;
};

static void note_asked(const struct object *o, const Elf64_Rela *at, size_t section, void *data) {
    struct asked *asked = data;
    if (!asked->section && symbol_of(o, at) == asked->symbol) {
        asked->section = section;
        asked->offset = at->r_offset;
    }
}

static void say_called(struct search *s, const Elf64_Sym *symbol, const char *why) {
    struct asked asked = {.symbol = symbol};
    for (size_t i = 1; i < s->o->section_count && !asked.section; i++)
        if (begins_with(section_name(s->o, i), ".text"))
            each_relocation(s->o, i, note_asked, &asked);
    if (why)
        say(s, asked.section, asked.offset, "flag: calls %s, %s", name_of(s->o, symbol), why);
    else
        say(s, asked.section, asked.offset, "error: a step cannot call %s: %s",
            name_of(s->o, symbol),
            strstr(name_of(s->o, symbol), "DeviceReset")
                ? "it would destroy the input and the outputs, too; free what the step has made"
                : "by it the host could do what kernels should, and nobody would see it");
}

static bool is_entry_point(const struct search *s, const char *name) {
    size_t length = strlen(name);
    for (const char *at = s->entry_points; (at = strstr(at, name)); at += length)
        if ((at == s->entry_points || at[-1] == '\n') && at[length] == '\n')
            return true;
    return false;
}

static void look_at_wanted(struct search *s, const Elf64_Sym *symbol) {
    const char *name = name_of(s->o, symbol);
    if (is_entry_point(s, name))
        return;
    if (is_name_of(USUAL, name) && !is_name_of(NEVER, name))
        return;
    if (is_name_of(OF_HARNESS, name))
        say_called(s, symbol, "which is the harness's");
    else if (is_of_cuda(name))
        say_called(s, symbol, NULL);
    else
        say_called(s, symbol, "for which a step has no use");
}

static void look_at_symbols(struct search *s) {
    for (size_t i = 1; i < s->o->symbol_count; i++) {
        const Elf64_Sym *symbol = &s->o->symbols[i];
        const char *name = name_of(s->o, symbol);
        if (symbol->st_shndx == SHN_UNDEF && *name)
            look_at_wanted(s, symbol);
        if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC && !has_resolver(s->o, symbol))
            say(s, 0, 0, "flag: code that runs before main: the resolver of %s", name);
        if (is_defined(s->o, symbol))
            look_at_definition(s, name);
    }
}

/* ---- instructions that call the system, past libc ----------------------------------------- */

#ifdef __aarch64__
static bool is_own_code(const unsigned char *code, size_t at) {
    return at % 4 == 0 && code[0] == 0x01 && code[1] == 0; /* svc #0 is d4000001 */
}
#else
static bool is_own_code(const unsigned char *code, size_t at) {
    (void)at;
    return code[0] == 0x0f && (code[1] == 0x05 || code[1] == 0x34);
}
#endif

/* The bytes of such an instruction stand somewhere in the code. */
static bool may_have_own(const struct object *o) {
    for (size_t i = 1; i < o->section_count; i++) {
        const unsigned char *code =
            o->sections[i].sh_flags & SHF_EXECINSTR ? section_contents(o, i) : NULL;
        for (size_t n = 0; code && n + 1 < o->sections[i].sh_size; n++)
            if (is_own_code(code + n, n))
                return true;
    }
    return false;
}

/* Of "   12:\tmov    $0x27,%edi". False: the object cannot be read. */
static bool look_at_instructions(struct search *s) {
    struct command command = {0};
    struct text output = {0};
    if (!may_have_own(s->o))
        return true;
    command_words(&command, "objdump", "-d", "--no-show-raw-insn", s->o->path);
    bool ok = command_run(&command, NULL, &output, NULL) == 0;
    text_put(&output, "");
    for (char *line = strtok(output.at, "\n"); line; line = strtok(NULL, "\n")) {
        const char *name = strchr(line, '\t');
        if (name && is_name_of(OWN_CALL, name + 1 + strspn(name + 1, " \t")))
            say(s, 0, 0, "flag: makes system calls of its own, past libc");
    }
    return ok;
}

/* ---- headers ---------------------------------------------------------------------------- */

/* What is made beside an object. That may still be called OBJECT.NUMBER. */
static char *beside(const struct object *o, const char *ending) {
    const char *name = strrchr(o->path, '/'), *end = strstr(name ? name : o->path, ".o");
    return format_text("%.*s%s", end ? (int)(end - o->path) : 0, o->path, ending);
}

/* A GPU has no text that was looked at before: its compiler noted the headers, those of a header
 * behind it. */
static void look_at_headers(struct search *s) {
    static const char room[] = "common/";
    bool ok;
    char *path = beside(s->o, ".d");
    struct text text = text_read(path, &ok);
    for (char *at = text.at; begins_with(s->o->path, "build/gpu/") && (at = strstr(at, room));) {
        char *name = at + strlen(room), *end = name + strspn(name, "abcdefghijklmnopqrstuvwxyz_/");
        bool begins = at == text.at || strchr(" /\n", at[-1]);
        at = end;
        if (!begins || !begins_with(end, ".h") || begins_with(name, "lab.h") ||
            begins_with(name, "baselines/"))
            continue;
        say(s, 0, 0, "flag: includes %.*s.h, which is the harness's", (int)(end - name), name);
        break;
    }
}

static int compare(const void *a, const void *b) {
    return strcmp(((const struct finding *)a)->line, ((const struct finding *)b)->line);
}

static void tell(const struct search *s, const struct finding *one, struct text *evidence,
                 struct text *errors) {
    bool error = begins_with(one->line, "error:");
    if (!error)
        text_print(evidence, "%.*s", (int)one->length, one->line);
    if (one->section) {
        char *author = format_text("%s.cu", s->function),
             *place = place_of(s->o, one->section, one->offset, author),
             *slash = strrchr(place, '/'), *shown = slash ? slash + 1 : place,
             *colon = strrchr(shown, ':');
        if (colon && isdigit((unsigned char)colon[1]) && *shown != '?' && *shown != '!')
            text_print(error ? errors : evidence, error ? "%s: " : ": %s", shown);
    }
    text_print(error ? errors : evidence, "%.*s\n", error ? (int)one->length : 0, one->line);
}

static void tell_all(struct search *s, struct text *evidence, struct text *errors) {
    bool ok;
    if (s->count)
        qsort(s->list, s->count, sizeof *s->list, compare);
    for (size_t i = 0; i < s->count; i++) {
        tell(s, &s->list[i], evidence, errors);
    }
    char *path = beside(s->o, ".flags");
    struct text flags = text_read(path, &ok);
    text_put(evidence, flags.at);
}

bool find_evidence(const struct object *o, const char *function, const char *entry_points,
                   struct text *evidence, struct text *errors) {
    struct search s = {.o = o, .function = function, .entry_points = entry_points};
    bool ok = look_at_instructions(&s);
    look_at_sections(&s);
    for (size_t i = 1; i < o->section_count; i++)
        if (is_entries(section_name(o, i)))
            each_relocation(o, i, look_at_entry, &s);
    look_at_symbols(&s);
    look_at_headers(&s);
    tell_all(&s, evidence, errors);
    return ok;
}
