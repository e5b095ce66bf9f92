/* What the files of build/isolate/isolate share. README.md says what the program is for. */
#pragma once

#include <linux/filter.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>

enum level { BUBBLEWRAP, LANDLOCK, LIMITS };
enum kind { BUILD, CPU, GPU };          /* what is isolated: a build, or a run on a device */
enum how { LIST, READ, WRITE, DEVICE }; /* what may be done with a path that is shown */
enum { CPU_S, FILE_BYTES, PROCESSES, ADDRESS_BYTES, DESCRIPTORS, LIMITS_COUNT };

/* Descriptors 3 to 7 are the protocol's; what this program opens for others to inherit is above. */
enum { STARTED_FD = 8, OWN_FDS = 10 };

/* The sandbox of this process, or of its child. */
extern struct sandbox {
    enum level level;
    enum kind kind;
    uid_t user;        /* whom root becomes, and nobody else is; 0: this user stays */
    const char *knows; /* what bwrap --help says */
    rlim_t limits[LIMITS_COUNT];
    long long memory_mb;
    const char
        *temporary; /* a build's own directory in /tmp, where namespaces do not give it one */
} sandbox;

struct words {
    char **word;
    size_t count, room;
};

enum { SAID_MOST = 1 << 16 };

/* isolate.c: errors, words, and trying something in a child. `said` gets what that prints. */
_Noreturn void give_up(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define fault(...) give_up(125, __VA_ARGS__)
char *text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void add(struct words *words, const char *word);
bool works(void (*act)(void *), void *argument, char said[SAID_MOST]);

/* sandbox.c. The level is the one that ISOLATE_LEVEL names, or the best that is there. */
enum level choose_level(void);
void plan(enum level level, enum kind kind);
char *on_path(const char *name); /* or NULL */
/* The paths of a tree that a step's build needs: no other steps, no solutions, no judge. */
struct words harness(const char *root);

/* In the process that becomes the command: what that sees, and where it stands. */
void begin(void);
void show(const char *path, enum how how);
void show_compilers(const char *root);
void show_gpu(void);
void stand_in(const char *directory);
char *place_runner(const char *runner); /* the name to start it by */
_Noreturn void become(char **command);
_Noreturn void go_on(char **words); /* in bubblewrap's sandbox, where become() starts this again */

/* enter.c: limits, and the last step before the command. */
void set_limits(void);
void give_up_capabilities(void);
void become_user(uid_t user);
_Noreturn void enter(const rlim_t limits[LIMITS_COUNT], char **command);

/* watch.c: a child whose memory and time are bounded, with all that it starts. */
void leave_to_watcher(void); /* returns in a process that nobody kills by chance */
pid_t fork_watched(void);    /* 0 in the child */
int watch(pid_t child, long long seconds);
void die_with(pid_t parent, int signal);

/* filter.c: `alone` is the process that becomes the step where there are no namespaces, or 0. */
struct sock_fprog filter_for(enum kind kind, pid_t alone);

/* landlock.c: rules that hold for this process from landlock_restricts() on. */
bool landlock_begins(void);
void landlock_allow(const char *path, enum how how);
bool landlock_restricts(void);

/* files.c */
void close_from(int first);
void keep_stderr_alone(void); /* of who only waits: a child's connections end with the child */
bool are_same(const char *path, const char *other);
char *without_dots(const char *path);
char *absolute(const char *directory); /* NULL: it is none */
bool make_directories(const char *path);

/* What is to become of a directory and all in it. */
struct change {
    bool readable;     /* by everybody, as chmod -R a+rX makes it */
    bool plain;        /* what is neither file nor directory goes, and what is not `from`'s */
    bool gone;         /* all goes */
    uid_t from, owner; /* 0 and 0: it stays whose it is */
    gid_t group;
};
bool change_all(const char *directory, const struct change *to);
