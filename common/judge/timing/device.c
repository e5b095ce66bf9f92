#include "device.h"

#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "gpu_state.h"

#define TEXT(name, field)                                                                          \
    { name, true, offsetof(struct device, field) }
#define NUMBER(name, field)                                                                        \
    { name, false, offsetof(struct device, field) }

static const struct key {
    const char *name;
    bool is_text;
    size_t place;
} keys[] = {
    TEXT("kind", is.kind),
    TEXT("name", is.name),
    TEXT("driver", is.driver),
    TEXT("uuid", is.uuid),
    NUMBER("sms", is.sms),
    NUMBER("l2_bytes", is.l2_bytes),
    NUMBER("spec_gbps", is.spec_gbps),
    NUMBER("memory_bytes", memory_bytes),
    NUMBER("exclusive", exclusive),
    TEXT("toolkit", build.toolkit),
    TEXT("compiler", build.compiler),
    TEXT("flags", build.flags),
    TEXT("cub", build.cub),
};

struct device device_read(const char *path) {
    static char text[4096];
    struct device device = {0};
    FILE *file = fopen(path, "r");
    if (!file)
        usage_error("cannot read the device file %s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        char *value = strchr(line, ' ');
        if (!value)
            continue;
        *value++ = '\0';
        for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
            char *place = (char *)&device + keys[i].place;
            if (strcmp(line, keys[i].name) != 0)
                continue;
            if (keys[i].is_text)
                *(const char **)(void *)place = value;
            else
                *(double *)(void *)place = strtod(value, NULL);
        }
    }
    if (!device.is.kind)
        usage_error("the device file %s does not say which kind of device it is", path);
    device.l2_bytes = (size_t)device.is.l2_bytes;
    return device;
}

bool device_timed(const struct device *device) {
    return device->is.kind && strcmp(device->is.kind, "gpu") == 0;
}

struct device_fields device_fields(const struct device *device) {
    struct device_fields fields = device->is;
    fields.has_uuid = true;
    if (device_timed(device))
        gpu_add_settings(&fields);
    return fields;
}
