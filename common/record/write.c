#include "fields.h"

#include <math.h>
#include <string.h>

#include "json_write.h"

static void write_object(FILE *out, const struct record_object *object, const char *fields);

static void write_text(FILE *out, const struct record_field *field, const char *text) {
    bool empty = !text || !text[0];
    if (empty && field->null != RECORD_NEVER)
        fputs("null", out);
    else
        json_text(out, empty ? "" : text);
}

/* JSON knows no number that is not finite, also where a field is never null. */
static void write_number(FILE *out, const struct record_field *field, double number) {
    enum record_type type = field->type;
    if (!isfinite(number))
        fputs("null", out);
    else if (type == RECORD_ROUGH)
        fprintf(out, "%.3g", number);
    else if (type == RECORD_INTEGER || type == RECORD_SIGNED || type == RECORD_COUNT ||
             type == RECORD_TRIPLE)
        fprintf(out, "%.0f", number);
    else
        fprintf(out, "%.9g", number);
}

static bool is_null(const struct record_field *field, double number) {
    return isnan(number) || (number == 0 && field->null == RECORD_IF_ZERO);
}

static void write_numbers(FILE *out, const struct record_field *field, const double *item,
                          size_t count) {
    if (!count || (field->null != RECORD_NEVER && is_null(field, item[0]))) {
        fputs("null", out);
        return;
    }
    for (size_t i = 0; i < count; i++) {
        fputc(i ? ',' : '[', out);
        write_number(out, field, item[i]);
    }
    fputc(']', out);
}

static void write_objects(FILE *out, const struct record_object *of,
                          const struct record_objects *objects) {
    const char *fields = objects->item;
    fputc('[', out);
    for (size_t i = 0; i < objects->count; i++, fields += of->size) {
        fputs(i ? "," : "", out);
        write_object(out, of, fields);
    }
    fputc(']', out);
}

static void write_shares(FILE *out, const struct record_shares *shares) {
    const char *between = "";
    fputc('{', out);
    for (size_t i = 0; i < shares->count; i++) {
        if (!isfinite(shares->item[i].share))
            continue;
        fputs(between, out);
        json_text(out, shares->item[i].unit);
        fprintf(out, ":%.4g", shares->item[i].share);
        between = ",";
    }
    fputc('}', out);
}

static void write_value(FILE *out, const struct record_field *field,
                        const union record_value *value) {
    static const char *const truths[] = {"null", "false", "true"};
    switch (field->type) {
    case RECORD_TRUTH:
        fputs(truths[value->truth], out);
        break;
    case RECORD_NUMBERS:
        write_numbers(out, field, value->numbers.item, value->numbers.count);
        break;
    case RECORD_PAIR:
    case RECORD_DEGREES:
    case RECORD_TRIPLE:
        write_numbers(out, field, value->few, field->type == RECORD_TRIPLE ? 3 : 2);
        break;
    case RECORD_OBJECT:
        if (value->object)
            write_object(out, field->of, value->object);
        else
            fputs("null", out);
        break;
    case RECORD_OBJECTS:
        write_objects(out, field->of, &value->objects);
        break;
    case RECORD_SHARES:
        write_shares(out, &value->shares);
        break;
    default:
        if (record_is_text(field->type))
            write_text(out, field, value->text);
        else
            write_number(out, field, is_null(field, value->number) ? NAN : value->number);
    }
}

static void write_object(FILE *out, const struct record_object *object, const char *fields) {
    char before = '{';
    for (size_t i = 0; i < object->fields; i++) {
        const struct record_field *field = &object->field[i];
        union record_value value;
        bool has = true;
        if (field->has)
            memcpy(&has, fields + field->has, sizeof has);
        if (!has)
            continue;
        memcpy(&value, fields + field->offset, field->size);
        fprintf(out, "%c\"%s\":", before, field->name);
        write_value(out, field, &value);
        before = ',';
    }
    fputc('}', out);
}

void record_write(FILE *out, const struct record_fields *record) {
    write_object(out, record_object, (const char *)record);
    fputc('\n', out);
}
