# histolab: what is built, and of what. Bare `make` says what there is to do; desk/goals.def has what people type.
#
# A directory that holds one .cu file is a step, wherever it is; DIRECTORY's program for a device is
# build/DEVICE/DIRECTORY/runner. The rules are patterns, and nothing lists steps.

.DEFAULT_GOAL := start
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash

# Where strangers' steps are built nobody types anything: that tree has no desk.
-include desk/front.mk

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

# What takes milliseconds is hardly optimized: compilers of a first build take two thirds of the time. What steps run on, and
# what is done with every element of an input, is.
OPTIMIZE = -O2
build/front build/host/%.o build/judge/%.o: OPTIMIZE = -Og
$(foreach room,text rewrite front,build/cpu/emulator/$(room)/%.o): OPTIMIZE = -Og
$(foreach room,checked scheduler libraries,build/cpu/emulator/$(room)/%.o): OPTIMIZE = -O3
build/judge/problems/%.o build/judge/model/%.o: OPTIMIZE = -O2

# Objects hold no path of this machine: linkers quote such paths to students.
CFLAGS     = -std=c11 -g1 $(OPTIMIZE) -Wall -Wextra -Wformat-security $(WERROR) -ffile-prefix-map="$$PWD"=.
# addr2line finds the callers of inlined functions in clang's DWARF 4 alone (binutils 2.40). An int counts all elements (common/lab.h): it may be compared with a size_t.
STEP_FLAGS = -std=c++17 -gdwarf-4 -fno-strict-aliasing -Wall -Wempty-body -Wno-unknown-pragmas -Wno-unused-parameter -Wno-sign-compare

# ---- what is where ------------------------------------------------------------------------------

# Make takes a name with blanks for several files: what that leaves of it is no directory of labs/.
LABS_STEPS := $(filter labs/%,$(patsubst %/,%,$(sort $(dir $(wildcard labs/*/*.cu)))))
# What make needs in a step's directory (labs/Makefile) is written where it is missing, and over no file (-C).
NO_MAKEFILE := $(filter-out $(patsubst %/Makefile,%,$(wildcard labs/*/Makefile)),$(LABS_STEPS))
$(if $(NO_MAKEFILE),$(shell set -C; for file in labs/*/*.cu; do echo 'include ../Makefile' >"$${file%/*}/Makefile"; done 2>/dev/null))
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
-include $(wildcard $(patsubst %,build/*/%/*.d,. judge judge/* model record runner program emulator/* problems problems/* report report/* class/* common common/* desk desk/* tests/*) \
           $(if $(filter build-%,$(BUILDS)),$(patsubst %,build/*/%/*.d,$(LABS_STEPS) $(BASELINES))) \
           $(addsuffix *.d,$(sort $(dir $(filter build/%,$(BUILDS))))))
endif

build/%/.: ; @mkdir -p $@

# Run a compiler quietly, with its messages in a log beside the output; if it fails, print them. Of an empty file a linker would only say what it misses.
# $(1) what to print, $(2) the log, $(3) the command, $(4) what else is out of date if it fails.
define logged
@echo "$(1)"; [ -d $(@D) ] || mkdir -p $(@D); \
if ! { { [[ $$(<$<) == *[![:space:]]* ]] || ! echo '$<:1: error: the file is empty'; } && { $(3); }; } >$(2) 2>&1; then cat $(2) >&2; rm -f $@ $(4); exit 1; fi
endef

# What is linked adds to the log of what was compiled.
linked = @echo "LD $@"; { $(2); } 2>>$(@D)/$(1).log || { rm -f $@; cat $(@D)/$(1).log >&2; exit 1; }

# ---- judge --------------------------------------------------------------------------------------

MODEL_OBJECTS := $(patsubst common/%.c,build/judge/%.o,$(wildcard common/model/*.c))
RECORD_OBJECTS := $(addprefix build/judge/,record/fields.o record/write.o json_write.o)
# lab.h gives problem files the constants of the contract; the emulator's CUDA header will do for that.
JUDGE_OBJECTS := $(patsubst common/%.c,build/judge/%.o,$(wildcard common/judge/*.c common/judge/*/*.c common/problems/*.c)) $(MODEL_OBJECTS) $(RECORD_OBJECTS)
# Of a problem's directory, call.c goes into runners and every other .c file into the judge. $(1): the problem.
problem_objects = $(patsubst common/%.c,build/judge/%.o,$(filter-out %/call.c,$(wildcard common/problems/$(1)/*.c)))

# What is made of records: build/report VIEW FILE... What the commands in desk/inside
# show of a step: build/inside. A step's code file: common/build/code. What a record holds, for others: build/record-fields.
host = $(patsubst %.c,build/host/%.o,$(wildcard $(1)))
REPORT_OBJECTS := $(call host,report/*/*.c common/keep.c common/sha256.c common/json_read.c common/record/fields.c common/record/read.c)
build/report: build/host/report/main.o $(REPORT_OBJECTS)
build/inside: $(call host,desk/inside/*.c) $(REPORT_OBJECTS) $(MODEL_OBJECTS)
build/code-file: $(call host,common/sass/code.c common/sass/sass.c common/keep.c)
build/variants: $(call host,tests/variants/*.c)
build/record-fields: build/judge/record/main.o $(RECORD_OBJECTS)
# Several makes may build it at once, so what is not finished has another name.
PROGRAMS := report inside code-file variants record-fields
$(PROGRAMS:%=build/%):
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@.$$$$ -lm && mv $@.$$$$ $@

build/record.schema.json: build/record-fields ; @$< --schema >$@

build/host/%.o: %.c | $$(@D)/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) -D_GNU_SOURCE -Ireport -Icommon -Iemulator/findings -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@.$$$$ && mv $@.$$$$ $@

build/judge/%.o: common/%.c | $$(@D)/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) -Icommon -Iemulator/findings -isystem emulator/include -MMD -MP -c $< -o $@

# Inputs that the tree holds compressed.
build/data/%: data/%.gz | build/data/. ; @gzip -dc $< >$@.new && mv $@.new $@

# Which steps nobody has begun.
build/not-begun: $(call host,common/begun/*.c common/keep.c common/sha256.c)
	@$(CC) $(CFLAGS) $^ -o $@

build/judge-%: common/problems/%/problem.c $$(call problem_objects,$$*) $(JUDGE_OBJECTS) | $(patsubst %.gz,build/%,$(wildcard data/*.gz))
	@echo "LD $@"
	@$(CC) $(CFLAGS) $(filter %.o,$^) -o $@ -ldl -lm -pthread

include emulator/emulator.mk common/build/code.mk common/build/contract.mk

# ---- gpu device: the CUDA Toolkit ---------------------------------------------------------------

# Without NVTX, CUB's headers open no libraries by their names, for which common/contract/ has a flag.
GPU_CODE_FLAGS = -DNVTX_DISABLE -std=c++17 -O3 -lineinfo -Xcompiler=-g -Icommon
GPU_STEP_FLAGS = $(GPU_CODE_FLAGS) -arch=$(ARCH)
GPU_CFLAGS = -O2 $(patsubst %,-Xcompiler=%,$(filter -std=% -g% -W%,$(CFLAGS)) -ffile-prefix-map=$${PWD//[^[:alnum:]\/._-]/_}=.)

build/gpu/%.o: common/%.c | $$(@D)/.
	@echo "NVCC $<"
	@$(NVCC) $(GPU_CFLAGS) -Icommon -Iemulator/findings -MMD -MP -c $< -o $@

# As a step is compiled, for the versions that CUDA's and CUB's headers tell.
build/gpu/runner/device.o: common/runner/device.c | build/gpu/runner/.
	@echo "NVCC $<"
	@$(NVCC) -x cu $(GPU_STEP_FLAGS) -DFLAGS='"$(GPU_STEP_FLAGS)"' -MMD -MP -c $< -o $@
build/gpu/device: build/gpu/runner/device.o ; @$(NVCC) $^ -o $@

# ---- a step's runner, on each device ------------------------------------------------------------

# In these rules the stem, $*, is the step's directory; its .cu file is named after the function.
function = $(basename $(notdir $(firstword $(wildcard $*/*.cu))))
# Of a directory. The second wildcard drops the halves of names with blanks, which make takes for two files.
headers_of = $(wildcard $(wildcard $(1)/*.h $(1)/*.cuh))

CPU_TOOLS = build/cpu/nvcc build/contract build/cpu/runner/watch.o build/cpu/runner/entry_points
GPU_TOOLS = build/contract build/gpu/runner/watch.o build/gpu/runner/entry_points

# When the source's content was seen to be another one: common/build/grading.sh.
changed = $(wildcard build/sources/$(1))

# What an edit makes anew is made without a shell: make starts simple commands itself, if its shell is sh.
build/cpu/%/step.o build/cpu/%/checked.o build/cpu/%/counted.o build/cpu/%/debug.o: private SHELL := /bin/sh
build/cpu/%/runner build/cpu/%/runner-checked build/cpu/%/runner-counted: private SHELL := /bin/sh

# One call makes all builds of a step that this make is asked for, of one text: for the checked one every load and store is
# analysed, the counted one tells what a GPU would count, the one for a debugger is not optimized.
asked = $(if $(filter $(2),$(MAKECMDGOALS)),$(1))
ASKED := $(strip $(call asked,step,%/runner %/driver %/step.o $(filter-out build/%,$(MAKECMDGOALS))) \
  $(call asked,checked,%checked %/checked.o $(filter-out build/%,$(MAKECMDGOALS))) \
  $(call asked,counted,%counted %/counted.o) $(call asked,debug,%/driver-debug %/debug.o))
# $(1) which builds one call makes. Of a rule that makes fewer than it names make 4.4 warns.
define make_builds
$(foreach one,$(1),build/cpu/%/$(one).o): $$$$*/$$$$(function).cu $$$$(call headers_of,$$$$*) $$$$(call changed,$$$$*) $(CPU_TOOLS) | $$$$(@D)/.
	$$(info CXX $$* ($(1)))
	@build/cpu/nvcc --text=$$(@D)/step.ii --target='$$(patsubst %,$$(@D)/%.o,step checked counted debug)' \
	  $$(foreach one,$(1),--$$(patsubst step,plain,$$(one))=$$(@D)/$$(one).o) \
	  --stale='$$(patsubst %/runner-step,%/runner,$$(patsubst %,$$(@D)/runner-%,$(1)))' --log=$$(@D)/build.log \
	  --then='$$(contract) $(if $(filter step,$(1)),--evidence=$$(@D)/evidence)' $$< $$(CXX) $$(STEP_FLAGS) $$(CPU_INCLUDES) -I$$*
endef
$(if $(ASKED),$(eval $(call make_builds,$(ASKED))))$(foreach one,$(filter-out $(ASKED),step checked counted debug),$(eval $(call make_builds,$(one))))

# step.d names it.
build/cpu/%/step.cpp: ;

CPU_HOST = build/cpu/runner/host.o build/cpu/runner/watch.o
# The addresses of libraries' functions are read-only before the step runs.
CPU_LINK = -pthread -Wl,-z,relro,-z,now
# $(1) which log, $(2) what else to link with.
link_cpu = @build/cpu/nvcc --link=$@ --log=$(@D)/$(1).log --c='$(CC)' --cxx='$(CXX)' $^ $(2)
CPU_CALL = build/cpu/problems/$(function)/call.o
# What is the same in all runners, as one object, and without what a debugger reads: a linker takes half the time.
build/cpu/runner/with-%.o: build/cpu/runner/runner.o $(CPU_HOST) $(EMULATOR) $$(PARTS_$$*)
	@echo "LD $@"
	@ld -r $^ -o $@.$$$$ && objcopy --strip-debug --keep-file-symbols $@.$$$$ && mv $@.$$$$ $@

build/cpu/%/runner: build/cpu/%/step.o $$(CPU_CALL) build/cpu/runner/with-plain.o | build/cpu/nvcc
	$(info LD $@)
	$(call link_cpu,build,$(CPU_LINK))

build/cpu/%/runner-checked: build/cpu/%/checked.o $$(CPU_CALL) build/cpu/runner/with-checked.o | build/cpu/nvcc
	$(info LD $@)
	$(call link_cpu,build,$(CPU_LINK))

build/cpu/%/runner-counted: build/cpu/%/counted.o $$(CPU_CALL) build/cpu/runner/with-counted.o | build/cpu/nvcc
	$(info LD $@)
	$(call link_cpu,counted,$(CPU_LINK))

build/gpu/%/step.o: $$*/$$(function).cu $$(call changed,$$*) $(GPU_TOOLS)
	$(call logged,NVCC $<,$(@D)/build.log,\
	  $(NVCC) $(GPU_STEP_FLAGS) -I$* -MMD -MP -MF $(@D)/step.d -c $< -o $@ && \
	  $(contract) --evidence=$(@D)/evidence $@,\
	  $(@D)/runner)

GPU_HOST = build/gpu/runner/host.o build/gpu/runner/watch.o
build/gpu/%/runner: build/gpu/%/step.o build/gpu/runner/runner.o $(GPU_HOST) build/gpu/problems/$$(function)/call.o
	$(call linked,build,$(NVCC) $^ -o $@)

# All that steps of a problem are built of, besides their own source: if that does not build, no step is at fault.
build/cpu/problems/%/parts: build/cpu/problems/%/call.o $(CPU_TOOLS) build/cpu/device build/cpu/runner/with-plain.o build/cpu/runner/with-checked.o ;
build/cpu/problems/%/counted-parts: build/cpu/problems/%/parts build/cpu/runner/with-counted.o ;
build/gpu/problems/%/parts: build/gpu/problems/%/call.o $(GPU_TOOLS) build/gpu/device build/gpu/runner/runner.o $(GPU_HOST) ;

# ---- changes of a step: tests/changes/, experiments/ --------------------------------------------

# The whole file of each is in a directory of its own, such as build/changes/opt05_multiblock/no_reset/, which is a step like any other.
build-changes: build/variants
	$(if $(wildcard tests/changes/*.changes),@build/variants write build/changes $(wildcard tests/changes/*.changes))
	$(if $(wildcard experiments/*.changes),@build/variants write build/experiments $(wildcard experiments/*.changes))

# ---- what people type ---------------------------------------------------------------------------

deps doctor deps-all: ; @bash desk/$(subst deps-all,deps --all,$@)
build-cpu: $(JUDGES) build/cpu/device $(foreach s,$(LABS_STEPS),build/cpu/$(s)/runner build/cpu/$(s)/runner-checked)
build-gpu: NVCC_IS_THERE $(JUDGES) build/gpu/device $(foreach s,$(LABS_STEPS) $(BASELINES),build/gpu/$(s)/runner)
NVCC_IS_THERE: ; @command -v $(firstword $(NVCC)) >/dev/null || { echo "make: $(NVCC) is missing: install the CUDA Toolkit or put its bin directory on PATH (make doctor says more)" >&2; exit 1; }
clean: ; rm -rf build

# How drivers for profilers are built, and what instructors and engineers build: a student's tree has no class.
-include $(wildcard desk/inside/inside.mk class/class.mk)

# All else is for build/front to find out: a step by any beginning of its name, a goal of desk/goals.def, or a mistake.
FRONT := desk/front.c $(addprefix report/lib/,text.c steps.c) common/keep.c
build/front: $(FRONT) $(wildcard report/lib/*.h */goals.def)
	@mkdir -p $(@D); $(CC) $(CFLAGS) -D_GNU_SOURCE -Ireport -Icommon -Iemulator/findings $(FRONT) -o $@.$$$$ -lm \
	  $(if $(wildcard class/goals.def),-DCLASS_GOALS='"../class/goals.def"') && mv $@.$$$$ $@ || { head -c 1000000 /dev/zero 2>/dev/null >$@.$$$$ && \
	  echo "make: $(CC) compiles nothing here: \`make deps\` installs a compiler" || echo "make: nothing can be written to build/: is the disk full, or this folder read-only? \`make doctor\` says more"; rm -f $@.$$$$; exit 1; } >&2

ifeq ($(BUILDS),)
%: build/front FORCE ; @build/front
Makefile: ;
%.mk %.c %.h %.def: ;
.NOTPARALLEL:
endif
# A shell that completes a goal asks for make's data base.
ifneq ($(findstring p,$(filter-out -%,$(firstword $(MAKEFLAGS)))),)
$(shell [ ! -x build/front ] || build/front --words): ;
endif

.PHONY: FORCE NVCC_IS_THERE deps doctor deps-all build-cpu build-gpu build-changes clean
