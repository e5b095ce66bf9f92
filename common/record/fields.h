/* A record as C has it: for each object of common/record.def a struct of its fields, record_fields,
 * device_fields, ...; and each field's description, which what writes and reads records goes by.
 *
 * A text, a list or an object that is null is NULL; a number that is null is NAN. Of a field that
 * MAYBE is there, `has_` and its name says whether it is. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "json_read.h"

enum record_truth { RECORD_UNKNOWN, RECORD_FALSE, RECORD_TRUE };

typedef double record_pair[2]; /* null where the first is */
typedef double record_triple[3];

struct record_numbers {
    const double *item;
    size_t count;
};

struct record_objects {
    const void *item; /* an array of the structs that FIELD(...OBJECTS(name...)) tells */
    size_t count;
};

/* foreach_object (places, place, hazard->places): each in turn. */
#define foreach_object(of, one, objects)                                                           \
    for (const struct of##_fields *one = (objects).item;                                           \
         one && one < (const struct of##_fields *)(objects).item + (objects).count; one++)

struct record_shares {
    const struct record_share {
        const char *unit;
        double share;
    } * item;
    size_t count;
};

#define RECORD_C_TEXT const char *
#define RECORD_C_ONE_OF(...) const char *
#define RECORD_C_DIGITS const char *
#define RECORD_C_SHA256 const char *
#define RECORD_C_MOMENT const char *
#define RECORD_C_TRUTH enum record_truth
#define RECORD_C_INTEGER double
#define RECORD_C_FROM(least) double
#define RECORD_C_SIGNED double
#define RECORD_C_NUMBER double
#define RECORD_C_COUNT double
#define RECORD_C_ROUGH double
#define RECORD_C_FRACTION double
#define RECORD_C_SHARE double
#define RECORD_C_NUMBERS struct record_numbers
#define RECORD_C_PAIR record_pair
#define RECORD_C_DEGREES record_pair
#define RECORD_C_TRIPLE record_triple
#define RECORD_C_OBJECT(name) const struct name##_fields *
#define RECORD_C_OBJECTS(name, most) struct record_objects
#define RECORD_C_SHARES struct record_shares

#define RECORD_HOLD_ALWAYS(type, name) type name;
#define RECORD_HOLD_SINCE_1(type, name) type name;
#define RECORD_HOLD_MAYBE(type, name)                                                              \
    type name;                                                                                     \
    bool has_##name;

#define VERSION(number) enum { RECORD_VERSION = number };
#define BEGIN(of) struct of##_fields {
#define FIELD(of, name, type, unit, there, null, sentence)                                         \
    RECORD_HOLD_##there(RECORD_C_##type, name)
#define END(of)                                                                                    \
    }                                                                                              \
    ;
#include "../record.def"
#undef VERSION
#undef BEGIN
#undef FIELD
#undef END

/* The words of record.def, which says what each means: with the type that JSON has for it, what a
 * schema says of it besides, and what it is in words. */
/* clang-format off */
#define RECORD_TYPES(TYPE) \
    TYPE(TEXT, "string", "", "a text") \
    TYPE(ONE_OF, "string", "", "a text") \
    TYPE(DIGITS, "string", "\"pattern\": \"^[0-9]*$\", ", "a text") \
    TYPE(SHA256, "string", "\"pattern\": \"^([0-9a-f]{64})?$\", ", "a text") \
    TYPE(MOMENT, "string", \
         "\"pattern\": \"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z$\", ", "a text") \
    TYPE(TRUTH, "boolean", "", "true or false") \
    TYPE(INTEGER, "integer", "\"minimum\": %ld, ", "a whole number that it can be") \
    TYPE(SIGNED, "integer", "", "a whole number") \
    TYPE(NUMBER, "number", "\"minimum\": %ld, ", "a number from 0 on") \
    TYPE(COUNT, "number", "\"minimum\": %ld, ", "a number from 0 on") \
    TYPE(ROUGH, "number", "\"minimum\": %ld, ", "a number from 0 on") \
    TYPE(FRACTION, "number", "\"minimum\": %ld, ", "a number from 0 on") \
    TYPE(SHARE, "number", "\"minimum\": %ld, \"maximum\": 1, ", "a number from 0 to 1") \
    TYPE(NUMBERS, "array", RECORD_ITEMS("number"), "an array of numbers from 0 on") \
    TYPE(PAIR, "array", RECORD_ITEMS("number") "\"minItems\": 2, \"maxItems\": 2, ", \
         "an array of two numbers from 0 on") \
    TYPE(DEGREES, "array", "\"minItems\": 2, \"maxItems\": 2, \"items\": {\"type\": \"number\"}, ", \
         "an array of two numbers") \
    TYPE(TRIPLE, "array", RECORD_ITEMS("integer") "\"minItems\": 3, \"maxItems\": 3, ", \
         "an array of three whole numbers from 0 on") \
    TYPE(OBJECT, "object", "", "an object") \
    TYPE(OBJECTS, "array", "\"maxItems\": %ld, ", "an array of as many objects as it can have") \
    TYPE(SHARES, "object", "", "an object of units and their shares")
/* clang-format on */
#define RECORD_ITEMS(type) "\"items\": {\"type\": \"" type "\", \"minimum\": 0}, "
#define RECORD_TYPE(type, ...) RECORD_##type,
enum record_type { RECORD_TYPES(RECORD_TYPE) }; /* texts come first */
static inline bool record_is_text(enum record_type type) { return type < RECORD_TRUTH; }

/* The version since which it is there. */
enum record_there { RECORD_ALWAYS, RECORD_SINCE_1, RECORD_MAYBE = 1000 };
enum record_null { RECORD_NEVER, RECORD_IF_ZERO, RECORD_IF_NONE };

struct record_field {
    const char *name, *unit, *sentence;
    enum record_type type;
    enum record_there there;
    enum record_null null;
    long least, most;               /* of a whole number; of a list's items */
    const char *const *words;       /* of ONE_OF and SHARES: NULL is behind the last */
    const struct record_object *of; /* of OBJECT and OBJECTS: what is in it */
    size_t offset, size, has;       /* in its struct; has 0: it has no has_ */
};

/* What a field holds: the bytes at its offset. */
union record_value {
    const char *text;
    enum record_truth truth;
    double number;
    struct record_numbers numbers;
    double few[3]; /* of PAIR, DEGREES and TRIPLE */
    const void *object;
    struct record_objects objects;
    struct record_shares shares;
};

struct record_object {
    const char *name;
    const struct record_field *field;
    size_t fields, size; /* how many; of the struct */
};

extern const struct record_object *const record_object;

/* Writes a record on a line of its own. */
void record_write(FILE *out, const struct record_fields *record);

/* Reads a record: "", or a sentence about what is wrong with it, for people, without its full stop,
 * until the next one is read. It may lack any field, and may have any word where one of several
 * belongs, so that what others wrote, or an older histolab, can be shown: a text that is not there
 * is empty, and all else is null. What each field must be, the schema says (main.c). Fields that
 * nobody here knows are passed over. Nothing of the record points into the tree. */
const char *record_read(const struct json *root, struct record_fields *record);
