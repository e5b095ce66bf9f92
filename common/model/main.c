// SPDX-FileCopyrightText: the histolab authors
// SPDX-License-Identifier: Apache-2.0

/* build/predict: see `usage`. */
#include <stdio.h>
#include <string.h>

#include "predict.h"

static const char usage[] =
    "Usage: build/predict COUNTS GPU [CODE]\n"
    "Predicts how long one call of a step takes on a GPU, and what limits it.\n"
    "\n"
    "  COUNTS   a counts file, as build/cpu/STEP/runner-counted writes\n"
    "  GPU      a GPU file, such as common/gpus/h200.gpu\n"
    "  CODE     a code file of the step, as common/build/code writes; without it the interval is wider\n"
    "\n"
    "It prints lines of a key and its value:\n"
    "  gpu NAME, with machine code | source\n"
    "  seconds, low, high          of a call, and the 90 % interval\n"
    "  limit UNIT                  dram, l2, issue, shared, shared-atomics, global-atomics, one-address,\n"
    "                              barriers, launches, or latency: none of them is busy all the time\n"
    "  share UNIT SHARE            the time that the unit alone needs, over the call's\n"
    "  op N ...                    the same of each operation\n"
    "Exit status: 0 done, 1 a file cannot be used, 2 wrong usage.\n";

static void print_shares(const char *before, const double shares[PREDICT_UNITS]) {
    for (int unit = 0; unit < PREDICT_LATENCY; unit++)
        if (shares[unit] >= 0.005)
            printf("%sshare %s %.3f\n", before, predict_unit_name(unit), shares[unit]);
}

static void print_op(const struct predict *predict, size_t number) {
    static const char *const whats[] = {"kernel", "memset", "copy"};
    const struct counts_op *counted = &predict->counts.ops[number];
    const struct predict_op *op = &predict->ops[number];
    char before[32];
    snprintf(before, sizeof before, "op %zu ", number);
    printf("%s%s%s%s\n", before, whats[counted->what], *counted->name ? " " : "", counted->name);
    printf("%sseconds %.6g\n", before, op->seconds);
    printf("%slimit %s\n", before, predict_unit_name(op->limit));
    print_shares(before, op->shares);
    if (counted->what != COUNTS_KERNEL)
        return;
    printf("%swaves %.3g\n%soccupancy %.3g\n", before, op->waves, before, op->occupancy);
    if (op->registers >= 0)
        printf("%sregisters %d\n", before, op->registers);
}

static void print(const struct predict *predict) {
    printf("gpu %s\n", predict->gpu);
    printf("with %s\n", predict->with_code ? "machine code" : "source");
    printf("seconds %.6g\nlow %.6g\nhigh %.6g\n", predict->seconds, predict->low, predict->high);
    printf("limit %s\n", predict_unit_name(predict->limit));
    print_shares("", predict->shares);
    for (size_t i = 0; i < predict->counts.op_count; i++)
        print_op(predict, i);
}

static FILE *opened(const char *path) {
    FILE *file = fopen(path, "r");
    if (!file)
        perror(path);
    return file;
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "--help") == 0)
        return fputs(usage, stdout) < 0;
    if (argc < 3 || argc > 4) {
        fputs("predict: COUNTS and GPU are needed, and perhaps CODE; see --help\n", stderr);
        return 2;
    }
    FILE *files[3] = {NULL};
    for (int i = 1; i < argc; i++)
        if (!(files[i - 1] = opened(argv[i])))
            return 1;
    struct predict result;
    char error[300];
    const char *const names[3] = {argv[1], argv[2], argc > 3 ? argv[3] : NULL};
    bool good = predict(files[0], files[1], files[2], names, &result, error, sizeof error);
    for (int i = 0; i < 3; i++)
        if (files[i])
            fclose(files[i]);
    if (!good) {
        fprintf(stderr, "predict: %s\n", error);
        return 1;
    }
    print(&result);
    predict_free(&result);
    return 0;
}
