/* Makes a seccomp filter: it refuses system calls that no step and no compiler needs, and that lead
 * around what the sandbox is made of. All others are allowed: what they may reach is for namespaces
 * or Landlock to decide, and how much for limits.
 *
 * Without namespaces processes of the same user, and the attributes of its files, are within reach
 * of system calls that Landlock knows nothing of. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "isolate.h"

#if defined __x86_64__
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "say here which AUDIT_ARCH_... of linux/audit.h this processor is"
#endif

/* Numbers that are the same on every architecture; the C library's headers may not know them. */
/* clang-format off */
enum {
    NR_PIDFD_SEND_SIGNAL = 424, NR_IO_URING_SETUP = 425, NR_OPEN_TREE = 428, NR_MOVE_MOUNT = 429,
    NR_FSOPEN = 430, NR_FSMOUNT = 432, NR_PIDFD_OPEN = 434, NR_CLONE3 = 435, NR_OPENAT2 = 437,
    NR_PIDFD_GETFD = 438, NR_PROCESS_MADVISE = 440, NR_MOUNT_SETATTR = 442,
    NR_PROCESS_MRELEASE = 448, NR_FCHMODAT2 = 452, NR_SETXATTRAT = 463, NR_REMOVEXATTRAT = 466,
    NR_FILE_SETATTR = 469
};
/* clang-format on */

#define COUNT(array) (sizeof(array) / sizeof *(array))

static const int refused[] = {
    /* Another namespace could mount a file system of any size, and is a way into the kernel. */
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, NR_OPEN_TREE, NR_MOVE_MOUNT,
    NR_FSOPEN, NR_FSMOUNT, NR_MOUNT_SETATTR,
    /* Keys belong to the user, in whatever namespace. */
    SYS_add_key, SYS_request_key, SYS_keyctl,
    /* The kernel's log has the names and addresses of what has crashed here. */
    SYS_syslog,
    /* Ways into the kernel that nothing here needs. */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, NR_IO_URING_SETUP,
#ifdef SYS_socketcall
    SYS_socketcall, /* any call on sockets, named in memory where no filter can read */
#endif
};

/* Memory that is not in any process's address space is in none of the limits either. CUDA needs
 * such memory. */
static const int refused_without_gpu[] = {SYS_memfd_create, SYS_shmget, SYS_msgget};

/* A step stays on the CPUs that it was started on, or it could crowd out another. To an honest
 * program this is a wish that changes nothing: it is told that all is well, since it might take a
 * refusal for a failure. CUDA's driver may want to place its threads. */
static const int ignored_without_gpu[] = {SYS_sched_setaffinity};

/* Other processes of the same user's, where they have no namespace of their own. */
static const int reach_others[] = {
    SYS_ptrace, SYS_process_vm_readv, SYS_process_vm_writev, SYS_kcmp, NR_PIDFD_OPEN,
    NR_PIDFD_GETFD, NR_PIDFD_SEND_SIGNAL, NR_PROCESS_MADVISE, NR_PROCESS_MRELEASE,
    SYS_migrate_pages, SYS_move_pages, SYS_tkill, SYS_setpriority, SYS_ioprio_set,
    /* Their queues, semaphores and shared memory, by number or name. */
    SYS_semget, SYS_semop, SYS_semtimedop, SYS_semctl, SYS_shmat, SYS_shmctl, SYS_msgsnd,
    SYS_msgrcv, SYS_msgctl, SYS_mq_open, SYS_mq_unlink,
    /* And which files they touch. */
    SYS_inotify_add_watch, SYS_fanotify_init};

/* To a process: only itself. A step may raise(), abort() and pthread_kill(). */
static const int to_itself[] = {SYS_kill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};

/* Likewise, and 0 stands for itself too. */
static const int of_itself[] = {SYS_prlimit64, SYS_sched_setaffinity, SYS_sched_setparam,
                                SYS_sched_setscheduler, SYS_sched_setattr};

/* Landlock decides who opens a file, and not who changes its owner, times or attributes. Compilers
 * do change the mode of what they write, and before Landlock's third version may truncate it. */
static const int change_files[] = {
    SYS_fchown,       SYS_fchownat,  SYS_utimensat,
#ifdef SYS_chown
    SYS_chown,        SYS_lchown,    SYS_utime,        SYS_utimes,      SYS_futimesat,
#endif
    SYS_setxattr,     SYS_lsetxattr, SYS_fsetxattr,    SYS_removexattr, SYS_lremovexattr,
    SYS_fremovexattr, NR_SETXATTRAT, NR_REMOVEXATTRAT, NR_FILE_SETATTR};
static const int change_modes[] = {SYS_fchmod, SYS_fchmodat, NR_FCHMODAT2, SYS_truncate,
#ifdef SYS_chmod
                                   SYS_chmod
#endif
};

/* Where a mode stands among the arguments, and the flags that say whether there is one. */
static const struct {
    int call, mode, flags;
} modes[] = {
    {SYS_fchmod, 1, -1}, {SYS_fchmodat, 2, -1}, {NR_FCHMODAT2, 2, -1}, {SYS_mknodat, 2, -1},
    {SYS_openat, 3, 2},
#ifdef SYS_open
    {SYS_chmod, 1, -1},  {SYS_mknod, 1, -1},    {SYS_creat, 1, -1},    {SYS_open, 2, 1},
#endif
};

/* Input for a terminal, and signals for who is named as a file's owner. */
static const unsigned controls[] = {TIOCSTI, TIOCLINUX, FIOSETOWN, SIOCSPGRP};
static const unsigned owners[] = {F_SETOWN, 15 /* F_SETOWN_EX */};

enum {
    NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                 CLONE_NEWUTS | CLONE_NEWCGROUP,
    X32_CALLS = 0x40000000,
    REFUSED = SECCOMP_RET_ERRNO | EPERM,
    EQUAL = BPF_JMP | BPF_JEQ | BPF_K,
};

static struct sock_filter instructions[BPF_MAXINSNS];
static unsigned short count;

static void instruct(unsigned short code, unsigned char yes, unsigned char no, unsigned value) {
    if (count == BPF_MAXINSNS)
        fault("the filter of system calls is too long");
    instructions[count++] = (struct sock_filter){code, yes, no, value};
}

static void load(size_t offset) { instruct(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }

/* The lower half: all numbers that are looked at have 32 bits. */
static void load_argument(size_t which) {
    load(offsetof(struct seccomp_data, args) + which * sizeof(__u64));
}

static void answer(unsigned action) { instruct(BPF_RET | BPF_K, 0, 0, action); }

static void answer_if(unsigned short test, unsigned value, unsigned action) {
    instruct(BPF_JMP | test | BPF_K, 0, 1, value);
    answer(action);
}

/* The calls return -1 with that error, or 0 if it is 0. */
static void answer_all(const int *calls, size_t number, int error) {
    for (size_t i = 0; i < number; i++)
        answer_if(BPF_JEQ, calls[i], SECCOMP_RET_ERRNO | error);
}

/* A call is allowed if its first argument is one of two numbers. */
static void allow_for(int call, unsigned one, unsigned other) {
    instruct(EQUAL, 0, 5, call);
    load_argument(0);
    instruct(EQUAL, 2, 0, one);
    instruct(EQUAL, 1, 0, other);
    answer(REFUSED);
    answer(SECCOMP_RET_ALLOW);
}

/* A call is refused if its second argument is one of these numbers. */
static void refuse_second(int call, const unsigned *values, size_t number) {
    instruct(EQUAL, 0, 2 + 2 * number, call);
    load_argument(1);
    for (size_t i = 0; i < number; i++)
        answer_if(BPF_JEQ, values[i], REFUSED);
    answer(SECCOMP_RET_ALLOW);
}

/* A shared mapping of no file has the same: a child fills it, ends, and nobody's pages count. The
 * sandbox has no /dev/zero, which makes such mappings too. */
static void refuse_shared_anonymous(void) {
    instruct(EQUAL, 0, 5, SYS_mmap);
    load_argument(3);
    instruct(BPF_ALU | BPF_AND | BPF_K, 0, 0, MAP_SHARED | MAP_ANONYMOUS);
    answer_if(BPF_JEQ, MAP_SHARED | MAP_ANONYMOUS, REFUSED);
    answer(SECCOMP_RET_ALLOW);
}

/* A build's files become the grader's, in a folder that others may enter: a set-user-id program
 * there would run as the grader, whoever starts it. */
static void refuse_set_id(void) {
    for (size_t i = 0; i < COUNT(modes); i++) {
        bool asks = modes[i].flags >= 0;
        instruct(EQUAL, 0, asks ? 6 : 4, modes[i].call);
        if (asks) {
            load_argument(modes[i].flags);
            instruct(BPF_JMP | BPF_JSET | BPF_K, 0, 3, O_CREAT | (O_TMPFILE & ~O_DIRECTORY));
        }
        load_argument(modes[i].mode);
        answer_if(BPF_JSET, S_ISUID | S_ISGID, REFUSED);
        load(offsetof(struct seccomp_data, nr));
    }
}

/* The socket to the judge is inherited. A network namespace alone leaves AF_VSOCK, which leads to
 * the host of a virtual machine. CUDA listens on a unix socket for processes that it might share
 * memory with; it needs to connect to nobody (without a connection datagrams go anywhere). */
static void refuse_sockets(bool gpu) {
    const int pair[] = {SYS_socket, SYS_socketpair};
    if (!gpu) {
        answer_all(pair, COUNT(pair), EPERM);
        return;
    }
    answer_if(BPF_JEQ, SYS_connect, SECCOMP_RET_ERRNO | ECONNREFUSED);
    instruct(EQUAL, 0, 8, SYS_socket);
    load_argument(0);
    instruct(EQUAL, 1, 0, AF_UNIX);
    answer(SECCOMP_RET_ERRNO | EAFNOSUPPORT);
    load_argument(1);
    instruct(BPF_ALU | BPF_AND | BPF_K, 0, 0, 0xf); /* what is above are flags */
    answer_if(BPF_JEQ, SOCK_DGRAM, SECCOMP_RET_ERRNO | EPROTONOSUPPORT);
    load(offsetof(struct seccomp_data, nr));
}

static void refuse_without_namespaces(unsigned pid, bool build) {
    answer_all(reach_others, COUNT(reach_others), EPERM);
    for (size_t i = 0; i < COUNT(to_itself); i++)
        allow_for(to_itself[i], pid, pid);
    for (size_t i = 0; i < COUNT(of_itself); i++)
        allow_for(of_itself[i], pid, 0);
    refuse_second(SYS_ioctl, controls, COUNT(controls));
    refuse_second(SYS_fcntl, owners, COUNT(owners));
    answer_all(change_files, COUNT(change_files), EPERM);
    if (!build)
        answer_all(change_modes, COUNT(change_modes), EPERM);
}

struct sock_fprog filter_for(enum kind kind, pid_t alone) {
    load(offsetof(struct seccomp_data, arch));
    instruct(EQUAL, 1, 0, THIS_ARCHITECTURE);
    answer(SECCOMP_RET_KILL_PROCESS);

    load(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    answer_if(BPF_JGE, X32_CALLS, SECCOMP_RET_ERRNO | ENOSYS);
#endif
    answer_all(refused, COUNT(refused), EPERM);
    if (kind != GPU) {
        answer_all(refused_without_gpu, COUNT(refused_without_gpu), EPERM);
        answer_all(ignored_without_gpu, COUNT(ignored_without_gpu), 0);
        refuse_shared_anonymous();
    }
    refuse_sockets(kind == GPU);
    refuse_set_id();
    if (alone)
        refuse_without_namespaces(alone, kind == BUILD);
    /* Their flags are in memory, where no filter can read them: there are older calls instead. */
    answer_if(BPF_JEQ, NR_CLONE3, SECCOMP_RET_ERRNO | ENOSYS);
    answer_if(BPF_JEQ, NR_OPENAT2, SECCOMP_RET_ERRNO | ENOSYS);
    instruct(EQUAL, 0, 3, SYS_clone);
    load_argument(0);
    answer_if(BPF_JSET, NAMESPACES, REFUSED);
    answer(SECCOMP_RET_ALLOW);
    return (struct sock_fprog){.len = count, .filter = instructions};
}
