/* Prints a seccomp filter, for `bwrap --seccomp`: it refuses system calls that no step and no
 * compiler needs, and that lead around what class/isolate sets up. All others are allowed: what
 * they may reach is for namespaces to decide, and how much for limits.
 *
 * usage: filter build|cpu|gpu */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

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
    NR_IO_URING_SETUP = 425, NR_OPEN_TREE = 428, NR_MOVE_MOUNT = 429, NR_FSOPEN = 430,
    NR_FSMOUNT = 432, NR_CLONE3 = 435, NR_OPENAT2 = 437, NR_MOUNT_SETATTR = 442,
    NR_FCHMODAT2 = 452
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

enum {
    NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                 CLONE_NEWUTS | CLONE_NEWCGROUP,
    X32_CALLS = 0x40000000,
    REFUSED = SECCOMP_RET_ERRNO | EPERM,
    EQUAL = BPF_JMP | BPF_JEQ | BPF_K,
};

static void instruct(unsigned short code, unsigned char yes, unsigned char no, unsigned value) {
    struct sock_filter instruction = {.code = code, .jt = yes, .jf = no, .k = value};
    fwrite(&instruction, sizeof instruction, 1, stdout);
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
static void answer_all(const int *calls, size_t count, int error) {
    for (size_t i = 0; i < count; i++)
        answer_if(BPF_JEQ, calls[i], SECCOMP_RET_ERRNO | error);
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

int main(int argc, char **argv) {
    const char *kind = argc > 1 ? argv[1] : "";
    bool gpu = strcmp(kind, "gpu") == 0;
    load(offsetof(struct seccomp_data, arch));
    instruct(EQUAL, 1, 0, THIS_ARCHITECTURE);
    answer(SECCOMP_RET_KILL_PROCESS);

    load(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    answer_if(BPF_JGE, X32_CALLS, SECCOMP_RET_ERRNO | ENOSYS);
#endif
    answer_all(refused, COUNT(refused), EPERM);
    if (!gpu) {
        answer_all(refused_without_gpu, COUNT(refused_without_gpu), EPERM);
        answer_all(ignored_without_gpu, COUNT(ignored_without_gpu), 0);
        refuse_shared_anonymous();
    }
    refuse_sockets(gpu);
    refuse_set_id();
    /* Their flags are in memory, where no filter can read them: there are older calls instead. */
    answer_if(BPF_JEQ, NR_CLONE3, SECCOMP_RET_ERRNO | ENOSYS);
    answer_if(BPF_JEQ, NR_OPENAT2, SECCOMP_RET_ERRNO | ENOSYS);
    instruct(EQUAL, 0, 3, SYS_clone);
    load_argument(0);
    answer_if(BPF_JSET, NAMESPACES, REFUSED);
    answer(SECCOMP_RET_ALLOW);
    return fflush(stdout) != 0;
}
