# The emulator, CUDA on a CPU: its compile driver, its parts as lists of objects, and what desk/run links programs with.

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

# A program of somebody's own, for desk/run, is linked with one object, of which nothing can meet the program's names
# but CUDA's own and what the compiler calls.
PROGRAM_KEEPS := 'cuda*' 'cublas*' 'curand*' 'emulator_*' '__tsan_*' '__ubsan_*' '__x86_indirect_thunk_*' printf clock __assert_fail '*Idx' '*Dim'
build/cpu/program-%.o: $(call room,program) $(EMULATOR) $(LIBRARIES) $$(PARTS_$$*) emulator/emulator.mk
	@echo "LD $@"
	@ld -r $(filter %.o,$^) -o $@ && objcopy --wildcard $(PROGRAM_KEEPS:%=--keep-global-symbol=%) $@

PARTS_checked = $(CHECKED)
PARTS_counted = $(COUNTED)

build/program-told: build/judge/program/told.o $(filter-out %/main.o,$(JUDGE_OBJECTS))
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@ -ldl -lm -pthread

# A folder that looks like a CUDA Toolkit, whose nvcc builds for the emulator what was written for nvcc.
.PHONY: emulator
emulator:
	@$(MAKE) -s build/cuda/bin/nvcc
	@echo "build/cuda is a CUDA Toolkit for this CPU: PATH=$(CURDIR)/build/cuda/bin:\$$PATH, or CUDA_HOME=$(CURDIR)/build/cuda"

build/cuda/bin/nvcc: emulator/toolkit build/cpu/nvcc $(patsubst %,build/cpu/program-%.o,plain checked counted) $(wildcard emulator/include/* emulator/libraries/*)
	@emulator/toolkit build/cuda
