/* Prints a seccomp filter for `bwrap --seccomp`: it refuses system calls that no step and no
 * compiler needs, and that lead around what class/isolate sets up. All others are allowed: what
 * they may reach is for namespaces to decide, and how much of it for limits.
 *
 * usage: filter build|cpu|gpu */
#define _GNU_SOURCE
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>

#if defined __x86_64__
#define THIS_ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define THIS_ARCHITECTURE AUDIT_ARCH_AARCH64
#elif defined __powerpc64__ && defined __LITTLE_ENDIAN__
#define THIS_ARCHITECTURE AUDIT_ARCH_PPC64LE
#else
#error "say here which AUDIT_ARCH_... of linux/audit.h this processor is"
#endif

/* Numbers that are the same on every architecture; the C library's headers may not know them. */
enum {
    NR_IO_URING_SETUP = 425,
    NR_OPEN_TREE = 428,
    NR_MOVE_MOUNT = 429,
    NR_FSOPEN = 430,
    NR_FSMOUNT = 432,
    NR_CLONE3 = 435,
    NR_MOUNT_SETATTR = 442,
};

static const int refused[] = {
    /* Another namespace could mount a file system of any size, and is a way into the kernel. */
    SYS_unshare, SYS_setns, SYS_mount, SYS_umount2, SYS_pivot_root, NR_OPEN_TREE, NR_MOVE_MOUNT,
    NR_FSOPEN, NR_FSMOUNT, NR_MOUNT_SETATTR,
    /* Keys belong to the user, in whatever namespace. */
    SYS_add_key, SYS_request_key, SYS_keyctl,
    /* Ways into the kernel that nothing here needs. */
    SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, NR_IO_URING_SETUP};

/* Memory that is not in any process's address space is in none of the limits either. CUDA needs
 * such memory. */
static const int refused_without_gpu[] = {SYS_memfd_create, SYS_shmget, SYS_msgget};

/* A step stays on the CPUs that it was started on, or it could crowd out another. To an honest
 * program this is a wish that changes nothing: it is told that all is well, since it might take a
 * refusal for a failure. CUDA's driver may want to place its threads. */
static const int ignored_without_gpu[] = {SYS_sched_setaffinity};

enum {
    NAMESPACES = CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                 CLONE_NEWUTS | CLONE_NEWCGROUP,
    X32_CALLS = 0x40000000,
};

static void instruct(unsigned short code, unsigned char yes, unsigned char no, unsigned value) {
    struct sock_filter instruction = {.code = code, .jt = yes, .jf = no, .k = value};
    fwrite(&instruction, sizeof instruction, 1, stdout);
}

static void load(size_t offset) { instruct(BPF_LD | BPF_W | BPF_ABS, 0, 0, offset); }

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

int main(int argc, char **argv) {
    load(offsetof(struct seccomp_data, arch));
    instruct(BPF_JMP | BPF_JEQ | BPF_K, 1, 0, THIS_ARCHITECTURE);
    answer(SECCOMP_RET_KILL_PROCESS);

    load(offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    answer_if(BPF_JGE, X32_CALLS, SECCOMP_RET_ERRNO | ENOSYS);
#endif
    answer_all(refused, sizeof refused / sizeof *refused, EPERM);
    if (argc < 2 || strcmp(argv[1], "gpu") != 0) {
        answer_all(refused_without_gpu, sizeof refused_without_gpu / sizeof *refused_without_gpu,
                   EPERM);
        answer_all(ignored_without_gpu, sizeof ignored_without_gpu / sizeof *ignored_without_gpu,
                   0);
    }
    /* Its flags are in memory, where no filter can read them: the C library then uses clone. */
    answer_if(BPF_JEQ, NR_CLONE3, SECCOMP_RET_ERRNO | ENOSYS);
    instruct(BPF_JMP | BPF_JEQ | BPF_K, 0, 3, SYS_clone);
    load(offsetof(struct seccomp_data, args[0]));
    answer_if(BPF_JSET, NAMESPACES, SECCOMP_RET_ERRNO | EPERM);
    answer(SECCOMP_RET_ALLOW);
    return fflush(stdout) != 0;
}
