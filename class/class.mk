# What instructors and the lab's engineers type as well. A handout does not have this file.

deps-all: ## install what tests and classes need, too
	@desk/deps --all

handout: ## the archive for students: make handout STEPS='opt0[1-5]*' RECORDED=no
	@class/handout/pack $(if $(CHOSEN),--steps '$(CHOSEN)') $(if $(RECORDED),--recorded '$(RECORDED)') $(if $(URL),--url '$(URL)')

autograder: ## a zip to upload: make autograder FOR=gradescope (or autolab) STEPS='opt0[1-5]*'
	@class/autograder/pack '$(FOR)' $(if $(CHOSEN),'$(CHOSEN)')

record: ## measure this GPU's ladders with long samples, and keep them as its recorded results
	@./grade.sh --device gpu --budget 100 --out results/record
	@report/keep results/record/results.jsonl

lint: ## format, scripts, step directories, and whether recorded results match the steps
	@tests/run lint

experiments: ## measure what did not help; table in results/experiments/
	@experiments/measure

test: ## run all tests
	@tests/run

# The filter of system calls and the Landlock that class/isolate uses.
build/isolate/%: class/isolation/%.c | build/isolate/.
	@echo "CC $<"
	@$(CC) $(CFLAGS) $< -o $@

# A driver that tells how long each launch takes: tests/counters/timed.c.
build/gpu/counters/timed.o: tests/counters/timed.c | build/gpu/counters/.
	@echo "NVCC $<"
	@$(NVCC) $(GPU_CFLAGS) -Icommon -c $< -o $@

build/gpu/%/driver-timed: build/gpu/%/step.o build/gpu/counters/timed.o build/gpu/runner/driver.o $(GPU_HOST) build/gpu/problems/$$(function)/call.o $$(DRIVER)
	@$(NVCC) $^ -Xlinker --wrap=lab_watched___cudaLaunchKernel -o $@ -ldl -lm -lpthread

.PHONY: deps-all handout autograder record lint experiments test
