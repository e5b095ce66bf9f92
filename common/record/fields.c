#include "fields.h"

#define WORDS(...)                                                                                 \
    .words = (const char *const[]) { __VA_ARGS__, NULL }

/* What stands behind a type's name. */
#define RECORD_ONE_OF(...) RECORD_ONE_OF, WORDS(__VA_ARGS__)
#define RECORD_FROM(number) RECORD_INTEGER, .least = number
#define RECORD_OBJECT(name) RECORD_OBJECT, .of = &name##_description
#define RECORD_OBJECTS(name, number) RECORD_OBJECTS, .of = &name##_description, .most = number
#define RECORD_SHARES RECORD_SHARES, WORDS(RECORD_UNITS)

#define HAS_ALWAYS(of, name) 0
#define HAS_SINCE_1(of, name) 0
#define HAS_MAYBE(of, name) offsetof(struct of##_fields, has_##name)

#define VERSION(number)
#define BEGIN(of) static const struct record_field of##_list[] = {
#define FIELD(of, name_, type_, unit_, there_, null_, sentence_)                                   \
    {.name = #name_,                                                                               \
     .unit = unit_,                                                                                \
     .sentence = sentence_,                                                                        \
     .type = RECORD_##type_,                                                                       \
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
