#include "fields.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

struct reader {
    struct json_arena *arena;
    char *why;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct reader *reader,
                                                         const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reader->why, reader->size, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_object(const struct reader *reader, const struct record_object *object,
                        const struct json *node, char *fields);

/* ---- what fits ------------------------------------------------------------------------------ */

static bool is_one_of(const char *text, const char *const *words) {
    while (*words && strcmp(text, *words) != 0)
        words++;
    return *words;
}

/* Above, and below its inverse, what is computed of a number would be none any more. */
static const double largest = 1e60;

static bool fits_number(const struct record_field *field, const struct json *node) {
    double number = json_get_number(node, NAN);
    int64_t whole;
    switch (field->type) {
    case RECORD_SIGNED:
        return json_get_whole(node, &whole);
    case RECORD_INTEGER:
    case RECORD_TRIPLE:
        return json_get_whole(node, &whole) && number >= field->least;
    case RECORD_FRACTION:
    case RECORD_ROUGH:
        return number >= 0 && number <= largest;
    case RECORD_SHARE:
        return number >= 0 && number <= 1;
    case RECORD_DEGREES:
        return isfinite(number);
    default:
        return number == 0 || (number >= 1 / largest && number <= largest);
    }
}

/* ---- values --------------------------------------------------------------------------------- */

/* Each returns whether the node fits. Where `why` says nothing yet, read_field() says it. */

static bool read_number(const struct record_field *field, const struct json *node, double *number) {
    *number = json_get_number(node, NAN);
    if (!fits_number(field, node))
        return false;
    if (*number == 0 && field->null == RECORD_IF_ZERO)
        *number = NAN;
    return true;
}

static bool read_items(const struct record_field *field, const struct json *node, double *item) {
    for (size_t i = 0; i < json_count(node); i++) {
        item[i] = json_get_number(json_item(node, i), NAN);
        if (!fits_number(field, json_item(node, i)))
            return false;
    }
    return true;
}

static bool read_few(const struct record_field *field, const struct json *node,
                     union record_value *value) {
    size_t count = field->type == RECORD_TRIPLE ? 3 : 2;
    return json_kind_of(node) == JSON_ARRAY && json_count(node) == count &&
           read_items(field, node, value->few);
}

static void *take(const struct reader *reader, size_t size) {
    void *memory = json_take(reader->arena, size);
    if (!memory)
        refuse(reader, "it takes more memory than it may have");
    return memory;
}

static bool read_numbers(const struct reader *reader, const struct record_field *field,
                         const struct json *node, union record_value *value) {
    size_t count = json_count(node);
    if (json_kind_of(node) != JSON_ARRAY)
        return false;
    double *item = take(reader, count * sizeof *item);
    value->numbers = (struct record_numbers){item, count};
    return item && read_items(field, node, item);
}

static bool read_objects(const struct reader *reader, const struct record_field *field,
                         const struct json *node, union record_value *value) {
    size_t count = json_count(node);
    if (json_kind_of(node) != JSON_ARRAY || count > (size_t)field->most)
        return false;
    char *item = take(reader, count * field->of->size);
    value->objects = (struct record_objects){item, count};
    for (size_t i = 0; item && i < count; i++)
        if (!read_object(reader, field->of, json_item(node, i), item + i * field->of->size))
            return false;
    return item;
}

static bool read_one_object(const struct reader *reader, const struct record_field *field,
                            const struct json *node, union record_value *value) {
    char *fields = json_kind_of(node) == JSON_OBJECT ? take(reader, field->of->size) : NULL;
    value->object = fields;
    return fields && read_object(reader, field->of, node, fields);
}

static bool read_shares(const struct reader *reader, const struct record_field *field,
                        const struct json *node, union record_value *value) {
    size_t count = json_count(node);
    if (json_kind_of(node) != JSON_OBJECT)
        return false;
    struct record_share *item = take(reader, count * sizeof *item);
    value->shares = (struct record_shares){item, count};
    for (size_t i = 0; item && i < count; i++) {
        const struct json *share = json_item(node, i);
        item[i] = (struct record_share){share->key, json_get_number(share, NAN)};
        if (strlen(share->key) != share->key_length || !is_one_of(share->key, field->words) ||
            !(item[i].share >= 0))
            return false;
    }
    return item;
}

static bool read_value(const struct reader *reader, const struct record_field *field,
                       const struct json *node, union record_value *value) {
    switch (field->type) {
    case RECORD_TEXT:
    case RECORD_ONE_OF:
    case RECORD_DIGITS:
    case RECORD_SHA256:
    case RECORD_MOMENT:
        return (value->text = json_get_text(node, NULL));
    case RECORD_TRUTH:
        value->truth = json_get_truth(node, false) ? RECORD_TRUE : RECORD_FALSE;
        return json_kind_of(node) == JSON_TRUTH;
    case RECORD_NUMBERS:
        return read_numbers(reader, field, node, value);
    case RECORD_PAIR:
    case RECORD_DEGREES:
    case RECORD_TRIPLE:
        return read_few(field, node, value);
    case RECORD_OBJECT:
        return read_one_object(reader, field, node, value);
    case RECORD_OBJECTS:
        return read_objects(reader, field, node, value);
    case RECORD_SHARES:
        return read_shares(reader, field, node, value);
    default:
        return read_number(field, node, &value->number);
    }
}

static union record_value null_value(const struct record_field *field) {
    union record_value value;
    memset(&value, 0, sizeof value);
    if (field->type < RECORD_TRUTH)
        value.text = "";
    if (field->type > RECORD_TRUTH && field->type < RECORD_NUMBERS)
        value.number = NAN;
    if (field->type >= RECORD_PAIR && field->type <= RECORD_TRIPLE)
        value.few[0] = value.few[1] = value.few[2] = NAN;
    return value;
}

/* ---- fields --------------------------------------------------------------------------------- */

static const char *in_words(const struct record_field *field) {
    static const char *const words[] = {
        [RECORD_TRUTH] = "true or false",
        [RECORD_INTEGER] = "a whole number that it can be",
        [RECORD_SIGNED] = "a whole number",
        [RECORD_NUMBER] = "a number from 0 on",
        [RECORD_COUNT] = "a number from 0 on",
        [RECORD_ROUGH] = "a number from 0 on",
        [RECORD_FRACTION] = "a number from 0 on",
        [RECORD_SHARE] = "a number from 0 to 1",
        [RECORD_NUMBERS] = "an array of numbers from 0 on",
        [RECORD_PAIR] = "an array of two numbers from 0 on",
        [RECORD_DEGREES] = "an array of two numbers",
        [RECORD_TRIPLE] = "an array of three whole numbers from 0 on",
        [RECORD_OBJECT] = "an object",
        [RECORD_OBJECTS] = "an array of as many objects as it can have",
        [RECORD_SHARES] = "an object of units and their shares",
    };
    return words[field->type] ? words[field->type] : "a text";
}

static bool read_field(const struct reader *reader, const struct record_object *object,
                       const struct record_field *field, const struct json *node,
                       union record_value *value) {
    *value = null_value(field);
    if (!node || json_kind_of(node) == JSON_NULL || read_value(reader, field, node, value))
        return true;
    if (!reader->why[0])
        refuse(reader, "\"%s\" of \"%s\" is not %s (byte %zu)", field->name, object->name,
               in_words(field), node->at);
    return false;
}

static bool read_object(const struct reader *reader, const struct record_object *object,
                        const struct json *node, char *fields) {
    if (json_kind_of(node) != JSON_OBJECT)
        return false;
    for (size_t i = 0; i < object->fields; i++) {
        const struct record_field *field = &object->field[i];
        const struct json *member = json_member(node, field->name);
        bool has = member;
        union record_value value;
        if (!read_field(reader, object, field, member, &value))
            return false;
        memcpy(fields + field->offset, &value, field->size);
        if (field->has)
            memcpy(fields + field->has, &has, sizeof has);
    }
    return true;
}

/* As it is printed: the record may be a stranger's. */
static const char *version_of_histolab(const struct json *root) {
    const char *version = json_get_text(json_member(root, "histolab"), "");
    bool plain = version[strspn(version, "0123456789.+-abcdefghijklmnopqrstuvwxyz")] == '\0';
    return plain && version[0] ? version : "?";
}

/* Those that were written before there was a version have none. */
static bool fits_version(const struct reader *reader, const struct json *root) {
    const struct json *node = json_member(root, "schema");
    int64_t version = 0;
    if (node && (!json_get_whole(node, &version) || version < 1))
        return refuse(reader, "\"schema\" of \"record\" is not a whole number that it can be");
    if (version > RECORD_VERSION)
        return refuse(reader,
                      "it is a record of version %lld, written by histolab %s, and this histolab "
                      "reads those up to version %d. To do: read it with a histolab that is as new",
                      (long long)version, version_of_histolab(root), RECORD_VERSION);
    return true;
}

bool record_read(struct json_arena *arena, const struct json *root, struct record_fields *record,
                 char *why, size_t size) {
    const struct reader reader = {.arena = arena, .why = why, .size = size};
    why[0] = '\0';
    if (json_kind_of(root) != JSON_OBJECT)
        return refuse(&reader, "it is no object");
    return fits_version(&reader, root) && read_object(&reader, record_object, root, (char *)record);
}
