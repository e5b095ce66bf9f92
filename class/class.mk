# What instructors and the lab's engineers type as well. A handout does not have this file.

handout: ## the archive for students: make handout STEPS='opt0[1-5]*' RECORDED=no
	@class/handout/pack $(if $(CHOSEN),--steps '$(CHOSEN)') $(if $(RECORDED),--recorded '$(RECORDED)')

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

.PHONY: handout autograder record lint experiments test
