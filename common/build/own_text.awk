# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Reads a step as the preprocessor leaves it, and prints what both builds of the emulator compile. What could
# tell the two builds apart, or leave the analysis of the checked one, is refused: in the step's own text, which
# is that of the files beside its source and of what their macros become in other headers.
#
#   ... -E step.cpp | awk -v directory=STEP -v source=STEP/FUNCTION.cu -v tree="$PWD" -v flags=FILE \
#       -f common/build/own_markers.awk -f common/build/own_tokens.awk -f this >step.ii
#
# Errors go to stderr, as FILE:LINE: error: ..., and the exit status is then 1. Pragmas that could change how a
# part of the step is compiled are left out, with a note on stderr. Includes of the harness's headers go into
# FILE, as lines for common/build/evidence. Line markers tell whose a line is; own_markers.awk
# makes sure that they are the preprocessor's.
#
# With -v lean=1 the text is one without the C++ library and mathematics (EMULATOR_NO_LIBRARY). If the step names
# something of them, or includes a system header, the exit status is 4, and what was printed is to be discarded.

BEGIN {
    if (lean)
        library = "^(" names_of_mathematics() "|std|M_[A-Z0-9_]+|FP_[A-Z]+[A-Z0-9]*|NAN|INFINITY|HUGE_VAL[FL]?|(float|double)_t|math_errhandling" \
            "|nexttoward[fl]?|is(finite|normal|unordered|greater(equal)?|less(equal|greater)?)|signbit|fpclassify)$"
    # Attributes that say how data lie, what a function is for, or how fast it should be.
    split("aligned packed vector_size ext_vector_type may_alias mode no_unique_address transparent_union " \
        "designated_init scalar_storage_order warn_if_not_aligned trivial_abi abi_tag internal_linkage visibility tls_model " \
        "unused maybe_unused used deprecated unavailable error warning diagnose_if enable_if nodiscard warn_unused_result " \
        "fallthrough likely unlikely assume expect hot cold const pure nothrow noreturn leaf malloc alloc_size alloc_align " \
        "assume_aligned nonnull returns_nonnull returns_twice restrict carries_dependency format format_arg cleanup " \
        "always_inline noinline gnu_inline artificial flatten noclone noipa nomerge simd target target_clones unroll " \
        "no_instrument_function no_stack_protector host device global shared constant managed launch_bounds " \
        "gnu clang using", words, " ")
    for (i in words)
        harmless[words[i]] = 1
    # The names that rewrite.c puts into a step.
    split("launcher launcher_with_defaults config know dynamic_shared dynamic_array", words, " ")
    for (i in words)
        rewritten[words[i]] = 1
}

function names_of_mathematics(    file, names, of_mathematics) {
    file = "common/build/usual_names"
    while ((getline <file) > 0) {
        if (/^#/ || !NF)
            of_mathematics = /^# Mathematics/
        else if (of_mathematics)
            names = names (names == "" ? "" : "|") $0
    }
    close(file)
    return names
}

wants_library { next }

# ---- line markers -------------------------------------------------------------------------------

/^# [0-9]+ "/ { take_marker($2 + 0); print; next }

# After an include, the file is the one that goes on.
function take_marker(number,    file, numbers) {
    file = numbers = $0
    sub(/^# [0-9]+ "/, "", file)
    sub(/"[ 0-9]*$/, "", file)
    sub(/.*"/, "", numbers)
    if (numbers ~ / 1( |$)/)
        enter(file)
    else if (numbers ~ / 2( |$)/ && depth > 0)
        leave(file, number)
    else if (!depth && file == source)
        started = 1
    here = file
    line = number - 1
    # What macros of other files become in a header of the system is not marked as the system's.
    checked = started && (whose() == "own" || whose() == "harness" || numbers !~ / 3( |$)/)
}

function whose() {
    return depth ? owner[depth] : "own"
}

function enter(file,    parent) {
    parent = whose()
    file = resolved(file)
    owner[++depth] = file ~ /^</ ? "system" : owner_of(file)
    if (!started)
        return
    wants_library = lean && parent == "own" && owner[depth] == "system" && file !~ /\/stddef\.h$/
    if (owner[depth] == "unknown")
        fail("cannot include " file ": a step includes headers of the system and of CUDA, lab.h, and files beside it")
    if (owner[depth] == "own" && parent != "own")
        fail(file " takes the place of a header that another one includes: give it another name")
    if (owner[depth] == "own")
        own_files[file] = 1
    # The processor's own instructions, whose stores no analysis sees.
    intrinsics = intrinsics || file ~ /(intrin|\/arm_[a-z0-9_]+|\/mm3dnow|\/altivec)\.h$/
    private[depth] = ""
    if (owner[depth] == "harness" && parent == "own" && !is_public(file))
        private[depth] = substr(file, length("common/") + 1)
}

function leave(file, number) {
    if (private[depth] != "") {
        sub(/^emulator\//, "", private[depth])
        print "flag: includes " private[depth] ", which is the harness's: " short(file) ":" number - 1 >flags
    }
    depth--
    if (intrinsics && whose() == "own") {
        here = file
        line = number - 1
        fail("cannot include intrinsics: the analysis cannot see what a processor's own instructions store: use plain C++")
        intrinsics = 0
    }
}

function short(file) {
    sub(/.*\//, "", file)
    return file
}

# Without a/../
function resolved(file) {
    while (match(file, /(^|\/)([^.\/][^\/]*|\.[^.\/][^\/]*|\.)\/\.\.\//))
        file = substr(file, 1, RSTART - 1) (RSTART > 1 || file ~ /^\// ? "/" : "") substr(file, RSTART + RLENGTH)
    return file
}

function owner_of(file) {
    if (index(file, directory "/") == 1)
        return "own"
    if (file ~ /^common\//)
        return "harness"
    if (file !~ /^\// || file ~ /^\/(proc|dev|sys|tmp|var|run)\// || index(file, tree "/") == 1)
        return "unknown"
    return "system"
}

# Headers that a GPU has too, lab.h, and the contract of a problem that is not in lab.h.
function is_public(file) {
    return file ~ /^common\/(lab|problems\/[a-z0-9_]+\/contract)\.h$/ || file ~ /^common\/emulator\/(cuda|cooperative_groups|vector_|device_)[a-z0-9_\/]*\.h$/
}

# ---- lines --------------------------------------------------------------------------------------

{ line++ }
!checked { print; next }
/^[ \t]*(#|%:)/ { print keep_directive() ? $0 : ""; next }
{
    read_line($0)
    # As functions they are watched.
    gsub(/__builtin_memcpy/, "memcpy")
    gsub(/__builtin_memmove/, "memmove")
    gsub(/__builtin_memset/, "memset")
    print
}

function fail(text) {
    if (!said[here, line, text]++)
        print here ":" line ": error: " text >"/dev/stderr"
    failed = 1
}

function keep_directive(    words) {
    words = $0
    sub(/^[ \t]*#[ \t]*/, "", words)
    if (words !~ /^pragma[ \t]/) {
        if (words !~ /^(ident|sccs)/)
            fail("a macro must not begin a line with #")
        return 0
    }
    sub(/^pragma[ \t]+/, "", words)
    if (words ~ /^GCC[ \t]+system_header/)
        fail("#pragma GCC system_header is for headers of the system: leave it out")
    if (words ~ /^((GCC[ \t]+)?(unroll|nounroll|ivdep|diagnostic|error|warning|poison|message|visibility|target)|clang[ \t]+(loop|diagnostic)|pack|STDC)([ \t("]|$)/)
        return 1
    if (words ~ /^(GCC|clang|weak|redefine_extname)[ \t]/)
        print here ":" line ": note: the emulator ignores #pragma " words >"/dev/stderr"
    return 0
}

# ---- what tokens mean, from own_tokens.awk --------------------------------------------------------

# The next token of the step's own text.
function take(kind, token) {
    if (kind == "name")
        take_name(token)
    if (in_assembly)
        read_assembly(kind, token)
    else if (in_attribute)
        read_attribute(kind, token)
    else if (kind == "name" && token ~ /^(asm|__asm|__asm__)$/)
        begin(token, "assembly")
    else if (kind == "name" && token ~ /^__attribute(__)?$/)
        begin(token, "attribute")
    else if (token == "[" && last == "[")
        begin("[[", "attribute")
    else if (token ~ /^[;{}]$/)
        in_namespace = 0
    third_last = second_last
    second_last = last
    last = token
    last_kind = kind
}

function begin(token, what) {
    in_assembly = what == "assembly"
    in_attribute = what == "attribute"
    begun = token
    brackets = token == "[[" ? 2 : 0
    parentheses = 0
    in_template = 1
    string = attribute = ""
}

function take_name(token) {
    in_namespace = in_namespace || token == "namespace"
    if (whose() == "harness")
        return
    if (lean && token ~ library)
        wants_library = 1
    if (token ~ /^(emulator_|EMULATOR_|lab_watched_|__(tsan|ubsan|asan|sanitizer)_)/ && token != "emulator_argument" ||
        in_namespace && token == "emulator" ||
        third_last == "emulator" && second_last == ":" && last == ":" && !(token in rewritten))
        fail(token " belongs to the emulator: a step cannot use it")
    if (token ~ /^__builtin_((dynamic_)?object_size|constant_p|apply.*|return)$/)
        fail(token " depends on how a step is compiled: leave it out")
    if (token ~ /^__builtin_((ia32|aarch64|arm|neon|sve|nontemporal|masked|__).*|(mem|str|stp|wcs|wmem|b)[a-z_]*(cpy|move|set|cat|copy|zero).*)$/ && token !~ /^__builtin_mem(cpy|move|set)$/)
        fail(token " accesses memory in a way that the analysis cannot see: use plain C++")
}

# asm volatile("" : "+r"(x) :: "memory") holds no instruction: it may keep values in registers, and order
# what is around it, but neither read nor write memory.
function read_assembly(kind, token) {
    if (kind == "string" && parentheses == 1) {
        string = (last_kind == "string" ? string : "") contents(token)
        if (in_template && string != "")
            refuse_assembly()
    } else if (kind == "name" && (parentheses ? token ~ /^(__attribute(__)?|asm|__asm|__asm__)$/ : token !~ /^(volatile|__volatile(__)?|inline|goto)$/)) {
        refuse_assembly()
    } else if (token == "(") {
        if (++parentheses == 2 && last_kind == "string" && string !~ /^[=+&%]*([rlqdfxw0-9]|\[[A-Za-z0-9_]*\])$/)
            refuse_assembly()
    } else if (token == ":" && parentheses == 1) {
        in_template = 0
    } else if (token == ")") {
        in_assembly = --parentheses > 0
    }
}

function refuse_assembly() {
    fail("the emulator has no assembly, inline PTX or other, and no asm names: put it inside #ifdef __CUDA_ARCH__")
    in_assembly = 0
}

function contents(token) {
    return token == "R" ? "R" : substr(token, 2, length(token) - 2)
}

function read_attribute(kind, token) {
    if (token == "(") {
        parentheses++
    } else if (token == ")") {
        if (attribute == "section")
            check_section()
        in_attribute = --parentheses > 0 || begun == "[["
    } else if (begun == "[[" && (token == "[" || token == "]")) {
        brackets += token == "[" ? 1 : -1
        in_attribute = brackets > 0
    } else if (kind == "string" && attribute == "section") {
        string = string contents(token)
    } else if (kind == "name" && token ~ /^(__attribute(__)?|asm|__asm|__asm__)$/) {
        fail("an attribute inside an attribute: leave it out")
    } else if (kind == "name" && parentheses == (begun == "[[" ? 0 : 2)) {
        attribute = token
        sub(/^__/, "", attribute)
        sub(/__$/, "", attribute)
        string = ""
        if (attribute != "section" && !(attribute in harmless))
            fail("the attribute " token " can change how a step is linked or watched: leave it out")
    }
}

# Where rewrite.c puts variables of the device.
function check_section() {
    if (string !~ /^emulator_(device|constant|managed|readonly)(,\\"aw\\",%progbits\\n# [A-Za-z0-9_$]*)?$/)
        fail("the attribute section can change how a step is linked or watched: leave it out")
    attribute = ""
}

END {
    if (wants_library)
        exit 4
    own_files[source] = 1
    for (file in own_files)
        find_markers(file)
    exit failed
}
