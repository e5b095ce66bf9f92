# What instructors and the lab's engineers build; goals.def has what they type. A handout does not have this file.

# Who changes the harness mends its warnings. A student's compiler may be newer than all of ours, and warn of more.
WERROR := $(if $(wildcard .git),-Werror)

# What a class is worth: build/grades VIEW WORD... What must come out of tests/changes/: build/expect.
build/grades: build/host/common/begun/tokens.o $(call host,$(filter-out class/isolation/%,$(wildcard class/*/*.c)) common/json_write.c) $(REPORT_OBJECTS)
build/expect: $(call host,tests/expect/*.c tests/variants/changes.c common/keep.c common/json_read.c)
build/grades build/expect:
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@.$$$$ -lm && mv $@.$$$$ $@

# What several parts of the tests use: where it is built they may run beside each other.
build-tests: build-cpu build-emulator-objects build-changes build/cheats/unpacked $(addprefix build/,report grades not-begun expect record-fields) build-isolate
	@$(MAKE) build/cpu/labs/{opt01_single_thread,opt05_multiblock,opt06_builtin_min,byte01_global_atomics}/runner{-counted,-checked,} build/cpu/labs/opt05_multiblock/driver-counted

build-emulator-objects: build/cpu/nvcc $(EMULATOR) $(CHECKED) $(COUNTED) $(LIBRARIES)

# The cheats as whole files, each in a directory of its own, which is a step like any other.
build/cheats/unpacked: tests/unpack $(wildcard tests/cheats/*.sources)
	@rm -rf build/cheats && $^ build/cheats && touch $@

# What keeps strangers apart.
build-isolate: build/isolate/isolate
build/isolate/isolate: $(wildcard class/isolation/*.[ch]) common/utf8.h | build/isolate/.
	@echo "CC $@"
	@$(CC) $(CFLAGS) -Icommon $(filter %.c,$^) -o $@.$$$$ && mv $@.$$$$ $@

# A driver that tells how long each launch takes: tests/counters/timed.c.
build/gpu/counters/timed.o: tests/counters/timed.c | build/gpu/counters/.
	@echo "NVCC $<"
	@$(NVCC) $(GPU_CFLAGS) -Icommon -c $< -o $@

build/gpu/%/driver-timed: build/gpu/%/step.o build/gpu/counters/timed.o build/gpu/runner/driver.o $(GPU_HOST) build/gpu/problems/$$(function)/call.o $$(DRIVER)
	@$(NVCC) $^ -Xlinker --wrap=lab_watched___cudaLaunchKernel -o $@ -ldl -lm -lpthread

.PHONY: build-tests build-isolate build-emulator-objects
