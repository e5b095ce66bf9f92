#include "names.h"
#include "text/patterns.h"
#include "text/text.h"

#include <regex.h>
#include <stdlib.h>

/* Neither speaks to other processes, nor opens or changes what the process has been given, nor runs
 * at times of its own. */
static const char usual[] =
    /* What CUDA's compiler writes, lab.h, what the emulator's headers ask for. CUDA itself:
     * build/DEVICE/runner/entry_points */
    "__cuda(RegisterFatBinary(End)?|UnregisterFatBinary|RegisterFunction|RegisterVar|InitModule|"
    "GetKernel|P(ush|op)CallConfiguration)"
    "|_*nv[A-Za-z0-9_]+"
    "|(thread|block)Idx|(block|grid)Dim|warpSize"
    "|lab_[a-z_]+|emulator_[a-z_]+"
    /* C++ */
    "|_Z.*"
    "|__cxa_[a-z_]+|__gxx_personality_v0|__dynamic_cast|_Unwind_[A-Za-z]+|__once_proxy|"
    "_ITM_[A-Za-z]+|__dso_handle|__libc_single_threaded"
    /* What compilers call for what a processor cannot do, and to be safe */
    "|_GLOBAL_OFFSET_TABLE_|__tls_get_addr|__stack_chk_(fail|guard)|__cpu_(model|"
    "indicator_init)|__cpu_features2"
    "|__(u?div|u?mod|u?divmod|mulv?|addv?|subv?|negv?|absv?|ashl|ashr|lshr|u?cmp|popcount|"
    "parity|clz|ctz|ffs|bswap|pow|float|floatun|fix|fixuns|extend|trunc|eq|ne|lt|le|gt|"
    "ge|unord)([hbsdtx][ifc])+[0-9]?"
    "|__(atomic|sync)_[a-z0-9_]+|__aarch64_(cas|swp|ldadd|ldclr|ldeor|ldset)[a-z0-9_]*"
    "|" MATHEMATICS
    /* Memory and strings */
    "|(c|m|re|v|pv)?alloc|reallocarray|free|cfree|(aligned_|mem|posix_mem)a(lloc|lign)|"
    "malloc_(usable_size|trim)"
    "|w?mem(cpy|move|set|cmp|chr|rchr|mem|pcpy|ccpy)|str[a-z0-9_]+|wcs[a-z0-9_]+|"
    "st[pr][a-z]+|wcp[a-z]+|b(cmp|copy|zero)|explicit_bzero|swab|ffsl?l?|r?index|"
    "ato[fil]l?"
    "|(is|to)w?(alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|"
    "xdigit|ctype|ctrans)|w?ctype|wctrans|__ctype_(b|tolower|toupper)_loc|"
    "__ctype_get_mb_cur_max"
    "|mb[a-z]+|wc[sr]?tombs?|wctomb|btowc|wctob|wcwidth|iconv(_open|_close)?|"
    "__(isoc[0-9]+|strto|wcsto)[a-z0-9_]+"
    "|__(w?mem(cpy|move|set|pcpy)|explicit_bzero|st[pr][a-z]+|wc[sp][a-z]+|v?(f|s|sn|"
    "as)?w?printf|fgets|fread|longjmp|mbs[a-z]+|wcs[a-z]+)_chk"
    /* Standard input and output, which no file and no other process is behind */
    "|v?(f|s|sn|as)?w?printf|v?(f|s)?w?scanf|puts|perror|psignal|std(in|out|err)|f?(put|"
    "get)w?[cs]|(put|get)w?char|ungetw?c|fread|fwrite|fflush|(put|get)c(har)?_unlocked|"
    "f(write|read|flush|puts|putc|getc)_unlocked|getline|getdelim|fclose|feof|ferror|"
    "clearerr|rewind|f(seek|tell)o?(64)?|setv?buf|setlinebuf|setbuffer|open_w?memstream|"
    "fmemopen|f(un)?lockfile|ftrylockfile|_IO_(put|get)c|__overflow|__uflow|fwide|v?(err|"
    "warn)x?|error"
    /* Algorithms, random numbers, the end of a program, locales */
    "|qsort(_r)?|bsearch|[lt]search|tfind|l?l?abs|imaxabs|l?l?div|s?rand(_r|om|om_r)?|"
    "[delmnj]rand48(_r)?|s?rand48(_r)?|seed48|initstate|setstate"
    "|abort|exit|atexit|__assert(_fail|_perror_fail)?|__errno_location|_?setjmp|"
    "__sigsetjmp|(sig|_)?longjmp|hs?search|hcreate|hdestroy|setlocale|localeconv|(new|"
    "dup|free|use)locale|nl_langinfo"
    /* Time */
    "|clock|time|difftime|mktime|timegm|(gm|local)time(_r)?|(asc|c)time(_r)?|"
    "clock_(gettime|getres|nanosleep)|gettimeofday|timespec_get|tzset|nanosleep|u?sleep|"
    "times|ftime"
    /* Threads, and what every program may know */
    "|pthread_[a-z_]+|__pthread_[a-z_]+|sem_(init|destroy|wait|trywait|timedwait|"
    "clockwait|post|getvalue)|(thrd|mtx|cnd|tss)_[a-z]+|call_once|sched_(yield|getcpu|"
    "getaffinity)|__sched_cpu(count|alloc|free)|getcpu|get_nprocs(_conf)?|"
    "get_(av)?phys_pages"
    "|getpid|gettid|getuid|geteuid|sysconf|getpagesize|getauxval|__getauxval"
    /* Seldom needed */
    "|fileno|isatty|_exit|_Exit|quick_exit|at_quick_exit|raise|(secure_)?getenv|__?environ|environ|"
    "getopt(_long)?|opt(arg|ind|err|opt)"
    "|pthread_(setaffinity_np|setschedparam|setschedprio|cancel)|sched_setaffinity|"
    "setpriority|nice"
    "|getrusage|getrlimit(64)?|gethostname|uname|getrandom|getentropy|arc4random(_uniform|"
    "_buf)?|sysinfo|getloadavg|malloc_(stats|info)|mallinfo2?|mallopt|"
    "backtrace(_symbols)?(_fd)?|dladdr";

/* The rest leaves a step's place: it changes code, limits or descriptors that are not its own,
 * opens files, speaks to the judge, finds functions by their names, or becomes another program. A
 * few of these would be let through by patterns above. */
static const char never[] = "pthread_(kill|sigmask|sigqueue|atfork)|_Z.*(filebuf.*4open|stdio.*buf"
                            "|fstream.*Openmode|__basic_file.*open|filesystem).*";

/* Functions of libc that the harness and a runner's clocks depend on. A step that defines another
 * one of libc's names has named a function, no more: nothing leaves its object. */
static const char of_libc[] =
    "(send|recv)(to|from|msg|mmsg)?|read|write|poll|ppoll|mmap|munmap|clock_gettime|gettimeofday|"
    "_exit|exit|abort|getenv|sigaction|signal|dlsym|malloc|free|memcpy|memset";

static const char *const lists[NAME_LISTS] = {
    [USUAL] = usual,
    [NEVER] = never,
    [OF_LIBC] = of_libc,
    [OF_HARNESS] = "(lab|watch|emulator)_[a-z_]+|call_(setup|step|teardown)",
    /* of x86-64, and of aarch64 */
    [OWN_CALL] = "(syscall|sysenter|svc.*(0x0|[#[:space:]]0))[[:space:]]*",
};

bool is_name_of(enum name_list list, const char *name) {
    static regex_t compiled[NAME_LISTS];
    static bool ready[NAME_LISTS];
    if (!ready[list]) {
        if (regcomp(&compiled[list], format_text("^(%s)$", lists[list]), REG_EXTENDED | REG_NOSUB))
            abort();
        ready[list] = true;
    }
    return regexec(&compiled[list], name, 0, NULL, 0) == 0;
}
