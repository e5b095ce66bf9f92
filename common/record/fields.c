#include "fields.h"

#define WORDS(...)                                                                                 \
    .words = (const char *const[]) { __VA_ARGS__, NULL }

#define TYPE_TEXT .type = RECORD_TEXT
#define TYPE_ONE_OF(...) .type = RECORD_ONE_OF, WORDS(__VA_ARGS__)
#define TYPE_DIGITS .type = RECORD_DIGITS
#define TYPE_SHA256 .type = RECORD_SHA256
#define TYPE_MOMENT .type = RECORD_MOMENT
#define TYPE_TRUTH .type = RECORD_TRUTH
#define TYPE_INTEGER .type = RECORD_INTEGER
#define TYPE_FROM(number) .type = RECORD_INTEGER, .least = number
#define TYPE_SIGNED .type = RECORD_SIGNED
#define TYPE_NUMBER .type = RECORD_NUMBER
#define TYPE_COUNT .type = RECORD_COUNT
#define TYPE_ROUGH .type = RECORD_ROUGH
#define TYPE_FRACTION .type = RECORD_FRACTION
#define TYPE_SHARE .type = RECORD_SHARE
#define TYPE_NUMBERS .type = RECORD_NUMBERS
#define TYPE_PAIR .type = RECORD_PAIR
#define TYPE_DEGREES .type = RECORD_DEGREES
#define TYPE_TRIPLE .type = RECORD_TRIPLE
#define TYPE_OBJECT(name) .type = RECORD_OBJECT, .of = &name##_description
#define TYPE_OBJECTS(name, number) .type = RECORD_OBJECTS, .of = &name##_description, .most = number
#define TYPE_SHARES .type = RECORD_SHARES, WORDS(RECORD_UNITS)

#define HAS_ALWAYS(of, name) 0
#define HAS_SINCE_1(of, name) 0
#define HAS_MAYBE(of, name) offsetof(struct of##_fields, has_##name)

#define VERSION(number)
#define BEGIN(of) static const struct record_field of##_list[] = {
#define FIELD(of, name_, type_, unit_, there_, null_, sentence_)                                   \
    {.name = #name_,                                                                               \
     .unit = unit_,                                                                                \
     .sentence = sentence_,                                                                        \
     TYPE_##type_,                                                                                 \
     .there = RECORD_##there_,                                                                     \
     .null = RECORD_##null_,                                                                       \
     .offset = offsetof(struct of##_fields, name_),                                                \
     .size = sizeof((struct of##_fields *)0)->name_,                                               \
     .has = HAS_##there_(of, name_)},
#define END(of)                                                                                    \
    }                                                                                              \
    ;                                                                                              \
    static const struct record_object of##_description = {                                         \
        #of, of##_list, sizeof of##_list / sizeof *of##_list, sizeof(struct of##_fields)};
#include "../record.def"

const struct record_object *const record_object = &record_description;
