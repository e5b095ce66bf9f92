# The work of grading a class, done in the results folder by submissions.sh (which says what is where):
#
#   baselines   what the steps of each problem are compared with, on this GPU; one at a time, while nothing else runs
#   own         this tree's own steps, on this GPU
#   records     each step of each submission whose source is newer than its record; the own ones first
#
# A recipe that makes no record ends well all the same: it has left STEP.failed, or the GPU is lost. The next
# make tries again. Ids and the names of steps hold nothing that is special to make.

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

baselines: $(BASELINES)
$(BASELINES): baselines/$(UUID)-%.jsonl: ; @$(recipe)/measure-gpu '$*'

own: $(OWN)
records: $(OWN) $(RECORDS)
$(OWN): | $(BASELINES)
$(RECORDS): | $(OWN)
$(OWN) $(RECORDS): records/%.jsonl: records/%.source ; @$(recipe)/grade-step '$*'

.PHONY: baselines own records
