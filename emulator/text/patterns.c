#include "patterns.h"

#include <regex.h>
#include <stddef.h>
#include <stdlib.h>

/* What only computes, by value: nothing here reads or writes memory that it is told of. */
#define COMPUTES                                                                                   \
    "(" FUNCTIONS ")(f|l)?|l?l?abs|__(fpclassify|signbit|isnan|isinf|finite)[fl]?|"                \
    "__(u?div|u?mod|mulv?|addv?|subv?|negv?|absv?|ashl|ashr|lshr|u?cmp|popcount|parity|clz|ctz|"   \
    "ffs|bswap|pow|float|floatun|fix|fixuns|extend|trunc|eq|ne|lt|le|gt|ge|unord)"                 \
    "([hbsdtx][ifc])+[0-9]?"

static const char *const expressions[PATTERNS] = {
    [ELSEWHERE] = "^([^/]|$|/(proc|dev|sys|tmp|var|run)/)",
    [INTRINSICS] = "(intrin|/arm_[a-z0-9_]+|/mm3dnow|/altivec)\\.h$",
    [PUBLIC] = "^common/(lab|problems/[a-z0-9_]+/contract)\\.h$|"
               "^emulator/include/(cuda|cooperative_groups|vector_|device_)[a-z0-9_/]*\\.h$",
    [SYSTEM_HEADER] = "^GCC[ \t]+system_header",
    [HARMLESS_PRAGMA] =
        "^((GCC[ \t]+)?(unroll|nounroll|ivdep|diagnostic|error|warning|poison|message|visibility|"
        "target)|clang[ \t]+(loop|diagnostic)|pack|STDC)([ \t(\"]|$)",
    [OTHER_PRAGMA] = "^(GCC|clang|weak|redefine_extname)[ \t]",
    [LIBRARY] = "^(" MATHEMATICS
                "|std|M_[A-Z0-9_]+|FP_[A-Z]+[A-Z0-9]*|NAN|INFINITY|HUGE_VAL[FL]?|(float|double)_t|"
                "math_errhandling|nexttoward[fl]?|is(finite|normal|unordered|greater(equal)?|"
                "less(equal|greater)?)|signbit|fpclassify)$",
    [OF_EMULATOR] = "^(emulator_|EMULATOR_|lab_watched_|__(tsan|ubsan|asan|sanitizer)_)",
    [PUT_IN] = "^(launcher|config|know|bounds|returns|dynamic_shared(_too)?|dynamic_array)$",
    [DEPENDS_ON_BUILD] = "^__builtin_((dynamic_)?object_size|constant_p|apply.*|return)$",
    /* The rest may read or write memory that it is told of, and be no call that is watched. */
    [HARMLESS_BUILTIN] =
        "^__builtin_(" COMPUTES "|sincosf?|powif?|fmaf?|(inf|huge_val|nan)[fl]?|is(normal|inf_sign|"
        "unordered|greater(equal)?|less(equal|greater)?)|(fpclassify|signbit)[fl]?|"
        "(clz|ctz|clrsb|ffs|parity|popcount)(l|ll|g|imax)?|bswap[0-9]+|"
        "[su]?(add|sub|mul)l?l?_overflow(_p)?|expect(_with_probability)?|assume(_aligned)?|"
        "unreachable|trap|prefetch|offsetof|types_compatible_p|choose_expr|bit_cast|addressof|"
        "launder|convertvector|shuffle(vector)?|is_constant_evaluated|LINE|FILE|FUNCTION|COLUMN|"
        "source_location|alloca|(frame|return)_address|mem(cpy|move|set)|malloc|calloc|"
        "free|printf|puts|putchar|abort|exit)$",
    [HARMLESS_ATTRIBUTE] =
        "^(aligned|packed|vector_size|ext_vector_type|may_alias|mode|no_unique_address|"
        "transparent_union|designated_init|scalar_storage_order|warn_if_not_aligned|trivial_abi|"
        "abi_tag|internal_linkage|visibility|tls_model|unused|maybe_unused|used|deprecated|"
        "unavailable|error|warning|diagnose_if|enable_if|nodiscard|warn_unused_result|fallthrough|"
        "likely|unlikely|assume|expect|hot|cold|const|pure|nothrow|noreturn|leaf|malloc|alloc_size|"
        "alloc_align|assume_aligned|nonnull|returns_nonnull|returns_twice|restrict|"
        "carries_dependency|format|format_arg|cleanup|always_inline|noinline|gnu_inline|artificial|"
        "flatten|noclone|noipa|nomerge|simd|target|target_clones|unroll|no_instrument_function|"
        "no_stack_protector|host|device|global|shared|constant|managed|launch_bounds|gnu|clang|"
        "using)$",
    [DEVICE_SECTION] = "^(emulator_(device|constant|managed|readonly)|launch_bounds$)"
                       "(,\\\\\"aw\\\\\",%progbits\\\\n# [A-Za-z0-9_$]*)?$",
    [MARKER_LOOKALIKE] = "(^|\\*/)(#|%:|\\?\\?=)([0-9]|line|/\\*)",
    /* The hooks of the checked build watch what these read and write, or have their own names
     * there. Of the rest, compilers put in what C++ needs: memory, virtual functions, exits. */
    [COMPUTING] = "^(" COMPUTES ")$",
    [DEVICE_FUNCTION] =
        "^(" COMPUTES "|__[tu]b?san_[a-z0-9_]+|emulator_[a-z_]+|cuda[A-Z][A-Za-z0-9_]*|"
        "(thread|block)Idx|(block|grid)Dim|mem(cpy|move|set)|(frexp|modf|sincos|remquo|nan)f?|"
        "malloc|free|v?printf|puts|putchar|clock|abort|__assert_fail|_Z(n[wa]m|d[la]Pvm?)(St11align_val_t)?|"
        "_ZSt[0-9]+__throw_[A-Za-z0-9_]+|_ZSt9terminatev|_ZT[VTIS][A-Za-z0-9_]+|"
        "__cxa_(thread_atexit|pure_virtual|deleted_virtual|throw_bad_array_new_length)|__gxx_personality_v0|"
        "_Unwind_Resume|__stack_chk_(fail|guard)|_GLOBAL_OFFSET_TABLE_|__tls_get_addr|"
        "__dso_handle|__cpu_(model|indicator_init|features2)|__x86_indirect_thunk_[a-z0-9]+)$",
};

bool matches(enum pattern pattern, const char *text) {
    static regex_t compiled[PATTERNS];
    static bool ready[PATTERNS];
    if (!ready[pattern] &&
        regcomp(&compiled[pattern], expressions[pattern], REG_EXTENDED | REG_NOSUB))
        abort();
    ready[pattern] = true;
    return regexec(&compiled[pattern], text, 0, NULL, 0) == 0;
}
