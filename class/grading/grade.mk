# The work of grading a class, done in the results folder by submissions.sh (which says what is where):
#
#   take-in     a clean copy of each submission, each time: anyone may have handed in anew
#   baselines   what the steps of each problem are compared with, on this GPU; one at a time, while nothing else runs
#   own         this tree's own steps, on this GPU
#   records     each step of each submission whose source is newer than its record; the own ones first
#
# A recipe that makes no record ends well all the same: it has left STEP.failed, or the GPU is lost. The next
# make tries again. Ids and the names of steps hold nothing that is special to make.

IDS       := $(file <work/ids)
STEPS     := $(file <work/steps)
FUNCTIONS := $(file <work/functions)
UUID      := $(file <work/uuid)

BASELINES := $(if $(filter-out cpu,$(UUID)),$(FUNCTIONS:%=baselines/$(UUID)-%.jsonl))
OWN       := $(STEPS:%=records/-$(UUID)/%.jsonl)
RECORDS   := $(strip $(file <work/order))

recipe = exec "$$TREE"/class/grading

.SUFFIXES:

# A record is moved into place when it is whole. Make would delete it if it were stopped before the recipe's end.
.PRECIOUS: $(BASELINES) $(OWN) $(RECORDS)

take-in: $(IDS:%=take-in-%)
$(IDS:%=take-in-%): take-in-%: ; @$(recipe)/take-in '$*'

baselines: $(BASELINES)
$(BASELINES): baselines/$(UUID)-%.jsonl: ; @$(recipe)/measure-gpu '$*'

own: $(OWN)
records: $(OWN) $(RECORDS)
$(OWN): | $(BASELINES)
$(RECORDS): | $(OWN)
$(OWN) $(RECORDS): records/%.jsonl: records/%.source ; @$(recipe)/grade-step '$*'

.PHONY: take-in baselines own records $(IDS:%=take-in-%)
