#include "fields.h"

#include <math.h>
#include <string.h>

#include "keep.h"

static bool read_object(const struct record_object *object, const struct json *node, char *fields);

/* What is wrong with the record that was read last. */
static char why[512];

/* ---- what fits ------------------------------------------------------------------------------ */

static bool is_one_of(const char *text, const char *const *words) {
    while (*words && strcmp(text, *words) != 0)
        words++;
    return *words;
}

/* Above, and below its inverse, what is computed of a number would be none any more. */
static const double largest = 1e60;

/* From 2^53 on a double may be another number than what stands there. */
static bool is_whole(double number) { return number == floor(number) && fabs(number) < 0x1p53; }

static bool fits_number(const struct record_field *field, const struct json *node) {
    double number = json_get_number(node, NAN);
    switch (field->type) {
    case RECORD_SIGNED:
        return is_whole(number);
    case RECORD_INTEGER:
    case RECORD_TRIPLE:
        return is_whole(number) && number >= field->least;
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

static const char *own_text(const char *text) {
    return text ? keep_part(text, strlen(text)) : NULL;
}

static bool read_number(const struct record_field *field, const struct json *node, double *number) {
    *number = json_get_number(node, NAN);
    if (!fits_number(field, node))
        return false;
    if (*number == 0 && field->null == RECORD_IF_ZERO)
        *number = NAN;
    return true;
}

static bool read_numbers(const struct record_field *field, const struct json *node, double *item) {
    for (size_t i = 0; i < json_count(node); i++) {
        item[i] = json_get_number(json_item(node, i), NAN);
        if (!fits_number(field, json_item(node, i)))
            return false;
    }
    return json_kind_of(node) == JSON_ARRAY;
}

static bool read_objects(const struct record_field *field, const struct json *node, char *item) {
    for (size_t i = 0; i < json_count(node); i++, item += field->of->size)
        if (!read_object(field->of, json_item(node, i), item))
            return false;
    return json_kind_of(node) == JSON_ARRAY;
}

static bool read_shares(const struct record_field *field, const struct json *node,
                        struct record_share *item) {
    for (size_t i = 0; i < json_count(node); i++) {
        const struct json *share = json_item(node, i);
        item[i] = (struct record_share){own_text(share->key), json_get_number(share, NAN)};
        if (json_kind_of(node) != JSON_OBJECT || strlen(share->key) != share->key_length ||
            !is_one_of(share->key, field->words) || !(item[i].share >= 0))
            return false;
    }
    return json_kind_of(node) == JSON_OBJECT;
}

static bool read_value(const struct record_field *field, const struct json *node,
                       union record_value *value) {
    size_t count = json_count(node), few = field->type == RECORD_TRIPLE ? 3 : 2;
    if (record_is_text(field->type))
        return (value->text = own_text(json_get_text(node, NULL)));
    switch (field->type) {
    case RECORD_TRUTH:
        value->truth = node->truth ? RECORD_TRUE : RECORD_FALSE;
        return node->kind == JSON_TRUTH;
    case RECORD_NUMBERS: {
        double *item = keep(count * sizeof *item);
        value->numbers = (struct record_numbers){item, count};
        return read_numbers(field, node, item);
    }
    case RECORD_PAIR:
    case RECORD_DEGREES:
    case RECORD_TRIPLE:
        return count == few && read_numbers(field, node, value->few);
    case RECORD_OBJECT: {
        char *fields = keep(field->of->size);
        value->object = fields;
        return read_object(field->of, node, fields);
    }
    case RECORD_OBJECTS: {
        if (count > (size_t)field->most)
            return false;
        char *item = keep(count * field->of->size);
        value->objects = (struct record_objects){item, count};
        return read_objects(field, node, item);
    }
    case RECORD_SHARES: {
        struct record_share *item = keep(count * sizeof *item);
        value->shares = (struct record_shares){item, count};
        return read_shares(field, node, item);
    }
    default:
        return read_number(field, node, &value->number);
    }
}

static union record_value null_value(const struct record_field *field) {
    union record_value value;
    memset(&value, 0, sizeof value);
    if (record_is_text(field->type))
        value.text = "";
    if (field->type > RECORD_TRUTH && field->type < RECORD_NUMBERS)
        value.number = NAN;
    if (field->type >= RECORD_PAIR && field->type <= RECORD_TRIPLE)
        value.few[0] = value.few[1] = value.few[2] = NAN;
    return value;
}

/* ---- fields --------------------------------------------------------------------------------- */

static const char *const in_words[] = {
#define IN_WORDS(name, type, rules, words) words,
    RECORD_TYPES(IN_WORDS)};

static bool read_field(const struct record_object *object, const struct record_field *field,
                       const struct json *node, union record_value *value) {
    *value = null_value(field);
    if (!node || json_kind_of(node) == JSON_NULL || read_value(field, node, value))
        return true;
    if (!why[0])
        snprintf(why, sizeof why, "\"%s\" of \"%s\" is not %s (byte %zu)", field->name,
                 object->name, in_words[field->type], node->at);
    return false;
}

static bool read_object(const struct record_object *object, const struct json *node, char *fields) {
    if (json_kind_of(node) != JSON_OBJECT)
        return false;
    for (size_t i = 0; i < object->fields; i++) {
        const struct record_field *field = &object->field[i];
        const struct json *member = json_member(node, field->name);
        bool has = member;
        union record_value value;
        if (!read_field(object, field, member, &value))
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
static void check_version(const struct json *root) {
    const struct json *node = json_member(root, "schema");
    double version = json_get_number(node, 0);
    if (node && !(version >= 1 && is_whole(version)))
        snprintf(why, sizeof why, "\"schema\" of \"record\" is not a whole number that it can be");
    else if (version > RECORD_VERSION)
        snprintf(why, sizeof why,
                 "it is a record of version %.15g, written by histolab %s, and this histolab "
                 "reads those up to version %d. To do: read it with a histolab that is as new",
                 version, version_of_histolab(root), RECORD_VERSION);
}

const char *record_read(const struct json *root, struct record_fields *record) {
    why[0] = '\0';
    if (json_kind_of(root) != JSON_OBJECT)
        return "it is no object";
    check_version(root);
    if (!why[0])
        read_object(record_object, root, (char *)record);
    return why;
}
