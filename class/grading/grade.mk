# The work of grading a class, done in the results folder by submissions.sh (which says what is where):
#
#   take-in     a clean copy of each submission, each time: anyone may have handed in anew
#   references  the CPU reference of each problem, for GPUs without baselines; one at a time, while nothing else runs
#   baselines   what else steps are compared with, on each GPU
#   own         this tree's own steps, on each GPU
#   records     each step of each submission whose source is newer than its record; the own ones first
#
# A recipe that makes no record ends well all the same: it has left STEP.failed, or all GPUs are lost. The next
# make tries again. Ids and the names of steps hold nothing that is special to make.

IDS       := $(file <work/ids)
STEPS     := $(file <work/steps)
FUNCTIONS := $(file <work/functions)
UUIDS     := $(shell cut -d ' ' -f 2 work/gpus)

BASELINES := $(foreach uuid,$(filter-out cpu,$(UUIDS)),$(FUNCTIONS:%=baselines/$(uuid)-%.jsonl))
OWN       := $(foreach step,$(STEPS),$(UUIDS:%=records/-%/$(step).jsonl))
RECORDS   := $(strip $(file <work/order))
# Of GPUs that have no baselines yet.
REFERENCES := $(patsubst baselines/%.jsonl,reference-%,$(filter-out $(wildcard baselines/*.jsonl),$(BASELINES)))

recipe = exec "$$TREE"/class/grading

.SUFFIXES:

# A record is moved into place when it is whole. Make would delete it if it were stopped before the recipe's end.
.PRECIOUS: $(BASELINES) $(OWN) $(RECORDS)

take-in: $(IDS:%=take-in-%)
$(IDS:%=take-in-%): take-in-%: ; @$(recipe)/take-in '$*'

references: $(REFERENCES)
$(REFERENCES): reference-%: ; @$(recipe)/measure-gpu --reference '$*'

baselines: $(BASELINES)
$(BASELINES): baselines/%.jsonl: ; @$(recipe)/measure-gpu '$*'

own: $(OWN)
records: $(OWN) $(RECORDS)
$(OWN): | $(BASELINES)
$(RECORDS): | $(OWN)
$(OWN) $(RECORDS): records/%.jsonl: records/%.source ; @$(recipe)/grade-step '$*'

.PHONY: take-in references baselines own records $(REFERENCES) $(IDS:%=take-in-%)
