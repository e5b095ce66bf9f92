/* Compiles and runs code that nobody has read: class/isolate says how it is called. It is started
 * by a path that ends with build/isolate/ and a name, below the root of its tree. In bubblewrap's
 * sandbox it is started once more, as `inside` (sandbox.c). */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "isolate.h"
#include "utf8.h"

/* ---- errors and words ------------------------------------------------------------------------ */

/* Names of files may hold anything that a terminal obeys. */
static void make_printable(char *line) {
    unsigned char *byte = (unsigned char *)line;
    for (size_t length; *byte; byte += length) {
        length = utf8_length(byte, strlen((char *)byte));
        const bool shown = length && !utf8_is_hidden(utf8_code_point(byte, length));
        length = length ? length : 1;
        if (!shown)
            memset(byte, '?', length);
    }
}

void give_up(int status, const char *format, ...) {
    char line[2 * PATH_MAX];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    make_printable(line);
    fprintf(stderr, "isolate: %s\n", line);
    exit(status);
}

#define usage_error(...) give_up(2, __VA_ARGS__)

char *text(const char *format, ...) {
    char *made;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&made, format, arguments) < 0)
        fault("there is no memory left");
    va_end(arguments);
    return made;
}

void add(struct words *words, const char *word) {
    if (words->count + 1 >= words->room) {
        words->room = 2 * words->room + 64;
        words->word = realloc(words->word, words->room * sizeof *words->word);
        if (!words->word)
            fault("there is no memory left");
    }
    words->word[words->count++] = (char *)word;
    words->word[words->count] = NULL;
}

bool works(void (*act)(void *), void *argument, char said[SAID_MOST]) {
    int heard = memfd_create("heard", MFD_CLOEXEC), status = -1;
    const pid_t parent = getpid(), pid = heard < 0 ? -1 : fork();
    if (pid == 0) {
        die_with(parent, SIGKILL);
        dup2(heard, STDOUT_FILENO);
        dup2(heard, STDERR_FILENO);
        act(argument);
        _exit(0);
    }
    if (pid < 0 || waitpid(pid, &status, 0) != pid)
        fault("cannot start a process: %s", strerror(errno));
    const ssize_t length = pread(heard, said, SAID_MOST - 1, 0);
    said[length > 0 ? length : 0] = '\0';
    close(heard);
    return status == 0;
}

/* ---- run ------------------------------------------------------------------------------------- */

static int run(char **words) {
    enum kind kind = CPU;
    if (*words && strcmp(*words, "--device") == 0) {
        const char *device = words[1] ? words[1] : "";
        kind = strcmp(device, "gpu") == 0 ? GPU : CPU;
        if (kind == CPU && strcmp(device, "cpu") != 0)
            usage_error("--device is cpu or gpu, not '%s'", device);
        words += 2;
    }
    if (!words[0] || words[1])
        usage_error("run takes one runner: see --help");
    /* A link that a build has left could lead anywhere. */
    struct stat is;
    if (lstat(*words, &is) < 0 || !S_ISREG(is.st_mode))
        fault("there is no runner %s", *words);
    const char *runner = **words == '/' ? *words : text("%s/%s", get_current_dir_name(), *words);
    close_from(STARTED_FD + 1);
    leave_to_watcher();
    plan(choose_level(), kind);
    const pid_t child = fork_watched();
    if (child == 0) {
        begin();
        if (kind == GPU)
            show_gpu();
        become((char *[]){place_runner(runner), NULL});
    }
    keep_stderr_alone();
    return watch(child, 0);
}

/* ---- build ----------------------------------------------------------------------------------- */

/* One at a time: a caller that was killed may have left one. */
static void lock(const char *directory) {
    enum { TURNS = 12000, TURN_US = 50000 };
    const int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int turn = 0; fd < 0 || flock(fd, LOCK_EX | LOCK_NB) < 0; turn++) {
        if (fd < 0 || (errno != EWOULDBLOCK && errno != EINTR))
            fault("cannot lock %s: %s", directory, strerror(errno));
        if (turn == TURNS)
            fault("another build is using %s", directory);
        usleep(TURN_US);
    }
}

/* Lets other users come from the tree to a path. bubblewrap's sandbox has directories of its own
 * instead. */
static void open_way(const char *root, const char *path) {
    const size_t length = strlen(root);
    char *parent = text("%s", path), *slash;
    struct stat is;
    while ((slash = strrchr(parent, '/'))) {
        *slash = '\0';
        if (strncmp(parent, root, length) != 0 || parent[length] != '/')
            return;
        if (stat(parent, &is) == 0)
            chmod(parent, (is.st_mode & 07777) | 0555);
    }
}

static void hand_over(const char *root, const char *step, const char *directory) {
    const struct change given = {.owner = sandbox.user, .group = sandbox.user};
    if (!sandbox.user)
        return;
    if (sandbox.level != BUBBLEWRAP) {
        open_way(root, step);
        open_way(root, directory);
    }
    if (!change_all(realpath(step, NULL), &(struct change){.readable = true}) ||
        !change_all(directory, &given) ||
        (sandbox.temporary && !change_all(sandbox.temporary, &given)))
        fault("cannot hand %s to the user of the sandbox", directory);
}

static _Noreturn void start_build(const char *root, const char *step, const char *directory,
                                  char **command) {
    close(STDIN_FILENO);
    if (open("/dev/null", O_RDONLY) != STDIN_FILENO)
        fault("cannot open /dev/null: %s", strerror(errno));
    setpgid(0, 0); /* whom it signals as its group is itself */
    begin();
    stand_in(root);
    show_compilers(root);
    const struct words paths = harness(root);
    for (size_t i = 0; i < paths.count; i++)
        show(paths.word[i], READ);
    show(step, READ);
    show(directory, WRITE);
    if (sandbox.temporary)
        show(sandbox.temporary, WRITE);
    become(command);
}

/* Files that a build leaves belong to the grader again; links, pipes and the like are removed. */
static int take_back(const char *directory, int status) {
    const struct change back = {
        .plain = true, .readable = sandbox.user, .from = sandbox.user, .group = getgid()};
    if (change_all(directory, &back) || status)
        return status;
    fprintf(stderr, "isolate: what the build has left in %s cannot be taken back\n", directory);
    return 1;
}

static void remove_temporary(const char *directory) {
    if (change_all(directory, &(struct change){.gone = true}))
        return;
    if (fork() == 0) /* it is deeper than anything honest */
        execlp("rm", "rm", "-rf", "--", directory, NULL);
    wait(NULL);
}

static int build(const char *root, char **words) {
    const char *timeout = "300";
    if (*words && strcmp(*words, "--timeout") == 0) {
        timeout = words[1] ? words[1] : "";
        if (*timeout == '0' || !*timeout || timeout[strspn(timeout, "0123456789")])
            usage_error("--timeout takes seconds, not '%s'", timeout);
        words += 2;
    }
    for (int i = 0; i < 4; i++)
        if (!words[i] || (i == 2 && strcmp(words[i], "--") != 0))
            usage_error("build takes STEP_DIRECTORY BUILD_DIRECTORY -- COMMAND...: see --help");
    const char *step = absolute(words[0]);
    if (!step)
        fault("there is no step directory %s", words[0]);
    const char *directory = make_directories(words[1]) ? absolute(words[1]) : NULL;
    if (!directory)
        fault("cannot make the build directory %s", words[1]);
    close_from(STDERR_FILENO + 1);
    leave_to_watcher();
    lock(directory);
    plan(choose_level(), BUILD);
    char temporary[] = "/tmp/histolab.XXXXXX";
    if (sandbox.level == LANDLOCK && !(sandbox.temporary = mkdtemp(temporary)))
        fault("cannot make a temporary directory in /tmp: %s", strerror(errno));
    const char *real = realpath(directory, NULL);
    hand_over(root, step, real);
    const pid_t child = fork_watched();
    if (child == 0)
        start_build(root, step, directory, words + 3);
    int status = watch(child, strlen(timeout) > 9 ? 999999999 : atoll(timeout));
    status = take_back(real, status);
    if (sandbox.temporary)
        remove_temporary(temporary);
    return status == 128 + SIGKILL ? 124 : status;
}

/* ---- --available ----------------------------------------------------------------------------- */

static void try_command(void *how) {
    char *command[] = {"true", NULL, NULL};
    const struct sandbox *tried = how;
    plan(tried->level, tried->kind);
    begin();
    if (tried->kind == GPU) {
        show_gpu();
        command[0] = "nvidia-smi";
        command[1] = "-L";
    }
    become(command);
}

/* A line of what is said where no command runs so, or NULL. */
static char *fails(enum level level, enum kind kind) {
    static char said[SAID_MOST];
    if (works(try_command, &(struct sandbox){.level = level, .kind = kind}, said))
        return NULL;
    said[strcspn(said, "\n")] = '\0';
    return said;
}

static const char *unreadable;

static int note_unreadable(const char *path, const struct stat *is, int type, struct FTW *where) {
    (void)type;
    (void)where;
    if (!(is->st_mode & S_IROTH))
        unreadable = text("%s", path);
    return unreadable != NULL;
}

/* What is missing, and how to get it; or NULL. */
static char *bubblewrap_fails(const char *root, enum kind kind) {
    if (!on_path("bwrap"))
        return "install bubblewrap (on Debian and Ubuntu: apt install bubblewrap)";
    struct words paths = harness(root);
    add(&paths, text("%s/build/isolate/isolate", root));
    plan(BUBBLEWRAP, CPU);
    for (size_t i = 0; i < paths.count && sandbox.user; i++)
        nftw(paths.word[i], note_unreadable, 16, FTW_PHYS);
    if (unreadable)
        return text("root's sandbox runs as another user, who cannot read %s: "
                    "chmod -R go+rX Makefile common emulator build",
                    unreadable + strlen(root) + 1);
    const char *said = fails(BUBBLEWRAP, CPU);
    if (said)
        return text("bubblewrap fails (%s): permit user namespaces (sysctl "
                    "kernel.apparmor_restrict_unprivileged_userns=0 or "
                    "kernel.unprivileged_userns_clone=1; a container: run it with --security-opt "
                    "seccomp=unconfined --security-opt apparmor=unconfined), or run as root",
                    said);
    said = kind == GPU ? fails(BUBBLEWRAP, GPU) : NULL;
    return said ? text("inside bubblewrap the GPU is not found (%s)", said) : NULL;
}

static int available(const char *root, const char *option) {
    const enum kind kind = option && strcmp(option, "--gpu") == 0 ? GPU : CPU;
    close_from(STDERR_FILENO + 1);
    const char *why = bubblewrap_fails(root, kind);
    if (!why)
        return 0;
    const bool closed = !fails(LANDLOCK, kind);
    printf("%s: %s\n",
           closed ? "Landlock in place of namespaces closes files, network and other processes, "
                    "except that a step can see whether a file exists; for more"
                  : "submissions can read and change files of this user, and reach the network and "
                    "other processes",
           why);
    return !closed;
}

int main(int argc, char **argv) {
    const char *verb = argc > 1 ? argv[1] : "";
    signal(SIGCHLD, SIG_DFL); /* who ignores it has no child's status */
    if (strcmp(verb, "inside") == 0 && argc > 2 + 1 + LIMITS_COUNT)
        go_on(argv + 2);
    setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 0);
    if (strcmp(verb, "run") == 0)
        return run(argv + 2);
    if (!strchr(argv[0], '/'))
        fault("start it by its path, which tells where its tree is");
    const char *root = without_dots(text("%s/../../..", argv[0]));
    if (strcmp(verb, "--available") == 0)
        return available(root, argv[2]);
    if (strcmp(verb, "build") == 0)
        return build(root, argv + 2);
    usage_error("use: class/isolate --available, build or run: see --help");
}
