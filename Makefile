# histolab: build, grade and report. Bare `make` says what there is to do.
#
# Every directory that holds one .cu file is a step: under labs/ the students' ladder, under
# common/baselines/ what it is compared with, under tests/bugs/ and tests/cheats/ what must be rejected,
# under tests/honest/ what must not. For each, and for each device, there is
# build/<device>/<directory>/runner. No list names them.

.DEFAULT_GOAL := help
MAKEFLAGS += --no-builtin-rules
SHELL := /bin/bash

# ---- what can be set on the command line --------------------------------------------------------

# The environment may name the compilers too: CC=clang ./grade.sh
ifeq ($(origin CC),default)
CC   = gcc
endif
ifneq ($(filter default undefined,$(origin CXX)),)
CXX  = $(if $(findstring clang,$(CC)),clang++,g++)
endif
NVCC = nvcc
# Architecture of the GPU code: this machine's, or all of them where there is no GPU to ask.
ARCH = $(if $(shell nvidia-smi -L 2>/dev/null),native,all-major)

# No path of this machine goes into an object, and so into what a linker says to a student.
CFLAGS     = -std=c11 -O2 -g -Wall -Wextra -Werror -ffile-prefix-map=$(CURDIR)=.
STEP_FLAGS = -std=c++17 -g -fno-strict-aliasing -Wall -Wno-unknown-pragmas -Wno-unused-parameter

# ---- what is where ------------------------------------------------------------------------------

# STEPS='opt0[1-5]*' on the command line says which steps are meant; in here STEPS are the directories of all.
CHOSEN    := $(if $(filter command,$(origin STEPS)),$(STEPS))
override STEPS := $(patsubst %/,%,$(sort $(dir $(wildcard labs/*/*.cu))))
BASELINES := $(patsubst %/,%,$(sort $(dir $(wildcard common/baselines/*/*.cu))))
BUGS      := $(patsubst %/,%,$(sort $(dir $(wildcard tests/bugs/*/*.cu tests/cheats/*/*.cu tests/honest/*/*.cu))))
PROBLEMS  := $(patsubst common/problems/%/problem.c,%,$(wildcard common/problems/*/problem.c))
JUDGES    := $(PROBLEMS:%=build/judge-%)

# The function that a step's directory implements: its .cu file's name.
function = $(basename $(notdir $(firstword $(wildcard $(1)/*.cu))))

build/%/.: ; @mkdir -p $@
.PRECIOUS: build/%/.
.SECONDARY:
.SECONDEXPANSION:
.DELETE_ON_ERROR:

# Run a compiler quietly, with what it says in the log beside the output; on failure say it aloud.
# $(1) what to print, $(2) the log, $(3) the command, $(4) what else is out of date if it fails.
define logged
@echo "$(1)"; mkdir -p $(@D); rm -f $@ $(4); \
if ! { $(3); } >$(2) 2>&1; then cat $(2) >&2; exit 1; fi
endef

# ---- judge --------------------------------------------------------------------------------------

# lab.h gives problem files the constants of the contract; the emulator's CUDA header will do for that.
JUDGE_OBJECTS := $(patsubst common/%.c,build/judge/%.o,$(wildcard common/judge/*.c) common/problems/image.c)

build/judge/%.o: common/%.c | $$(@D)/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) -Icommon -isystem common/emulator -MMD -MP -c $< -o $@

build/judge-%: build/judge/problems/%/problem.o $(JUDGE_OBJECTS)
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@ -ldl -lm -pthread

build/image: build/judge/problems/image_tool.o build/judge/problems/image.o
	@$(CC) $(CFLAGS) $^ -o $@

# ---- isolation: the system calls that class/isolate refuses -------------------------------------

build/isolate/filter: class/isolation/filter.c | build/isolate/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) $< -o $@

# ---- cpu device: the emulator -------------------------------------------------------------------

CPU_INCLUDES := -Icommon/emulator -Icommon
EMULATOR     := $(patsubst common/emulator/%.c,build/cpu/emulator/%.o,\
                  $(filter-out %/rewrite.c %/racy.c,$(wildcard common/emulator/*.c)))

build/cpu/rewrite: common/emulator/rewrite.c | build/cpu/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) $< -o $@

build/cpu/%.o: common/%.c | $$(@D)/.
	@echo "CC $< (cpu)"
	@$(CC) $(CFLAGS) $(CPU_INCLUDES) -MMD -MP -c $< -o $@

build/cpu/device: build/cpu/runner/device.o $(EMULATOR)
	@$(CXX) $^ -o $@ -pthread

# ---- gpu device: the CUDA Toolkit ---------------------------------------------------------------

GPU_STEP_FLAGS = -std=c++17 -O3 -lineinfo -arch=$(ARCH) -Icommon
GPU_CFLAGS = -O2 $(patsubst %,-Xcompiler=%,$(filter -std=% -g -W% -ffile-prefix-map%,$(CFLAGS)))

build/gpu/%.o: common/%.c | $$(@D)/.
	@echo "NVCC $<"
	@$(NVCC) $(GPU_CFLAGS) -Icommon -MMD -MP -c $< -o $@

build/gpu/device: build/gpu/runner/device.o
	@$(NVCC) $^ -o $@

# ---- a step's runner, on each device. $(1): the step's directory, $(2): its function ------------

# Only the contract's functions leave a step's object: whatever else it defines, be it called send,
# main or cudaEventRecord, never takes the place of what the harness calls. What it tried is kept.
# (What C++ has only one of in a program, such as CUB's inline variables, cannot be made local; no name
# of C begins as those do. Assembly can do the same with other names: such an object is refused.)
localise = objcopy $(foreach name,$(2) $(2)_setup $(2)_teardown,--keep-global-symbol=$(name)) $(1) && \
  nm -g --defined-only $(1) | awk '$$NF !~ /^(_Z.*|$(2)(_setup|_teardown)?)$$/ { print "error: the step leaves " $$NF " to the link"; bad = 1 } \
    END { exit bad }'
only_contract = common/build/evidence $(1) $(2) >$(@D)/evidence && $(localise)

define step_rules
build/cpu/$(1)/step.o: $(1)/$(2).cu build/cpu/rewrite common/build/evidence
	$$(call logged,CXX $$<,$$(@D)/build.log,build/cpu/rewrite $$< >$$(@D)/step.cpp && \
	  $(CXX) $(STEP_FLAGS) -O2 $(CPU_INCLUDES) -I$(1) -MMD -MP -c $$(@D)/step.cpp -o $$@ && \
	  $$(call only_contract,$$@,$(2)),\
	  $$(@D)/runner $$(@D)/runner-checked)

# The checked build: racy.c runs threads against each other at every load and store.
build/cpu/$(1)/checked.o: build/cpu/$(1)/step.o
	$$(call logged,CXX $(1) (checked),$$(@D)/build.log,\
	  $(CXX) $(STEP_FLAGS) -O1 -fsanitize=thread -fsanitize=alignment -fno-sanitize-recover=alignment $(CPU_INCLUDES) -I$(1) -MMD -MP -c $$(@D)/step.cpp -o $$@ && \
	  $$(call localise,$$@,$(2)),\
	  $$(@D)/runner-checked)

build/cpu/$(1)/runner: build/cpu/$(1)/step.o build/cpu/runner/runner.o build/cpu/problems/$(2)/call.o $(EMULATOR)
	$$(call logged,LD $$@,$$(@D)/build.log,$(CXX) $$^ -o $$@ -pthread)

build/cpu/$(1)/runner-checked: build/cpu/$(1)/checked.o build/cpu/runner/runner.o build/cpu/problems/$(2)/call.o $(EMULATOR) build/cpu/emulator/racy.o
	$$(call logged,LD $$@,$$(@D)/build.log,$(CXX) $$^ -o $$@ -pthread)

build/gpu/$(1)/step.o: $(1)/$(2).cu common/build/evidence
	$$(call logged,NVCC $$<,$$(@D)/build.log,\
	  $(NVCC) $(GPU_STEP_FLAGS) -I$(1) -MMD -MP -MF $$(@D)/step.d -c $$< -o $$@ && \
	  $$(call only_contract,$$@,$(2)),\
	  $$(@D)/runner)

build/gpu/$(1)/runner: build/gpu/$(1)/step.o build/gpu/runner/runner.o build/gpu/problems/$(2)/call.o
	$$(call logged,LD $$@,$$(@D)/build.log,$(NVCC) $$^ -o $$@)

-include $$(wildcard build/cpu/$(1)/*.d build/gpu/$(1)/*.d)
endef

# Reading some hundred rules takes longer than compiling a step: only who builds something reads them, and
# with ONLY='DIRECTORY...' no others than of these.
ifneq ($(filter build%,$(MAKECMDGOALS)),)
$(foreach step,$(or $(ONLY),$(STEPS) $(BASELINES) $(BUGS) $(MORE_STEPS)),$(eval $(call step_rules,$(step),$(call function,$(step)))))
endif

-include $(foreach place,judge runner emulator problems problems/*,$(wildcard build/*/$(place)/*.d))

# ---- look inside --------------------------------------------------------------------------------

# A step without a judge around it, for profilers and checkers. $(1): device, $(2): objects, $(3): linker
define driver_rule
build/$(1)/%/driver: build/$(1)/%/step.o build/$(1)/runner/driver.o build/$(1)/problems/$$$$(call function,$$$$*)/call.o \
                     build/judge/problems/$$$$(call function,$$$$*)/problem.o $(filter-out %/main.o,$(JUDGE_OBJECTS)) $(2)
	@$(3) $$^ -o $$@ -ldl -lm -lpthread
endef
$(eval $(call driver_rule,cpu,$(EMULATOR),$(CXX)))
$(eval $(call driver_rule,gpu,,$(NVCC)))

# The machine code of one step for one GPU: make build/gpu/labs/opt05_multiblock/step.cubin ARCH=sm_90
build/gpu/%/step.cubin: always
	$(call logged,NVCC $*,$(@D)/cubin.log,$(NVCC) $(GPU_STEP_FLAGS) -I$* -Xptxas=-v -cubin $(wildcard $*/*.cu) -o $@)

always:

# ---- what people type ---------------------------------------------------------------------------

NUMBERS := $(foreach step,$(notdir $(STEPS)),$(firstword $(subst _, ,$(step))))
EXAMPLE := $(firstword $(filter opt05,$(NUMBERS)) $(lastword $(NUMBERS)))

help: ## what you can do
	@echo "histolab: make a histogram kernel fast, step by step."; echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(filter Makefile %.mk,$(MAKEFILE_LIST)) | \
	  sed 's/STEP=opt05/STEP=$(EXAMPLE)/'
	@echo "  make $(EXAMPLE)         build, check and time one step (any beginning of a step's name)"
	@echo "  make diff-$(EXAMPLE)    what changes from the step before"
	@echo "  make sass-$(EXAMPLE)    its machine code, marked and counted; profile-$(EXAMPLE): the GPU's counters, explained;"
	@echo "                     sanitize-$(EXAMPLE): compute-sanitizer's checks (both need a GPU)"; echo
	@echo "Steps are the directories under labs/. ./grade.sh --help lists more options. Guides: $(wildcard guides/*.md)"

deps: ## install what is missing, or name it
	@desk/deps

doctor: ## what this machine can do, and the line to type for what it cannot
	@bash desk/doctor

build-cpu: ## build every step for the emulator
build-cpu: $(JUDGES) build/cpu/device $(foreach s,$(STEPS),build/cpu/$(s)/runner build/cpu/$(s)/runner-checked)

build-gpu: ## build every step for the GPU (ARCH=sm_90 names one)
build-gpu: $(JUDGES) build/gpu/device $(foreach s,$(STEPS) $(BASELINES),build/gpu/$(s)/runner)

grade: ## build, check and time every step (STEPS='opt0[1-5]*': these); table and chart in results/
	@./grade.sh $(if $(CHOSEN),--steps '$(CHOSEN)')

plots: ## draw the charts again, from the records in results/
	@report/plot results/results.jsonl results

journal: ## write the lab journal from the records in results/
	@report/journal results/results.jsonl results

watch: ## grade a step at each save: make watch STEP=opt05
	@desk/watch '$(STEP)'

size_and_input = $(if $(SIZE),--size '$(SIZE)') $(if $(INPUT),--input '$(INPUT)')
sass-%: ; @desk/inside/sass $* $(if $(filter sm_%,$(ARCH)),--arch $(ARCH))
profile-%: ; @desk/inside/profile $* $(size_and_input)
sanitize-%: ; @desk/inside/sanitize $* $(size_and_input)

diff-%:
	@desk/step diff $*

new: ## begin a step of your own: make new STEP=opt18_my_idea (FROM=STEP: as a copy of that one)
	@desk/step new '$(STEP)' '$(FROM)'

submit: ## check your steps and pack them to be handed in: make submit NAME=alice
	@desk/submit $(if $(NAME),'$(NAME)')

distributions: ## the histogram ladder on every input; one chart in results/distributions/
	@desk/distributions results/distributions

clean: ## remove what was built (results stay)
	rm -rf build

# A goal that is the beginning of a step's name grades that step.
STEP_GOALS := $(foreach goal,$(MAKECMDGOALS),$(if $(filter $(goal)%,$(notdir $(STEPS))),$(goal)))
$(STEP_GOALS):
	@desk/try '$@'

.PHONY: help deps doctor watch new submit build-cpu build-gpu grade plots journal distributions clean $(STEP_GOALS)

# What instructors and engineers type; a student's tree has no such file.
-include class/class.mk
