/* What of the device's memory the host can reach, and how much of it has reached the host.
 *
 * In a graded step the pages of all memory that kernels can use have no access while the host's
 * code runs. They are opened around each launch and each copy, and the step's other threads stand
 * still meanwhile. A touch by the host, by the step's
 * code or a library's, is a fault: of the device's own memory it is a hazard, and ends the process
 * as on a GPU; of memory that both sides share it moves the page to the host, and is counted like a
 * copy. Memory that the host has registered is its own: all of it is counted each time. In programs
 * that nobody grades everything is open. */
#define _GNU_SOURCE
#include "../scheduler/frames.h"
#include "runtime.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Of the processor: the largest page that Linux has on it, and what a signal's context holds:
 * whether an access was a write, and a system call's arguments and its result. */
#if defined(__x86_64__)
#define PAGE_BYTES "4096"
#define IS_WRITE(context) (((const ucontext_t *)(context))->uc_mcontext.gregs[REG_ERR] & 2)
#define REGISTER(context, x86, arm) ((context)->uc_mcontext.gregs[x86])
#else
#define PAGE_BYTES "65536"
#define IS_WRITE(context) false
#define REGISTER(context, x86, arm) ((context)->uc_mcontext.regs[arm])
#endif

unsigned long long emulator_host_bytes;

static unsigned users; /* who have the memory open: under the lock */

static size_t page_size(void) { return (size_t)sysconf(_SC_PAGESIZE); }

static bool is_graded(void) { return !emulator_any_program; }

static void count(size_t bytes) {
    __atomic_fetch_add(&emulator_host_bytes, bytes, __ATOMIC_RELAXED);
}

/* ---- where the memory is ---------------------------------------------------------------- */

/* All of it lies in one window of addresses, so that a filter of system calls knows it. */
enum { WINDOW_BITS = 40, WINDOW = 0x20 };

/* The first place differs from process to process, as with every address of Linux. */
static uintptr_t first_place(void) {
    uint64_t random = 0;
    const void *bytes = (const void *)getauxval(AT_RANDOM);
    if (bytes)
        memcpy(&random, bytes, sizeof random);
    return ((uintptr_t)WINDOW << WINDOW_BITS) + (random & 0x3ffffff) * page_size();
}

enum { LARGE_PAGE = 2 << 20 };

size_t emulator_page_for(size_t bytes) { return bytes < LARGE_PAGE / 4 ? page_size() : LARGE_PAGE; }

/* Where the kernel has no such addresses, it chooses others. */
char *emulator_map(size_t bytes) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static uintptr_t next;
    size_t page = emulator_page_for(bytes);
    pthread_mutex_lock(&mutex);
    if (!next)
        next = first_place();
    uintptr_t place = (next + page - 1) / page * page;
    next = place + bytes;
    pthread_mutex_unlock(&mutex);
    char *pages =
        mmap((void *)place, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED)
        return NULL;
    if (page == LARGE_PAGE)
        madvise(pages, bytes, MADV_HUGEPAGE);
    return pages;
}

/* Variables of the device have pages of their own. Programs are linked with this file behind the
 * step, so that what lies behind their sections' last variable is this. */
#define OWN_PAGES(space)                                                                           \
    __asm__(".pushsection emulator_" #space ",\"aw\",%progbits\n"                                  \
            ".balign " PAGE_BYTES "\n"                                                             \
            ".hidden emulator_end_of_" #space "\n"                                                 \
            ".globl emulator_end_of_" #space "\n"                                                  \
            "emulator_end_of_" #space ":\n"                                                        \
            ".zero " PAGE_BYTES "\n"                                                               \
            ".popsection\n");
OWN_PAGES(device)
OWN_PAGES(constant)
OWN_PAGES(managed)
OWN_PAGES(readonly)

/* Whole pages. */
struct range {
    char *begin, *end;
    bool shared; /* the host may use it, too */
};

static const struct range sections[] = {
    {__start_emulator_device, emulator_end_of_device, false},
    {__start_emulator_constant, emulator_end_of_constant, false},
    {__start_emulator_managed, emulator_end_of_managed, true},
};
enum { SECTIONS = sizeof sections / sizeof *sections };

/* Registered memory is no pages of the emulator's. */
static struct range range_of(const struct allocation *a) {
    char *end = a->begin + (a->size + 255) / 256 * 256;
    return (struct range){a->pages, a->pages ? end : NULL, !emulator_is_on_device(a)};
}

static bool is_in(const struct range *range, const void *address) {
    return (const char *)address >= range->begin && (const char *)address < range->end;
}

/* Without an end: it lies in none. */
static struct range range_at(const void *address) {
    struct range found = {0};
    for (int i = 0; i < SECTIONS; i++)
        found = is_in(&sections[i], address) ? sections[i] : found;
    for (const struct allocation *a = emulator_hold_allocations(); a; a = a->next) {
        const struct range range = range_of(a);
        found = is_in(&range, address) ? range : found;
    }
    emulator_let_allocations_go();
    return found;
}

/* ---- open and closed -------------------------------------------------------------------- */

/* A key of the CPU's, by which each OS thread has access to these pages or not: a thread of the
 * step has none while a kernel runs on another. Without keys (-1) they are open to all then. */
static int key = -1;

/* Of this thread. One that a thread of the host starts has none, as it has not. */
static void set_rights(bool open) {
    if (key >= 0)
        pkey_set(key, open ? 0 : PKEY_DISABLE_ACCESS);
}

void emulator_kernel_thread(int runs) { set_rights(runs); }

static void set_access(struct range range, bool open) {
    enum { OPEN = PROT_READ | PROT_WRITE };
    const size_t bytes = (size_t)(range.end - range.begin);
    int status = key >= 0 ? pkey_mprotect(range.begin, bytes, OPEN, key)
                          : mprotect(range.begin, bytes, open ? OPEN : PROT_NONE);
    if (status != 0) {
        perror("emulator: cannot open or close the device's memory");
        abort();
    }
}

/* With a key only the pages that the host has moved to itself have to be closed. */
static void change_access(struct range range, bool open) {
    if (range.begin < range.end && (key < 0 || (range.shared && !open)))
        set_access(range, open);
}

static void set_all(bool open) {
    for (int i = 0; i < SECTIONS; i++)
        change_access(sections[i], open);
    for (const struct allocation *a = emulator_hold_allocations(); a; a = a->next)
        change_access(range_of(a), open);
    emulator_let_allocations_go();
    set_rights(open);
}

/* ---- the step's own threads ------------------------------------------------------------- */

/* Without keys what is open is open for them too; and with keys a kernel could hand the input, part
 * by part, to a thread that reads the same few bytes of shared memory. So they stand still while
 * the memory is open, in the handler of a signal that the emulator's own threads do not take. */
enum { STAND_STILL = SIGURG, LONGEST_S = 20 };
static _Atomic unsigned turn; /* odd: they stand still */
static _Atomic unsigned standing, workers;

static void stand_still(int number) {
    (void)number;
    struct timespec longest = {.tv_sec = LONGEST_S};
    int kept = errno;
    unsigned mine = turn;
    if (mine % 2 == 0)
        return;
    standing++;
    /* A kernel may wait for a lock that this thread has. What that does then nobody sees. */
    while (turn == mine)
        if (syscall(SYS_futex, &turn, FUTEX_WAIT_PRIVATE, mine, &longest, NULL, 0) != 0 &&
            errno == ETIMEDOUT) {
            count((size_t)1 << 40);
            break;
        }
    standing--;
    errno = kept;
}

/* A thread begins with its starter's blocked signals. If it cannot start, the program ends. */
void emulator_starts_worker(int about_to) {
    static sigset_t before;
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, STAND_STILL);
    if (about_to)
        pthread_sigmask(SIG_BLOCK, &blocked, &before);
    else
        pthread_sigmask(SIG_SETMASK, &before, NULL);
    workers += !about_to;
}

/* Threads besides the emulator's and this one. A directory has two links more than directories. */
static unsigned others(void) {
    struct stat tasks;
    unsigned own = workers + 1;
    if (stat("/proc/self/task", &tasks) != 0 || tasks.st_nlink < 2 + own)
        return 0;
    return (unsigned)tasks.st_nlink - 2 - own;
}

/* Nothing is allocated or freed once they stand: one of them may be about to. */
static bool signal_others(void) {
    static DIR *tasks;
    if (!tasks)
        tasks = opendir("/proc/self/task");
    if (!tasks)
        return false; /* in a sandbox without /proc */
    rewinddir(tasks);
    for (const struct dirent *task; (task = readdir(tasks));)
        if (atoi(task->d_name) > 0 && atoi(task->d_name) != gettid())
            syscall(SYS_tgkill, getpid(), atoi(task->d_name), STAND_STILL);
    return true;
}

static void stop_others(void) {
    enum { LOOKS = LONGEST_S * 10000, LOOK_US = 100, LOOKS_A_SIGNAL = 64 };
    if (!others())
        return;
    turn++;
    for (unsigned look = 0; standing < others() && look < LOOKS; look++) {
        if (look % LOOKS_A_SIGNAL == 0 && !signal_others())
            return;
        usleep(LOOK_US);
    }
}

static void let_others_go(void) {
    if (turn % 2 == 0)
        return;
    turn++;
    syscall(SYS_futex, &turn, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void emulator_open_memory(void) {
    if (!is_graded() || users++)
        return;
    emulator_hold_allocations(); /* so that none of them does */
    stop_others();
    emulator_let_allocations_go();
    set_all(true);
}

/* ---- what reaches the host -------------------------------------------------------------- */

void emulator_close_memory(void) {
    if (!is_graded() || --users)
        return;
    set_all(false);
    /* Registered memory lies among the program's own, and stays open. */
    for (const struct allocation *a = emulator_hold_allocations(); a; a = a->next)
        count(a->kind == EMULATOR_REGISTERED_MEMORY ? a->size : 0);
    emulator_let_allocations_go();
    let_others_go();
}

/* What goes to memory that both sides share is counted when the host looks at it. */
void emulator_count_copy(const void *to, const void *from, size_t bytes) {
    if (is_graded() && !range_at(to).end && range_at(from).end)
        count(bytes);
}

/* ---- touches ---------------------------------------------------------------------------- */

static struct sigaction before; /* what SIGSEGV did */

/* In a handler. The first frame of the program is the step's, where it called a library. */
static void tell(const void *address, const char *does, const siginfo_t *info, void *context) {
    struct frames_place place = frames_place_of(info, context);
    uint64_t frames[CRASH_FRAMES];
    struct hazard hazard = {.kind = HAZARD_HOST_TOUCHES_DEVICE, .places = 1};
    struct hazard_place *at = &hazard.place[0];
    at->on_host = 1;
    at->pc = frames_find(&place, frames) ? frames[0] : 0;
    snprintf(at->does, sizeof at->does, "%s", does);
    EMULATOR_WATCH(watch_touched, &hazard, address);
    emulator_tell_hazard(&hazard);
}

static void go_on(siginfo_t *info, void *context) {
    if (before.sa_flags & SA_SIGINFO) {
        before.sa_sigaction(SIGSEGV, info, context);
    } else {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
}

static void touched(int number, siginfo_t *info, void *context) {
    (void)number;
    struct range range = {0};
    bool closed = info->si_code == SEGV_ACCERR || info->si_code == SEGV_PKUERR;
    if (closed && !emulator_thread_stack())
        range = range_at(info->si_addr);
    if (range.shared) {
        uintptr_t page = (uintptr_t)info->si_addr / page_size() * page_size();
        pkey_mprotect((void *)page, page_size(), PROT_READ | PROT_WRITE, key < 0 ? -1 : 0);
        count(page_size());
        return;
    }
    if (range.end)
        tell(info->si_addr, IS_WRITE(context) ? "writes" : "reads", info, context);
    go_on(info, context);
}

/* ---- system calls ------------------------------------------------------------------------ */

/* The system reads no closed page for a caller, and says so to nobody else: a step that writes the
 * input into a pipe would wait for ever for what comes out. So to write from there is a touch.
 * Other system calls read nothing either, and are not told.
 *
 * What may be written: a kernel's text, or memory that the host shares. Some of it, as write() may;
 * the C library comes again for the rest. */
static long write_some(const ucontext_t *context, const struct range *shared) {
    char copy[4096];
    size_t size = (size_t)REGISTER(context, REG_RDX, 2);
    if (size > sizeof copy)
        size = sizeof copy;
    if (shared->end) {
        pkey_mprotect(shared->begin, (size_t)(shared->end - shared->begin), PROT_READ | PROT_WRITE,
                      key < 0 ? -1 : 0);
        count(size);
    }
    memcpy(copy, (const void *)REGISTER(context, REG_RSI, 1), size);
    long written = write((int)REGISTER(context, REG_RDI, 0), copy, size);
    return written < 0 ? -errno : written;
}

static void wrote(int number, siginfo_t *info, void *handled) {
    (void)number;
    ucontext_t *context = handled;
    const void *from = (const void *)REGISTER(context, REG_RSI, 1);
    struct range range = {0};
    if (!emulator_thread_stack())
        range = range_at(from);
    if (range.end && !range.shared) {
        tell(from, "has the system read it", info, context);
        go_on(info, context);
        return;
    }
    REGISTER(context, REG_RAX, 0) =
        info->si_syscall == __NR_write ? write_some(context, &range) : -EFAULT;
}

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (field))
#define IF_NOT(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (skip))
#define IF(value, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), (skip), 0)

/* Where this is not allowed, such a call still reads nothing. */
static void watch_writes(void) {
    enum { BUFFER_HIGH = offsetof(struct seccomp_data, args[1]) + 4 }; /* little-endian */
    struct sock_filter filter[] = {
        LOAD(offsetof(struct seccomp_data, nr)),
        IF(__NR_write, 1),
        IF_NOT(__NR_sendto, 4),
        LOAD(BUFFER_HIGH),
        BPF_STMT(BPF_ALU | BPF_RSH | BPF_K, WINDOW_BITS - 32),
        IF_NOT(WINDOW, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
    struct sigaction action = {.sa_sigaction = wrote, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    sigaction(SIGSYS, &action, NULL);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program);
}

static void start(void) {
    static bool started;
    if (started)
        return;
    started = true;
    struct sigaction action = {.sa_sigaction = touched, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigfillset(&action.sa_mask);
    frames_begin();
    sigaction(SIGSEGV, &action, &before);
    struct sigaction still = {.sa_handler = stand_still, .sa_flags = SA_RESTART};
    sigaction(STAND_STILL, &still, NULL);
    watch_writes();
    key = pkey_alloc(0, PKEY_DISABLE_ACCESS);
    for (int i = 0; i < SECTIONS; i++)
        if (sections[i].begin < sections[i].end)
            set_access(sections[i], false);
    /* The host reads constants of the device uncounted, and what reads them is not analysed. */
    const size_t constants = (size_t)(emulator_end_of_readonly - __start_emulator_readonly);
    if (constants)
        mprotect(__start_emulator_readonly, constants, PROT_READ);
}

void emulator_close_new(char *pages, size_t bytes) {
    if (!is_graded())
        return;
    start();
    set_access((struct range){pages, pages + bytes, false}, users > 0);
}
