/* A runner process: started, talked to with a time limit, and killed with all that it started. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "../runner/protocol.h"

enum {
    PROCESS_OUTPUT_KEPT = 256 << 10, /* bytes of what the step prints */
    /* A step that prints more is assumed never to stop. It is enough for a line from each thread in
     * each call of the check, and takes a second or two. */
    PROCESS_OUTPUT_MOST = 64 << 20, /* bytes */
    PROCESS_LINES_MOST = 2 << 20,
    PROCESSES_MOST = 4,
};

struct process {
    pid_t pid;
    int control; /* socket */
    int output;  /* read end of the pipe that stdout and stderr of the runner go to */
    int started; /* read end of the pipe on which the sandbox tells that it is made; -1: none is */
    char *printed;
    size_t printed_bytes; /* kept of what it printed; the rest is read and thrown away */
    uint64_t all_bytes;   /* that it printed */
    int64_t all_lines;    /* without the runner's marks; below zero if the step prints such marks */
    bool prompt; /* stay awake for its next answer, if that comes soon: it is being timed */
};

enum answer { ANSWER_MESSAGE, ANSWER_TIMED_OUT, ANSWER_DIED, ANSWER_PRINTS_ON };

/* Shared memory with the runner; it may write only the outputs and the counts. */
struct shared {
    int strip, windows, outputs; /* memory files */
    int counts;                  /* another, or 0: nothing is counted */
};

/* An anonymous memory file of so many bytes, mapped at *memory. Ends the judge on failure. */
int shared_memory(const char *name, size_t bytes, void **memory);

/* From now on runners are started by `program run --device KIND RUNNER`, as class/isolate does. */
void process_isolate(const char *program, const char *device_kind);

/* Several may live at once, at most PROCESSES_MOST. Ends the judge, as a fault of the harness, when
 * no process can be made. A runner that cannot be executed dies at once and is seen by
 * process_receive. It lives no longer than the thread that called this. */
void process_start(struct process *process, const char *runner, const struct shared *shared);

/* Wait until its sandbox is made, if it has one: before the first message. Ends the judge, as a
 * fault of the harness, when none can be made. */
void process_started(struct process *process);

/* What it has printed so far was of an earlier job. */
void process_forget_printed(struct process *process);

void process_send(struct process *process, const struct message *message);

/* Wait for the next message, at most so many seconds, and keep reading what the step prints: if it
 * has printed too much, no longer. */
enum answer process_receive(struct process *process, struct message *message, double seconds);

/* Kill the runner, its process group and everything that it left behind. Puts one line that says
 * how it ended by itself, if it did, in `end`: "exit status 3" or "signal 11 (Segmentation fault)".
 */
void process_stop(struct process *process, char *end, size_t end_size);

/* The same without waiting for its end, which takes a tenth of a second on a GPU, and of which
 * nobody wants to know. process_reap waits. */
void process_leave(struct process *process);

/* Kill whatever runners that were stopped or left have left behind, and wait until all of it is
 * gone. */
void process_reap(void);
