#include "attributes.h"
#include "patterns.h"

#include <string.h>

/* What __global__ becomes. */
#define KERNEL "patchable_function_entry"

static bool is_attribute_word(const struct token *t) {
    return is(t, "__attribute") || is(t, "__attribute__");
}

static bool is_string(const struct token *t) { return t->kind == TEXT; }

/* What the string holds is added to the one that it is joined to. Of a raw one nothing is known. */
static void take_string(struct attributes *a, const struct token *t) {
    if (*t->at == '"')
        text_add(&a->string, t->at + 1, t->length - 2);
    else
        text_put(&a->string, "R");
}

static void forget_string(struct attributes *a) {
    a->string.size = 0;
    text_put(&a->string, "");
}

static char *refuse_assembly(struct attributes *a) {
    a->inside = OUTSIDE;
    return format_text(
        "the emulator has no assembly, inline PTX or other, and no asm names: put it "
        "inside #ifdef __CUDA_ARCH__");
}

/* "+r"(name) */
static bool fits_output(struct attributes *a, const struct token *t, const struct token *last) {
    if (is_string(t)) {
        take_string(a, t);
        return a->parentheses == 1 && a->string.at[0] == '+' && matches(REGISTER, a->string.at + 1);
    }
    if (is(t, ","))
        forget_string(a);
    return is(t, ",")   ? a->parentheses == 1
           : is(t, "(") ? ++a->parentheses == 2 && is_string(last)
           : is(t, ")") ? --a->parentheses == 1
                        : t->kind == NAME && a->parentheses == 2 && last->kind == PUNCTUATION;
}

static char *read_output(struct attributes *a, const struct token *t, const struct token *last) {
    if (fits_output(a, t, last))
        return NULL;
    a->inside = OUTSIDE;
    return format_text(
        "the analysis cannot see what an asm sets: of what it sets only \"+r\"(name) "
        "may stand there");
}

/* asm volatile("" : "+r"(x) :: "memory") holds no instruction: it may keep values in registers, and
 * order what is around it, but neither read nor write memory. */
static char *read_assembly(struct attributes *a, const struct token *t, const struct token *last) {
    if (is(t, ":") && a->parentheses == 1) {
        a->part += a->part != BEHIND;
        forget_string(a);
    } else if (a->part == OUTPUTS && !(is(t, ")") && a->parentheses == 1)) {
        return read_output(a, t, last);
    } else if (is_string(t) && a->parentheses == 1) {
        if (!is_string(last))
            forget_string(a);
        take_string(a, t);
        if (a->part == TEMPLATE && a->string.size)
            return refuse_assembly(a);
    } else if (t->kind == NAME &&
               (a->parentheses ? is_asm(t) || is_attribute_word(t)
                               : !is_any_of(t, "volatile __volatile __volatile__ inline goto"))) {
        return refuse_assembly(a);
    } else if (is(t, "(")) {
        if (++a->parentheses == 2 && is_string(last) && !matches(REGISTER, a->string.at))
            return refuse_assembly(a);
    } else if (is(t, ")") && --a->parentheses <= 0) {
        a->inside = OUTSIDE;
    }
    return NULL;
}

bool attributes_drop(const struct attributes *a, const struct token *t) {
    return a->inside == IN_ASSEMBLY && a->part == OUTPUTS && !is(t, ":");
}

/* Where variables of the device are put. */
static char *check_section(struct attributes *a) {
    a->attribute[0] = '\0';
    return matches(DEVICE_SECTION, a->string.at)
               ? NULL
               : format_text("the attribute section can change how a step is linked or watched: "
                             "leave it out");
}

static char *take_attribute(struct attributes *a, const struct token *t) {
    size_t skip = t->length >= 2 && strncmp(t->at, "__", 2) == 0 ? 2 : 0;
    size_t length = t->length - skip;
    if (length >= 2 && strncmp(t->at + t->length - 2, "__", 2) == 0)
        length -= 2;
    if (length >= sizeof a->attribute)
        length = sizeof a->attribute - 1;
    memcpy(a->attribute, t->at + skip, length);
    a->attribute[length] = '\0';
    forget_string(a);
    if (strcmp(a->attribute, "section") == 0 || strcmp(a->attribute, KERNEL) == 0 ||
        matches(HARMLESS_ATTRIBUTE, a->attribute))
        return NULL;
    return format_text(
        "the attribute %.*s can change how a step is linked or watched: leave it out", WORD(t));
}

static char *read_attribute(struct attributes *a, const struct token *t) {
    bool section = strcmp(a->attribute, "section") == 0;
    if (is(t, "(")) {
        a->parentheses++;
    } else if (is(t, ")")) {
        char *wrong = section ? check_section(a) : NULL;
        if (--a->parentheses <= 0 && !a->square)
            a->inside = OUTSIDE;
        return wrong;
    } else if (a->square && (is(t, "[") || is(t, "]"))) {
        a->brackets += is(t, "[") ? 1 : -1;
        if (a->brackets <= 0)
            a->inside = OUTSIDE;
    } else if (a->parentheses > (a->square ? 0 : 2) && strcmp(a->attribute, KERNEL) == 0 &&
               !is(t, "1")) {
        return format_text("the attribute " KERNEL " is for kernels: leave it out");
    } else if (is_string(t) && section) {
        take_string(a, t);
    } else if (t->kind == NAME && (is_asm(t) || is_attribute_word(t))) {
        return format_text("an attribute inside an attribute: leave it out");
    } else if (t->kind == NAME && a->parentheses == (a->square ? 0 : 2)) {
        return take_attribute(a, t);
    }
    return NULL;
}

static void begin(struct attributes *a, const struct token *t) {
    a->inside = is_asm(t) ? IN_ASSEMBLY : IN_ATTRIBUTE;
    a->square = is(t, "[");
    a->brackets = a->square ? 2 : 0;
    a->parentheses = 0;
    a->part = TEMPLATE;
    a->attribute[0] = '\0';
    forget_string(a);
}

char *attributes_take(struct attributes *a, const struct token *t, const struct token *last) {
    if (a->inside == IN_ASSEMBLY)
        return read_assembly(a, t, last);
    if (a->inside == IN_ATTRIBUTE)
        return read_attribute(a, t);
    if ((t->kind == NAME && (is_asm(t) || is_attribute_word(t))) || (is(t, "[") && is(last, "[")))
        begin(a, t);
    return NULL;
}
