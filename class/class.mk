# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What instructors and the lab's engineers type as well. A handout does not have this file.

# Who changes the harness mends its warnings. A student's compiler may be newer than all of ours, and warn of more.
WERROR := $(if $(wildcard .git),-Werror)

deps-all: ## install what tests and classes need, too
	@desk/deps --all

handout: ## the archive for students: make handout STEPS='opt0[1-5]*' (or ASSIGNMENT=FILE) RECORDED=no
	@class/handout/pack $(if $(CHOSEN),--steps $(call text,$(CHOSEN))) $(if $(ASSIGNMENT),--assignment $(call text,$(ASSIGNMENT))) $(if $(RECORDED),--recorded $(call text,$(RECORDED))) $(if $(URL),--url $(call text,$(URL)))

autograder: ## a zip to upload: make autograder FOR=gradescope (or autolab) STEPS='opt0[1-5]*', or ASSIGNMENT=FILE
	@class/autograder/pack $(call text,$(FOR)) $(if $(ASSIGNMENT),--assignment $(call text,$(ASSIGNMENT))) $(if $(CHOSEN),$(call text,$(CHOSEN)))

record: ## measure and keep this GPU's recorded results; goes on where it was stopped (FOR=9m stops it in time)
	@class/record $(if $(FOR),--for $(call text,$(FOR))) $(if $(CHOSEN),--steps $(call text,$(CHOSEN)))

man: ## manual pages of all commands, in build/man: man -l build/man/man1/histolab-grade.1
	@guides/man build/man

install-man: man ## copy them to share/man below PREFIX (/usr/local)
	@mkdir -p '$(DESTDIR)$(PREFIX)/share/man/man1' && cp build/man/man1/*.1 '$(DESTDIR)$(PREFIX)/share/man/man1'

PREFIX = /usr/local

dist: ## this commit for others: results/dist/histolab-VERSION.tar.gz and its SHA256SUMS
	@class/dist

lint: ## format, scripts, step directories, and whether recorded results match the steps
	@tests/run lint

experiments: ## measure what did not help; table in results/experiments/
	@experiments/measure

test: ## run all tests
	@tests/run

test-quick: ## what to run before a commit, in a minute: tests/run --quick
	@tests/run --quick

# What a class is worth: build/grades VIEW WORD..., with what reads records. As build/report, it has another name until it is finished.
build/grades: $(patsubst %.c,build/host/%.o,$(wildcard class/grades/*.c class/exports/*.c) common/json_write.c) $(REPORT_OBJECTS)
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@.$$$$ -lm && mv $@.$$$$ $@

# What must come out of tests/changes/.
build/expect: $(wildcard tests/expect/*.[ch] common/changes/changes.[ch] common/json_read.[ch]) emulator/findings/hazards.def common/judge/verdicts.def
	@echo "CC $@"; mkdir -p $(@D)
	@$(CC) $(CFLAGS) -Icommon -Iemulator/findings $(filter %.c,$^) -o $@ -lm

# The filter of system calls and the Landlock that class/isolate uses.
# What class/isolate and class/intake use to keep strangers apart.
build/isolate/%: class/isolation/%.c | build/isolate/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) $< -o $@

# A driver that tells how long each launch takes: tests/counters/timed.c.
build/gpu/counters/timed.o: tests/counters/timed.c | build/gpu/counters/.
	@echo "NVCC $<"
	@$(NVCC) $(GPU_CFLAGS) -Icommon -c $< -o $@

build/gpu/%/driver-timed: build/gpu/%/step.o build/gpu/counters/timed.o build/gpu/runner/driver.o $(GPU_HOST) build/gpu/problems/$$(function)/call.o $$(DRIVER)
	@$(NVCC) $^ -Xlinker --wrap=lab_watched___cudaLaunchKernel -o $@ -ldl -lm -lpthread

.PHONY: deps-all man install-man handout autograder dist record lint experiments test test-quick
