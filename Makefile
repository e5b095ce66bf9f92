# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# histolab: build, grade and report. Bare `make` says what there is to do.
#
# A directory that holds one .cu file is a step: labs/ has the ladders, common/baselines/ what they are
# compared with, tests/cheats/ what must gain nothing, tests/honest/ what must pass. Mistakes, hazards (tests/changes/)
# and experiments are changes of a step: `make build-changes` puts their whole files into build/changes/ and
# build/experiments/.
# DIRECTORY's program for a device is build/<device>/DIRECTORY/runner. The rules below are patterns, so
# they hold for a directory anywhere, and nothing lists steps.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash

# ---- what can be set on the command line --------------------------------------------------------

# What somebody types for a variable is a text, such as a file's name: make expands nothing in it, and $(call text,TEXT) keeps
# the shell from doing so. labs/Makefile does the same.
GIVEN := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
$(foreach name,$(GIVEN),$(eval override export $(name) := $$(value $(name))))
define newline


endef
text = '$(subst $(newline),'$$'\n'',$(subst ','\'',$(1)))'

# The environment may name the compilers too: CC=clang ./grade.sh
ifeq ($(origin CC),default)
CC   = gcc
endif
ifneq ($(filter default undefined,$(origin CXX)),)
CXX  = $(if $(findstring clang,$(CC)),clang++,g++)
endif
NVCC = nvcc
# What the GPU code is built for: this machine's GPU, or every architecture if there is no GPU to ask.
# The first GPU rule that runs asks, and the answer takes the variable's place: nvidia-smi can be slow.
ARCH = $(eval ARCH := $(if $(shell nvidia-smi -L 2>/dev/null),native,all-major))$(ARCH)

# Objects hold no path of this machine: linkers quote such paths to students.
CFLAGS     = -std=c11 -O2 -g -Wall -Wextra $(WERROR) -ffile-prefix-map=$(CURDIR)=.
# addr2line finds the callers of inlined functions in clang's DWARF 4, and not in its DWARF 5 (binutils 2.40).
STEP_FLAGS = -std=c++17 -g $(if $(findstring clang,$(CXX)),-gdwarf-4) -fno-strict-aliasing -Wall -Wno-unknown-pragmas -Wno-unused-parameter

# ---- what is where ------------------------------------------------------------------------------

# STEPS='opt0[1-5]*' on the command line chooses steps. From here on, STEPS is the directories of all steps.
CHOSEN    := $(if $(filter STEPS,$(GIVEN)),$(STEPS))
override STEPS := $(patsubst %/,%,$(sort $(dir $(wildcard labs/*/*.cu))))
BASELINES := $(patsubst %/,%,$(sort $(dir $(wildcard common/baselines/*/*.cu))))
PROBLEMS  := $(patsubst common/problems/%/problem.c,%,$(wildcard common/problems/*/problem.c))
JUDGES    := $(PROBLEMS:%=build/judge-%)

.SECONDEXPANSION:
.DELETE_ON_ERROR:

# Only a call that builds something reads the headers that earlier builds noted (.d files), and of the
# steps only those of its goals. It keeps every object. Bare .SECONDARY makes every file intermediate,
# and shells complete no intermediate file, so it is kept from the call that a shell makes to ask for goals.
BUILDS := $(filter build%,$(MAKECMDGOALS))
ifneq ($(BUILDS),)
.SECONDARY:
-include $(wildcard $(patsubst %,build/*/%/*.d,. judge judge/* model record runner program emulator/* problems problems/* report report/* class/* common common/* desk/*) \
           $(if $(filter build-%,$(BUILDS)),$(patsubst %,build/*/%/*.d,$(STEPS) $(BASELINES))) \
           $(addsuffix *.d,$(sort $(dir $(filter build/%,$(BUILDS))))))
endif

build/%/.: ; @mkdir -p $@

# What was built before the emulator had a room of its own names its old place.
common/emulator/%.c: ;

# Run a compiler quietly, with its messages in a log beside the output; if it fails, print them.
# $(1) what to print, $(2) the log, $(3) the command, $(4) what else is out of date if it fails.
define logged
@echo "$(1)"; mkdir -p $(@D); rm -f $@ $(4); \
if ! { $(3); } >$(2) 2>&1; then cat $(2) >&2; exit 1; fi
endef

# ---- judge --------------------------------------------------------------------------------------

# The time model: a program, and what the judge links of it.
MODEL_OBJECTS := $(patsubst common/%.c,build/judge/%.o,$(filter-out %/main.c,$(wildcard common/model/*.c)))
RECORD_OBJECTS := $(addprefix build/judge/,record/fields.o record/write.o json_write.o)
# lab.h gives problem files the constants of the contract; the emulator's CUDA header will do for that.
JUDGE_OBJECTS := $(patsubst common/%.c,build/judge/%.o,$(wildcard common/judge/*.c common/judge/*/*.c)) $(MODEL_OBJECTS) $(RECORD_OBJECTS)
# Of a problem's directory, call.c goes into runners and every other .c file into the judge. $(1): the problem.
problem_objects = $(patsubst common/%.c,build/judge/%.o,$(filter-out %/call.c,$(wildcard common/problems/$(1)/*.c)))

build/predict: build/judge/model/main.o $(MODEL_OBJECTS)
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@ -lm

# What a record holds, for others: as a JSON Schema, and as the table in report/README.md.
build/record-fields: build/judge/record/main.o $(RECORD_OBJECTS)
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@

build/record.schema.json: build/record-fields
	@$< --schema >$@

# What is made of records: build/report VIEW FILE... Several may build it at once, so what is not finished has another name.
REPORT_OBJECTS := $(patsubst %.c,build/host/%.o,$(wildcard report/*/*.c) $(addprefix common/,json_read.c record/fields.c record/read.c))
build/report: build/host/report/main.o $(REPORT_OBJECTS)
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@.$$$$ -lm && mv $@.$$$$ $@

# The code file of a step: common/build/code.
build/code-file: $(addprefix build/host/common/sass/,code.o sass.o)
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@.$$$$ && mv $@.$$$$ $@

# What the commands in desk/inside show of a step: build/inside VIEW FILE...
build/inside: $(patsubst %.c,build/host/%.o,$(wildcard desk/inside/*.c) common/sass/sass.c) $(REPORT_OBJECTS)
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@.$$$$ -lm && mv $@.$$$$ $@

build/host/%.o: %.c | $$(@D)/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) -D_GNU_SOURCE -Ireport -Icommon -Iemulator/findings -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@.$$$$ && mv $@.$$$$ $@

build/judge/%.o: common/%.c | $$(@D)/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) -Icommon -Iemulator/findings -isystem emulator/include -MMD -MP -c $< -o $@

# Inputs that the tree holds compressed.
build/data/%: data/%.gz | build/data/.
	@gzip -dc $< >$@.new && mv $@.new $@

build/judge-%: common/problems/%/problem.c $$(call problem_objects,$$*) $(JUDGE_OBJECTS) | $(patsubst %.gz,build/%,$(wildcard data/*.gz))
	@echo "LD $@"
	@$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ -ldl -lm -pthread

# Writes images as PGM: see data/README.md.
build/image: desk/image.c $(addprefix common/problems/opt_2dhisto/,image.c image.h)
	@echo "CC $<"; mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Icommon $(filter %.c,$^) -o $@

# ---- cpu device: the emulator -------------------------------------------------------------------

CPU_INCLUDES := -Iemulator/include -Icommon
room       = $(patsubst %.c,build/cpu/%.o,$(wildcard emulator/$(1)/*.c))
EMULATOR  := $(call room,scheduler) $(call room,runtime)
CHECKED   := $(call room,checked)
COUNTED   := $(call room,counted)
LIBRARIES := $(call room,libraries)

build/cpu/nvcc: $(foreach part,text rewrite front,$(call room,$(part)))
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@ -ldl

build/cpu/emulator/%.o: emulator/%.c | $$(@D)/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

build/cpu/%.o: common/%.c | $$(@D)/.
	@echo "CC $< (cpu)"
	@$(CC) $(CFLAGS) -Iemulator/findings $(CPU_INCLUDES) -MMD -MP -c $< -o $@

# It tells with which flags steps are built.
build/cpu/runner/device.o: CFLAGS += -DFLAGS='"$(STEP_FLAGS)"'

build/cpu/device: build/cpu/runner/device.o $(EMULATOR)
	@$(CXX) $^ -o $@ -pthread

# What the machine code of a step says, for counters: build/cpu/labs/opt05_multiblock/sm_90.code. It needs nvcc and
# nvdisasm, and no GPU.
build/cpu/%.code: $$(wildcard $$(*D)/*.cu) $$(call headers_of,$$(*D)) common/build/code build/code-file
	$(call logged,CODE $(*D),$(@:.code=.log),common/build/code $@ $(*D) $(*F))

# A program of somebody's own, for desk/run, is linked with one object, of which nothing can meet the program's names
# but CUDA's own and what the compiler calls.
PROGRAM_KEEPS := 'cuda*' 'cu[A-Z]*' 'cublas*' 'curand*' 'cufft*' 'emulator_*' '__tsan_*' '__ubsan_*' printf __assert_fail '*Idx' '*Dim'
build/cpu/program-%.o: build/cpu/program/inside.o $(EMULATOR) $(LIBRARIES) $$(PARTS_$$*)
	@echo "LD $@"
	@ld -r $^ -o $@ && objcopy --wildcard $(PROGRAM_KEEPS:%=--keep-global-symbol=%) $@

PARTS_checked = $(CHECKED)
PARTS_counted = $(COUNTED)

build/program-told: build/judge/program/told.o $(filter-out %/main.o,$(JUDGE_OBJECTS))
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@ -ldl -lm -pthread

# All that desk/run needs of this tree: make build/program-checked
PROGRAM_KINDS := plain checked counted
$(PROGRAM_KINDS:%=build/program-%): build/program-%: build/cpu/nvcc build/program-told build/inside build/cpu/program-%.o ;

# ---- gpu device: the CUDA Toolkit ---------------------------------------------------------------

# Without NVTX, CUB's headers open no libraries by their names, for which common/build/evidence has a flag.
GPU_CODE_FLAGS = -DNVTX_DISABLE -std=c++17 -O3 -lineinfo -Xcompiler=-g -Icommon
GPU_STEP_FLAGS = $(GPU_CODE_FLAGS) -arch=$(ARCH)
GPU_CFLAGS = -O2 $(patsubst %,-Xcompiler=%,$(filter -std=% -g -W% -ffile-prefix-map%,$(CFLAGS)))

build/gpu/%.o: common/%.c | $$(@D)/.
	@echo "NVCC $<"
	@$(NVCC) $(GPU_CFLAGS) -Icommon -Iemulator/findings -MMD -MP -c $< -o $@

# As a step is compiled, for the versions that CUDA's and CUB's headers tell.
build/gpu/runner/device.o: common/runner/device.c | build/gpu/runner/.
	@echo "NVCC $<"
	@$(NVCC) -x cu $(GPU_STEP_FLAGS) -DFLAGS='"$(GPU_STEP_FLAGS)"' -MMD -MP -c $< -o $@

build/gpu/device: build/gpu/runner/device.o
	@$(NVCC) $^ -o $@

# ---- a step's runner, on each device ------------------------------------------------------------

# In these rules the stem, $*, is the step's directory; its .cu file is named after the function.
function = $(basename $(notdir $(firstword $(wildcard $*/*.cu))))
# Of a directory. The second wildcard drops the halves of names with blanks, which make takes for two files.
headers_of = $(wildcard $(wildcard $(1)/*.h $(1)/*.cuh))

# Only the contract's functions leave a step's object: whatever else it defines, be it called send,
# main or cudaEventRecord, never takes the place of what the harness calls. What it tried is kept.
# (What C++ has only one of in a program, such as CUB's inline variables, cannot be made local; no name
# in C begins like theirs. Assembly can do the same with other names: such an object is refused.)
# (A static libstdc++ needs the pointer to C++'s personality routine, of which the linker keeps one.)
# Its calls of CUDA's functions that a timed call should not use go through those of common/runner/watch.c.
# (An nm that is told the format does not look for it in the plugins of compilers, which takes ten times as long.)
NM = nm --target=elf64-little
localise = objcopy $(foreach name,$(function) $(function)_setup $(function)_teardown DW.ref.__gxx_personality_v0,--keep-global-symbol=$(name)) \
    --redefine-syms=$(filter %/watched,$^) $@ && \
  set -o pipefail && $(NM) -g --defined-only $@ | awk '$$NF !~ /^(_Z.*|DW\.ref\.__gxx_personality_v0|$(function)(_setup|_teardown)?)$$/ { print "error: the step leaves " $$NF " to the link"; bad = 1 } \
    END { exit bad }'
only_contract = common/build/evidence $@ $(function) >$(@D)/evidence && ! grep -E '(^|: )error: ' $(@D)/evidence && $(localise)

build/%/runner/watched: build/%/runner/watch.o
	@$(NM) --defined-only $< | awk 'sub(/^lab_watched_/, "", $$NF) { print $$NF, "lab_watched_" $$NF }' >$@

# The entry points of CUDA that a step may call, from the headers at hand: those that are watched, and those that get neither memory
# to write to, nor what holds pointers, nor a function of the host, by what they are declared to take; and of the others the ones of
# ENTRY_SAFE, which bring nothing to the host. A step that calls any other is refused: common/build/evidence.
ENTRY_UNSAFE = void \*|\[|Memcpy|HostFn|HostNode|Callback|GraphNodeParams|MemPoolProps|MemLocation \*|MemAllocNode|IpcMem|External|Graphics
ENTRY_SAFE   = Memset|Memcpy(2D)?(ToArray|ArrayToArray)|GetSymbolAddress|MemPool[GS]etAttr|HostGet|StreamAttachMem|GraphAddMemFree
PREPROCESS_cpu = $(CC) -E -P $(CPU_INCLUDES)
PREPROCESS_gpu = $(NVCC) -E -Xcompiler=-P
build/%/runner/entry_points: build/%/runner/watched
	@set -o pipefail; echo '#include <cuda_runtime_api.h>' | $(PREPROCESS_$*) -x c /dev/stdin | tr -s '\n' ' ' | tr ';' '\n' | \
	  sed -nE 's/const void \*(\w+ *[,)])/\1/g; s/.*[ *](cuda[A-Z]\w*) *(\(.*)/\1\2/p' | \
	  awk '/^cuda($(ENTRY_SAFE))/ || !/\(.*($(ENTRY_UNSAFE))/ { sub(/\(.*/, ""); print }' >$@ && cut -d ' ' -f 1 $< >>$@

# It reads files beside the source too, of which the compiler knows nothing. Its notes go before the
# compiler's. What grades compares the source's hash: a file that is moved back into its place is older than what was built.
build/cpu/%/step.ii: $$*/$$(function).cu $$(call headers_of,$$*) build/cpu/nvcc
	$(call logged,REWRITE $<,$(@D)/build.log,build/cpu/nvcc --text=$@ $< $(CXX) $(STEP_FLAGS) $(CPU_INCLUDES) -I$* && \
	  cat $*/*.cu | sha256sum >$(@D)/source.sha256,\
	  $(@D)/runner $(@D)/runner-checked $(@D)/runner-counted $(@D)/checked.log $(@D)/counted.log)

# It is made with step.ii, which names it in step.d.
build/cpu/%/step.cpp: ;

build/cpu/%/step.o: build/cpu/%/step.ii common/build/plain common/build/evidence common/build/usual_names build/cpu/nvcc build/cpu/runner/entry_points build/cpu/runner/watched
	$(call logged,CXX $*,$(@D)/build.log,cat $(@D)/step.notes; \
	  common/build/plain $@ $< $(CXX) $(STEP_FLAGS) $(CPU_INCLUDES) -I$* && \
	  build/cpu/nvcc --shared=$@ $*/$(function).cu && $(only_contract),\
	  $(@D)/runner)

# The checked build: every load and store is analysed, and threads run against each other. It has a log
# of its own, because it may run at the same time.
build/cpu/%/checked.o: build/cpu/%/step.ii common/build/checked common/build/host_functions build/cpu/nvcc build/cpu/runner/watched
	$(call logged,CXX $* (checked),$(@D)/checked.log,\
	  common/build/checked $@ $< build/cpu/nvcc $(CXX) $(STEP_FLAGS) && \
	  $(localise),\
	  $(@D)/runner-checked)

# The counted build: what a GPU would count of each kernel.
build/cpu/%/counted.o: build/cpu/%/step.ii common/build/counted build/cpu/nvcc build/cpu/runner/watched
	$(call logged,CXX $* (counted),$(@D)/counted.log,\
	  common/build/counted $@ $< build/cpu/nvcc $(CXX) $(STEP_FLAGS) && \
	  $(localise),\
	  $(@D)/runner-counted)

CPU_HOST = build/cpu/runner/host.o build/cpu/runner/watch.o
# The addresses of libraries' functions are read-only before the step runs.
CPU_LINK = -pthread -Wl,-z,relro,-z,now
# All names of the C++ library are many to read for a linker. Most steps need only the part of it that is in libsupc++.
link_cpu = { $(CC) $^ -o $@ $(1) -lsupc++ -lm 2>/dev/null || $(CXX) $^ -o $@ $(1); }
CPU_HARNESS = build/cpu/runner/runner.o $(CPU_HOST) build/cpu/problems/$(function)/call.o $(EMULATOR)

build/cpu/%/runner: build/cpu/%/step.o $$(CPU_HARNESS)
	$(call logged,LD $@,$(@D)/build.log,cat $(@D)/step.notes; $(call link_cpu,$(CPU_LINK)))

build/cpu/%/runner-checked: build/cpu/%/checked.o $$(CPU_HARNESS) $$(CHECKED)
	$(call logged,LD $@,$(@D)/checked.log,$(call link_cpu,$(CPU_LINK)))

build/cpu/%/runner-counted: build/cpu/%/counted.o $$(CPU_HARNESS) $$(COUNTED)
	$(call logged,LD $@,$(@D)/counted.log,$(call link_cpu,$(CPU_LINK)))

build/gpu/%/step.o: $$*/$$(function).cu common/build/evidence common/build/usual_names build/gpu/runner/entry_points build/gpu/runner/watched
	$(call logged,NVCC $<,$(@D)/build.log,\
	  $(NVCC) $(GPU_STEP_FLAGS) -I$* -MMD -MP -MF $(@D)/step.d -c $< -o $@ && \
	  $(only_contract),\
	  $(@D)/runner)

# Baselines once more, with the headers of CCCL=DIR in place of the toolkit's: common/build/cccl.sh.
build/gpu/build/baselines/%/step.o: private GPU_STEP_FLAGS += -I'$(CCCL)'

GPU_HOST = build/gpu/runner/host.o build/gpu/runner/watch.o

build/gpu/%/runner: build/gpu/%/step.o build/gpu/runner/runner.o $(GPU_HOST) build/gpu/problems/$$(function)/call.o
	$(call logged,LD $@,$(@D)/build.log,$(NVCC) $^ -o $@)

# ---- changes of a step: tests/changes/, experiments/ --------------------------------------------

# The whole file of each is in a directory of its own, such as build/changes/opt05_multiblock/no_reset/, which is a step like any other.
build-changes: build/variants
	$(if $(wildcard tests/changes/*.changes),@build/variants write build/changes $(wildcard tests/changes/*.changes))
	$(if $(wildcard experiments/*.changes),@build/variants write build/experiments $(wildcard experiments/*.changes))

build/variants: $(wildcard common/changes/*.[ch])
	@echo "CC $@"; mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Icommon $(filter %.c,$^) -o $@

# ---- look inside --------------------------------------------------------------------------------

# A step without a judge around it, for profilers and checkers.
DRIVER = $(call problem_objects,$(function)) $(filter-out %/main.o,$(JUDGE_OBJECTS))

CPU_DRIVER = build/cpu/runner/driver.o $(CPU_HOST) build/cpu/problems/$(function)/call.o $(DRIVER) $(EMULATOR)

build/cpu/%/driver: build/cpu/%/step.o $$(CPU_DRIVER)
	@$(call link_cpu,-ldl -lm -lpthread)

# For a debugger: not optimized, so that each line runs by itself and variables have their values.
build/cpu/%/debug.o: build/cpu/%/step.ii build/cpu/runner/watched
	$(call logged,CXX $* (debug),$(@D)/debug.log,$(CXX) $(STEP_FLAGS) -O0 -c $< -o $@ && $(localise))

build/cpu/%/driver-debug: build/cpu/%/debug.o $$(CPU_DRIVER)
	@$(call link_cpu,-ldl -lm -lpthread)

build/cpu/%/driver-checked: build/cpu/%/checked.o $$(CPU_DRIVER) $$(CHECKED)
	@$(call link_cpu,-ldl -lm -lpthread)

build/cpu/%/driver-counted: build/cpu/%/counted.o $$(CPU_DRIVER) $$(COUNTED)
	@$(call link_cpu,-ldl -lm -lpthread)

build/gpu/%/driver: build/gpu/%/step.o build/gpu/runner/driver.o $(GPU_HOST) build/gpu/problems/$$(function)/call.o $$(DRIVER)
	@$(NVCC) $^ -o $@ -ldl -lm -lpthread

# The machine code of a step for an architecture, which is the first directory: make
# build/code/sm_90/labs/opt05_multiblock/step.cubin. It needs nvcc and no GPU.
code_arch = $(firstword $(subst /, ,$*))
code_step = $(patsubst $(code_arch)/%,%,$*)
code_source = $(firstword $(wildcard $(code_step)/*.cu))

build/code/%/step.cubin: $$(code_source) $$(call headers_of,$$(code_step))
	$(call logged,NVCC $<,$(@D)/cubin.log,$(NVCC) $(GPU_CODE_FLAGS) -arch=$(code_arch) -I$(code_step) -Xptxas=-v \
	  -MMD -MP -MF $(@D)/step.d -cubin $< -o $@)

# ---- what people type ---------------------------------------------------------------------------

NAMES   := $(notdir $(STEPS))
NUMBERS := $(foreach name,$(NAMES),$(firstword $(subst _, ,$(name))))
EXAMPLE := $(firstword $(filter opt05,$(NUMBERS)) $(lastword $(NUMBERS)))
VERBS   := diff why access sass profile sanitize remote

# Below a program's own message, make would add "make: *** [Makefile:305: opt05] Error 1". It adds nothing where it is
# asked a question (-q) and a line that runs all the same (+) ends with 1: "not up to date" is no error. So where all
# goals are of those that only call a program, make is asked a question; $(call says,PROGRAM) runs it, without
# the -q for makes that it calls itself, and each failure becomes 1. A make that knows it otherwise adds its line.
TOLD := deps doctor run grade ladder plots journal watch new submit distributions measure-gpu $(VERBS)
OTHERS := $(filter-out $(TOLD) $(VERBS:%=%-%),$(MAKECMDGOALS))
ifneq ($(OTHERS),)
# Steps, however they are named, and mistyped goals are reported in the same way. What is named in a makefile is for make.
OTHERS := $(filter build/% .% $(shell LC_ALL=C sed -n 's/^\([a-z-]*\):.*/\1/p' Makefile $(wildcard class/class.mk)),$(OTHERS))
endif
ifeq ($(OTHERS)$(findstring n,$(filter-out -%,$(firstword $(MAKEFLAGS)))),)
ifneq ($(MAKECMDGOALS),)
MAKEFLAGS += -q
QUIETLY = +
endif
endif
says = $(QUIETLY)@$(if $(QUIETLY),flags=$${MAKEFLAGS%% *}; export MAKEFLAGS="$${flags//q/}$${MAKEFLAGS#"$$flags"}"; )( $(1) )$(if $(QUIETLY), || exit 1)

# make watch opt05, make diff opt05: what follows the verb is its step, and no goal.
ifneq ($(filter watch $(VERBS),$(firstword $(MAKECMDGOALS))),)
ifeq ($(STEP),)
STEP := $(word 2,$(MAKECMDGOALS))
NO_GOALS := $(filter-out $(TOLD),$(wordlist 2,99,$(MAKECMDGOALS)))
endif
endif

# A mistyped variable would change nothing, and nobody would notice.
ifeq ($(MAKELEVEL)$(BUILDS),0)
ifneq ($(strip $(GIVEN)),)
WRONG := $(shell desk/variables $(foreach name,$(GIVEN),$(call text,$(name))) 2>&1)
$(if $(WRONG),$(error $(WRONG)))
endif
endif

help: ## what you can do
	@echo "histolab: make a histogram kernel fast, step by step."; echo
	@desk/ladder --short; echo
	@{ awk -F ':.*## ' '/^[a-z-]+:.*## / { print $$1 "\t" $$2 }' $(filter Makefile %.mk,$(MAKEFILE_LIST)) | sed 's/opt05/$(EXAMPLE)/'; \
	  printf '%s\t%s\n' '$(EXAMPLE)' 'build, check and time one step (any beginning of a name, or opt5)' \
	    'diff-$(EXAMPLE)' 'what changes from the step before' \
	    'access-$(EXAMPLE)' 'which thread reads which element, drawn; missed and repeated ones' \
	    'profile-$(EXAMPLE)' 'its counters, explained (without a GPU the emulator counts, for GPU=h200)' \
	    'sass-$(EXAMPLE)' 'its machine code, marked and counted' \
	    'sanitize-$(EXAMPLE)' "compute-sanitizer's checks (needs a GPU)" \
	    'remote-$(EXAMPLE)' "graded on your course's GPU, over ssh: HOST=gpu.example.org"; } | \
	  awk -F '\t' '{ line = sprintf("  make %-14s", $$1); n = split($$2, word, " "); \
	    for (i = 1; i <= n; i++) { if (length(line) + 1 + length(word[i]) > 79) { print line; line = sprintf("%21s", "") } line = line " " word[i] } \
	    print line }'
	@echo; echo "Steps are the directories under labs/. ./grade.sh --help lists more options."
	@echo "Guides: $(wildcard guides/students.md guides/instructors.md guides/engineers.md)"

deps: ## install a compiler, make and gnuplot where they are missing, or name them
	$(call says,desk/deps)

doctor: ## what this machine can do, and what to type for what it cannot
	$(call says,bash desk/doctor)

build-cpu: ## build every step for the emulator
build-cpu: $(JUDGES) build/cpu/device $(foreach s,$(STEPS),build/cpu/$(s)/runner build/cpu/$(s)/runner-checked)

build-gpu: ## build every step for the GPU (ARCH=sm_90 names one)
build-gpu: $(JUDGES) build/gpu/device $(foreach s,$(STEPS) $(BASELINES),build/gpu/$(s)/runner)

grade: ## build, check and time every step, or those of STEPS='opt0[1-5]*'; table and charts in results/
	$(call says,./grade.sh $(if $(CHOSEN),--steps $(call text,$(CHOSEN))) $(GRADE_JOURNAL))

ladder: ## your own steps so far, with their times; what a GPU recorded stands apart
	$(call says,desk/ladder)

plots: ## draw the charts again, from the records in results/, and the page with charts and table, results/index.html
	$(call says,report/index results/results.jsonl results)

journal: ## write the lab journal from the newest results; STEPS='sum*' for another ladder, ALL=1 for every one
	$(call says,$(JOURNAL))

JOURNAL = report/journal $(if $(CHOSEN),--steps $(call text,$(CHOSEN)),$(if $(ALL),--steps '*')) results results
# make grade journal: grading comes first, and the journal is written also where steps fail, which ends make.
ifeq ($(words $(filter grade journal,$(MAKECMDGOALS))),2)
GRADE_JOURNAL = || { status=$$?; (($$status == 2)) || $(JOURNAL); exit $$status; }
journal: grade
endif

# ARGS are words with quotes as the shell has them. INCLUDE, WITH and DEFINE are lists of words without blanks.
RUN_OPTIONS = $(if $(PLAIN),--plain) $(if $(COUNT),--count) \
  $(foreach one,$(INCLUDE),--include $(call text,$(one))) $(foreach one,$(WITH),--with $(call text,$(one))) \
  $(foreach one,$(DEFINE),--define $(call text,$(one))) $(if $(CPU),--cpu $(call text,$(CPU))) $(if $(ARGS),--words $(call text,$(ARGS)))
run: ## any CUDA program with its own main, its races and other hazards told: make run FILE=prog.cu ARGS="a b"
	$(call says,desk/run $(if $(filter FILE,$(GIVEN)),$(RUN_OPTIONS) -- $(call text,$(FILE))))

watch: ## grade a step at each save: make watch opt05
	$(call says,desk/watch $(call text,$(STEP)))

# With a step's name or the beginning of one: make diff-opt05, make diff opt05, make diff STEP=opt05.
size_and_input = $(if $(SIZE),--size $(call text,$(SIZE))) $(if $(INPUT),--input $(call text,$(INPUT)))
arch = $(if $(filter ARCH,$(GIVEN)),$(if $(filter sm_%,$(ARCH)),--arch $(ARCH)))
diff     = desk/step diff $(call text,$(1))
why      = desk/why $(call text,$(1))
sass     = desk/inside/sass $(call text,$(1)) $(arch)
profile  = desk/inside/profile $(call text,$(1)) $(size_and_input) $(if $(EMULATED),--emulated)
sanitize = desk/inside/sanitize $(call text,$(1)) $(size_and_input)
access   = desk/inside/access $(call text,$(1)) $(size_and_input)
remote   = desk/remote $(call text,$(1)) $(if $(filter HOST,$(GIVEN)),$(call text,$(HOST)))
diff-%: ; $(call says,$(call diff,$*))
why-%: ; $(call says,$(call why,$*))
sass-%: ; $(call says,$(call sass,$*))
profile-%: ; $(call says,$(call profile,$*))
sanitize-%: ; $(call says,$(call sanitize,$*))
access-%: ; $(call says,$(call access,$*))
remote-%: ; $(call says,$(call remote,$*))
$(VERBS): ; $(call says,$(call $@,$(STEP)))

# Whole names, for shells to complete.
$(foreach verb,$(VERBS),$(NAMES:%=$(verb)-%)):

new: ## begin a step of your own: make new STEP=opt18_my_idea (FROM=STEP copies that step)
	$(call says,desk/step new $(call text,$(STEP)) $(call text,$(FROM)))

submit: ## check your steps and pack them to hand them in: make submit NAME=alice
	$(call says,desk/submit $(if $(filter NAME,$(GIVEN)),$(call text,$(NAME))))

distributions: ## the histogram ladder on every input; one chart in results/distributions/
	$(call says,desk/distributions results/distributions)

measure-gpu: ## measure this GPU with small benchmarks, for predicted times: common/gpus/NAME.gpu, or OUT=FILE
	$(call says,common/gpus/measure $(if $(filter OUT,$(GIVEN)),$(call text,$(OUT))))

clean: ## remove what was built (results stay)
	rm -rf build

# A goal that is a step's name, the beginning of one, or a path in its directory grades that step.
STEP_GOALS := $(sort $(NAMES) $(foreach goal,$(filter-out build/%,$(MAKECMDGOALS)),\
                $(if $(filter $(goal)%,$(NAMES))$(findstring labs/,$(goal)),$(goal))))
$(filter-out $(NO_GOALS),$(STEP_GOALS)):
	$(call says,desk/try $(call text,$@))

ifneq ($(NO_GOALS),)
$(NO_GOALS): ; $(QUIETLY)@:
endif

# Any other goal may be a step that is named otherwise, or a mistake. While something is built, what has no rule is for make.
ifeq ($(BUILDS)$(filter .%,$(MAKECMDGOALS)),)
Makefile $(wildcard class/class.mk): ;
.DEFAULT: ; $(call says,desk/goal $(call text,$@) $(TOLD) $(VERBS))
endif

.PHONY: help deps doctor ladder run watch new submit build-cpu build-gpu build-changes grade plots journal distributions measure-gpu clean $(VERBS) $(STEP_GOALS) $(NO_GOALS)

# What instructors and engineers type; a student's tree has no such file.
-include $(wildcard class/class.mk)
