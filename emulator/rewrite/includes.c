#define _XOPEN_SOURCE 700 /* strndup, realpath */
#include "parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* How the names of headers begin that only the CUDA Toolkit has. */
static const char toolkit_headers[] =
    "cub/ thrust/ cuda/ nv/ cccl/ crt/ cute/ cutlass/ cublas curand "
    "cufft cusparse cusolver cudnn cupti cuComplex cudaGL cudaProfiler cudaTypedefs cuda_awbarrier "
    "cuda_device_runtime_api cuda_egl cuda_fp4 cuda_fp6 cuda_fp8 cuda_gl cuda_occupancy cuda_stdint nccl "
    "nvml nvrtc nvtx nvToolsExt nvJitLink npp mma.h sm_ texture_f texture_i surface_ driver_f "
    "common_functions device_double_functions device_types host_config "
    "library_types";

static bool is_there(const char *directory, const char *name) {
    return directory && access(format_text("%s/%s", directory, name), R_OK) == 0;
}

static bool is_readable(const char *path) {
    struct stat status;
    return access(path, R_OK) == 0 && stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

/* Where an included file is: beside the one that is read, if the name stands in quotes, or in one
 * of the directories. NULL where it is elsewhere. */
static char *find_included(const struct unit *u, const char *name, bool quoted) {
    const char *slash = strrchr(u->file->path, '/');
    int directory = slash ? (int)(slash - u->file->path) + 1 : 0;
    char *path = format_text("%.*s%s", directory, u->file->path, name);
    if (quoted && is_readable(path))
        return path;
    for (size_t i = 0; i < u->manner.directory_count; i++) {
        path = format_text("%s/%s", u->manner.directories[i], name);
        if (is_readable(path))
            return path;
    }
    return NULL;
}

/* A macro that stands for #pragma once in this file. */
static char *guard_name(const char *path) {
    char *name = format_text("EMULATOR_READ_%s", path);
    for (char *p = name; *p; p++)
        if (!isalnum((unsigned char)*p))
            *p = '_';
    return name;
}

struct header *read_header(struct unit *u, const char *path) {
    struct header *header = u->headers;
    char *real_path = realpath(path, NULL);
    if (!real_path) /* whoever reads it will say why it cannot be read */
        real_path = need(strdup(path));
    while (header && strcmp(header->real_path, real_path) != 0)
        header = header->next;
    if (!header) {
        header = need(calloc(1, sizeof *header));
        *header =
            (struct header){u->headers, real_path, {.includer = u->file, .path = path}, NULL, NULL};
        u->headers = header;
        header->text = u->rewrite_file(u, &header->file);
    }
    return header->text ? header : NULL;
}

/* Writes it as a file, whose path it returns. */
static char *write_header(struct unit *u, const struct header *header) {
    char *path = format_text("%s/%zu.h", u->manner.headers, u->headers_written++);
    char *text = format_text("%s#line 1 \"%s\"\n%s", header->file.once ? "#pragma once\n" : "",
                             header->file.quoted, header->text);
    if (!text_write(path, text, strlen(text)))
        fail(u, 1, "cannot write %s", path);
    return path;
}

/* #include of the file at `path`, from `hash` to `end`: its text, if there is anything to rewrite
 * in it. What that includes is no longer beside it, so its path is written. */
static void include(struct unit *u, const char *hash, const char *end, int line, const char *path) {
    struct header *header = read_header(u, path);
    if (!header)
        return;
    const struct file *inner = &header->file;
    if (inner->changes > inner->paths && u->manner.headers) {
        if (!header->written)
            header->written = write_header(u, header);
        change(u, hash, (size_t)(end - hash), "#include \"%s\"", header->written);
    } else if (inner->changes > inner->paths) {
        char *once = guard_name(inner->path);
        change(u, hash, (size_t)(end - hash),
               "\n#%s %s\n#define %s\n#line 1 \"%s\"\n%s\n#endif\n#line %d \"%s\"",
               inner->once ? "ifndef" : "if 1 //", once, once, inner->quoted, header->text,
               line + 1, u->file->quoted);
        u->file->has_more_lines = true;
    } else if (u->file->includer) {
        change(u, hash, (size_t)(end - hash), "#include \"%s\"", inner->quoted);
        u->file->paths++;
    }
}

/* #include <thrust/name>: CCCL's header, as libraries/thrust_header.h has it included. */
static void include_thrust(struct unit *u, const char *hash, const char *end, int line,
                           const char *name) {
    if (is_there(u->manner.cccl, name)) {
        change(u, hash, (size_t)(end - hash),
               "\n#define EMULATOR_HEADER <%s>\n#include <thrust_header.h>\n#line %d \"%s\"", name,
               line + 1, u->file->quoted);
        u->file->has_more_lines = true;
        return;
    }
    if (u->said_thrust) { /* the compiler goes on after an #error */
        drop(u, hash, (size_t)(end - hash));
        return;
    }
    u->said_thrust = true;
    change(
        u, hash, (size_t)(end - hash),
        "#error %s is a header of Thrust, which is not found here: install NVIDIA's CCCL (python3 "
        "-m pip install nvidia-cuda-cccl; or libthrust-dev; or the CUDA Toolkit), or name the "
        "directory that has thrust/ in HISTOLAB_CCCL",
        name);
}

void read_include(struct unit *u, const char *hash, const char *end, int line) {
    const char *open = hash + strcspn(hash, "\"<\n");
    if (open >= end)
        return; /* the name is a macro's */
    size_t length = strcspn(open + 1, *open == '<' ? ">\n" : "\"\n");
    char *name = need(strndup(open + 1, length));
    char *path = find_included(u, name, *open == '"');
    if (path) {
        include(u, hash, end, line, path); /* which keeps the path */
    } else if (u->manner.libraries && strncmp(name, "thrust/", 7) == 0) {
        include_thrust(u, hash, end, line, name);
    } else if (u->manner.libraries && begins_with(name, "cub/") &&
               !is_there(u->manner.libraries, name)) {
        change(u, hash, (size_t)(end - hash), "#include <cub/cub.cuh>"); /* which has all of it */
    } else if (begins_with_any(name, toolkit_headers) && !is_there(u->manner.libraries, name)) {
        change(
            u, hash, (size_t)(end - hash),
            "#error the emulator has no %s of the CUDA Toolkit: do without it, or include it only "
            "inside #ifdef __NVCC__",
            name);
    }
}
