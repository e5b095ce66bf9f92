/* Prints what common/record.def says of a record, for others to read:
 *
 *   record-fields --schema   as a JSON Schema (2020-12), with each field on a line
 *   record-fields --table    as report/fields.md */
#include "fields.h"

#include <string.h>

#include "json_write.h"

static void print_object(const struct record_object *object);

static void print_member(const char *key, const char *text) {
    printf("\"%s\": ", key);
    json_text(stdout, text);
    fputs(", ", stdout);
}

static const struct {
    const char *type, *rules;
} kinds[] = {
#define KIND(name, type, rules, words) {type, rules},
    RECORD_TYPES(KIND)};

static void print_type(const struct record_field *field) {
    if (field->type == RECORD_ONE_OF) {
        fputs("\"enum\": ", stdout);
        for (size_t i = 0; field->words[i]; i++) {
            fputs(i ? ", " : "[", stdout);
            json_text(stdout, field->words[i]);
        }
        fputs("], ", stdout);
    } else if (field->null == RECORD_NEVER)
        printf("\"type\": \"%s\", ", kinds[field->type].type);
    else
        printf("\"type\": [\"%s\", \"null\"], ", kinds[field->type].type);
}

static void print_shares(const struct record_field *field) {
    fputs(", \"additionalProperties\": false, \"properties\": {", stdout);
    for (size_t i = 0; field->words[i]; i++)
        printf("%s\"%s\": {\"type\": \"number\", \"minimum\": 0}", i ? ", " : "", field->words[i]);
    fputs("}", stdout);
}

static void print_field(const struct record_field *field) {
    bool list = field->type == RECORD_OBJECTS;
    printf("\"%s\": {", field->name);
    print_type(field);
    if (field->unit[0])
        print_member("unit", field->unit);
    if (field->type != RECORD_ONE_OF)
        printf(kinds[field->type].rules, list ? field->most : field->least);
    fputs("\"description\": ", stdout);
    json_text(stdout, field->sentence);
    if (list)
        fputs(", \"items\": {\"type\": \"object\"", stdout);
    if (field->of)
        print_object(field->of);
    else if (field->type == RECORD_SHARES)
        print_shares(field);
    fputs(list ? "}}" : "}", stdout);
}

static void print_required(const struct record_object *object, enum record_there there) {
    const char *between = "\"required\": [";
    for (size_t i = 0; i < object->fields; i++) {
        if (object->field[i].there != there)
            continue;
        printf("%s\"%s\"", between, object->field[i].name);
        between = ", ";
    }
    fputs("]", stdout);
}

/* The members of a schema for it, behind others. */
static void print_object(const struct record_object *object) {
    fputs(",\n\"additionalProperties\": false, ", stdout);
    print_required(object, RECORD_ALWAYS);
    if (object == record_object) {
        fputs(",\n\"if\": {\"required\": [\"schema\"]}, \"then\": {", stdout);
        print_required(object, RECORD_SINCE_1);
        fputs("}", stdout);
    }
    fputs(",\n\"properties\": {", stdout);
    for (size_t i = 0; i < object->fields; i++) {
        fputs(i ? ",\n" : "\n", stdout);
        print_field(&object->field[i]);
    }
    fputs("}", stdout);
}

static void print_schema(void) {
    fputs("{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n"
          "  \"title\": \"A record of histolab\",\n"
          "  \"description\": \"One grading of one step: a line of results.jsonl. `unit` is of the "
          "number, or of an array's numbers. What was not measured is null, never zero.\",\n"
          "  \"type\": \"object\"",
          stdout);
    print_object(record_object);
    fputs("\n}\n", stdout);
}

static void print_row(const char *object, const struct record_field *field) {
    printf("| `%s%s%s` | %s | %s |\n", object, object[0] ? "." : "", field->name, field->unit,
           field->sentence);
}

/* Objects show their fields in rows of their own; those of lists are in the schema alone. */
static void print_table(void) {
    puts("# What a record holds\n\nWritten by report/machines from common/record.def; do not "
         "edit.\n");
    puts("| field | unit | meaning |\n|---|---|---|");
    for (size_t i = 0; i < record_object->fields; i++) {
        const struct record_field *field = &record_object->field[i];
        print_row("", field);
        for (size_t j = 0; field->type == RECORD_OBJECT && j < field->of->fields; j++)
            print_row(field->name, &field->of->field[j]);
    }
}

int main(int argc, char **argv) {
    if (argc == 2 && strcmp(argv[1], "--schema") == 0)
        print_schema();
    else if (argc == 2 && strcmp(argv[1], "--table") == 0)
        print_table();
    else {
        fputs("usage: record-fields --schema | --table\n", stderr);
        return 2;
    }
    return fflush(stdout) == 0 ? 0 : 3;
}
