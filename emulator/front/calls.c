#define _GNU_SOURCE /* dladdr1 */
#include "calls.h"
#include "object.h"
#include "../text/lexer.h"
#include "../text/patterns.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>

/* ---- functions of libraries ------------------------------------------------------------- */

/* What the libraries that every program is linked with have under this name. */
static enum what in_libraries(const char *name) {
    static const char *const files[] = {"libc.so.6", "libm.so.6", "libstdc++.so.6"};
    static void *libraries[sizeof files / sizeof *files];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (!libraries[i])
            libraries[i] = dlopen(files[i], RTLD_LAZY | RTLD_LOCAL);
        void *address = libraries[i] ? dlsym(libraries[i], name) : NULL;
        const Elf64_Sym *symbol = NULL;
        Dl_info info;
        if (address && dladdr1(address, &info, (void **)&symbol, RTLD_DL_SYMENT) && symbol)
            return ELF64_ST_TYPE(symbol->st_info) == STT_OBJECT ? VARIABLE : FUNCTION;
        if (address)
            return FUNCTION;
    }
    return NOBODYS;
}

/* Of a compiler's own library (libgcc.a) there are no names to ask for. */
static bool is_compilers(const char *name) {
    return begins_with(name, "__") || (name[0] == '_' && name[1] >= 'A' && name[1] < 'Z');
}

/* What several objects of one program call of each other is none of this. */
enum what outside(const char *name) {
    if (!*name || matches(DEVICE_FUNCTION, name))
        return NOBODYS;
    enum what what = in_libraries(name);
    return what == NOBODYS && is_compilers(name) ? FUNCTION : what;
}

static bool is_called_outside(const char *name) {
    return matches(COMPUTING, name) ? in_libraries(name) == FUNCTION : outside(name) == FUNCTION;
}

bool find_outside(const char *path, struct text *names) {
    struct object o;
    bool ok = object_open(&o, path);
    for (size_t i = 1; ok && i < o.symbol_count; i++)
        if (o.symbols[i].st_shndx == SHN_UNDEF && is_called_outside(name_of(&o, &o.symbols[i])))
            text_print(names, "%s\n", name_of(&o, &o.symbols[i]));
    return ok;
}

/* ---- classes that go by value ----------------------------------------------------------- */

struct function {
    const char *dump, *head; /* of all functions, and where this one begins */
    size_t head_length;
};

/* "nameD.12", behind a blank: a parameter of the function, or a variable that is not static. */
static bool is_declared(const struct function *in, const char *name, size_t size) {
    const char *line = in->head;
    for (const char *at = line; at + size < in->head + in->head_length; at++) {
        line = *at == '\n' ? at + 1 : line;
        if (at[0] == ' ' && strncmp(at + 1, name, size) == 0 && strchr(";[,)", at[1 + size]))
            return !begins_with(line, "  static ");
    }
    return false;
}

static bool is_function(const struct function *in, const char *number, size_t digits) {
    return strstr(in->dump, format_text("decl_uid=%.*s,", (int)digits, number));
}

/* What stands there is neither a value, nor an address, nor a variable of the function or a part of
 * one: anything that is not known for one of these. */
static bool is_memory(const struct function *in, const char *at, size_t length) {
    const char *end = at + length;
    while (at < end && *at == ' ')
        at++;
    if (at == end || strchr("&\"{", *at) || begins_with(at, "__dt_comp ") ||
        begins_with(at, "<retval>"))
        return false;
    const char *behind = at;
    while (behind < end && (is_name_character(*behind) || strchr(".:+-#", *behind)))
        behind++;
    for (const char *p = at; p + 2 < behind; p++) {
        size_t digits = begins_with(p, "D.") ? strspn(p + 2, "0123456789") : 0;
        if (digits)
            return !is_declared(in, at, (size_t)(p - at) + 2 + digits) &&
                   !is_function(in, p + 2, digits);
    }
    behind += begins_with(behind, "(D)") ? 3 : 0;
    behind += begins_with(behind, "(ab)") ? 4 : 0;
    return behind < end;
}

/* Where a string ends that begins here. */
static const char *string_end(const char *at) {
    for (at++; *at && *at != '"' && *at != '\n'; at++)
        at += *at == '\\' && at[1];
    return at;
}

/* "  [TO = ]FUNCTION (ARGUMENTS);" */
static bool call_goes_by_value(const struct function *in, const char *line, size_t length) {
    const char *equals = memmem(line, length, " = ", 3), *end = line + length, *arguments = NULL;
    const char *function = equals ? equals + 3 : line + strspn(line, " ");
    int depth = 0;
    if (*function == '(' || begins_with(function, "if (") || begins_with(function, "switch ("))
        return false;
    for (const char *at = function; at < end; at++) {
        at = *at == '"' ? string_end(at) : at;
        if (*at == '(' && depth++ == 0)
            arguments = at + 1;
        depth -= *at == ')';
    }
    if (!arguments || arguments[-2] != ' ')
        return false;
    if (equals && is_memory(in, line, (size_t)(equals - line)))
        return true;
    for (const char *at = arguments, *next = at; at < end; at = ++next) {
        for (depth = 0; next < end && (depth || (*next != ',' && *next != ')')); next++) {
            next = *next == '"' ? string_end(next) : next;
            depth += strchr("([", *next) ? 1 : strchr(")]", *next) ? -1 : 0;
        }
        if (is_memory(in, at, (size_t)(next - at)))
            return true;
        if (next < end && *next == ')')
            break;
    }
    return false;
}

bool goes_by_value(const char *dump) {
    struct function in = {.dump = dump, .head = dump};
    bool in_head = false;
    for (const char *line = dump; *line; line = next_line(line)) {
        size_t length = strcspn(line, "\n");
        if (begins_with(line, ";; Function "))
            in = (struct function){dump, line, 0}, in_head = true;
        else if (in_head && begins_with(line, "  <bb "))
            in.head_length = (size_t)(line - in.head), in_head = false;
        else if (!in_head && begins_with(line, "  ") && memmem(line, length, ");", 2) &&
                 call_goes_by_value(&in, line, length))
            return true;
    }
    return false;
}

/* ";; Function WORDS (NAME, funcdef_no=..." */
bool find_returning(const char *dump, struct text *names) {
    const char *name = NULL;
    for (const char *line = dump; *line; line = next_line(line)) {
        size_t length = strcspn(line, "\n");
        if (begins_with(line, ";; Function ")) {
            name = strstr(line, ", funcdef_no=");
            while (name && name[-1] != '(')
                name--;
        } else if (name && memmem(line, length, "<retval>", 8)) {
            text_print(names, "%.*s\n", (int)strcspn(name, ","), name);
            name = NULL;
        }
    }
    return names->size;
}
