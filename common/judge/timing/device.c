#include "device.h"

#include <stdlib.h>
#include <string.h>

#include "judge/fault.h"
#include "gpu_state.h"

/* Takes over what follows the key in the line, cut where it is too long. */
static bool take_text(const char *line, const char *key, char *text, size_t size) {
    size_t length = strlen(key);
    if (strncmp(line, key, length) != 0 || line[length] != ' ')
        return false;
    snprintf(text, size, "%s", line + length + 1);
    return true;
}

static void take_number(const char *line, struct device *device) {
    char number[64];
    if (take_text(line, "sms", number, sizeof number))
        device->sms = strtol(number, NULL, 10);
    else if (take_text(line, "l2_bytes", number, sizeof number))
        device->l2_bytes = strtol(number, NULL, 10);
    else if (take_text(line, "spec_gbps", number, sizeof number))
        device->spec_gbps = strtod(number, NULL);
    else if (take_text(line, "memory_bytes", number, sizeof number))
        device->memory_bytes = strtod(number, NULL);
    else if (strcmp(line, "exclusive 1") == 0)
        device->exclusive = true;
}

struct device device_read(const char *path) {
    struct device device = {0};
    const struct {
        const char *key;
        char *text;
        size_t size;
    } texts[] = {
        {"kind", device.kind, sizeof device.kind},
        {"name", device.name, sizeof device.name},
        {"driver", device.driver, sizeof device.driver},
        {"uuid", device.uuid, sizeof device.uuid},
        {"toolkit", device.toolkit, sizeof device.toolkit},
        {"compiler", device.compiler, sizeof device.compiler},
        {"flags", device.flags, sizeof device.flags},
        {"cub", device.cub, sizeof device.cub},
    };
    FILE *file = fopen(path, "r");
    if (!file)
        usage_error("cannot read the device file %s", path);
    char line[1024];
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        bool taken = false;
        for (size_t i = 0; i < sizeof texts / sizeof texts[0] && !taken; i++)
            taken = take_text(line, texts[i].key, texts[i].text, texts[i].size);
        if (!taken)
            take_number(line, &device);
    }
    fclose(file);
    if (!device.kind[0])
        usage_error("the device file %s does not say which kind of device it is", path);
    return device;
}

bool device_timed(const struct device *device) { return strcmp(device->kind, "gpu") == 0; }

static enum record_truth truth_of(enum setting setting) {
    return setting == SETTING_UNKNOWN ? RECORD_UNKNOWN
           : setting == SETTING_ON    ? RECORD_TRUE
                                      : RECORD_FALSE;
}

static void add_settings(struct device_fields *fields) {
    struct gpu_settings settings = gpu_settings();
    fields->max_sm_mhz = settings.max_sm_mhz;
    fields->max_memory_mhz = settings.max_memory_mhz;
    fields->power_limit_w = settings.power_limit_mw / 1e3;
    fields->ecc = truth_of(settings.ecc);
    fields->mig = truth_of(settings.mig);
    fields->persistence = truth_of(settings.persistence);
    fields->has_max_sm_mhz = fields->has_max_memory_mhz = fields->has_power_limit_w = true;
    fields->has_ecc = fields->has_mig = fields->has_persistence = true;
}

struct device_fields device_fields(const struct device *device) {
    struct device_fields fields = {.kind = device->kind,
                                   .name = device->name,
                                   .driver = device->driver,
                                   .uuid = device->uuid,
                                   .has_uuid = true,
                                   .sms = device->sms,
                                   .l2_bytes = device->l2_bytes,
                                   .spec_gbps = device->spec_gbps};
    if (device_timed(device))
        add_settings(&fields);
    return fields;
}

struct build_fields device_build(const struct device *device) {
    return (struct build_fields){.toolkit = device->toolkit,
                                 .compiler = device->compiler,
                                 .flags = device->flags,
                                 .cub = device->cub};
}
