# Builds every tests/unit/test_*.c against the judge, the time model and what both stand on, with sanitizers and with objects of
# its own: make -f tests/unit/build.mk CC=gcc, or CC=clang. The programs are in build/unit/$(CC)/. The judge's objects are
# shared by all; a test that is named after a problem (test_opt_sum.c) is linked with that problem, any other with opt_2dhisto.

OUT    := build/unit/$(CC)
# A tree that is built may be copied: places are named from its root.
CFLAGS := -std=gnu11 -fdebug-prefix-map="$$PWD"=. -g1 -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined

objects = $(patsubst %.c,$(1)/%.o,$(filter-out %/main.c %/nvcc.c,$(wildcard $(2))))
JUDGE  := $(patsubst $(OUT)/common/%,$(OUT)/%,$(call objects,$(OUT),common/*.c $(patsubst %,common/%/*.c,judge judge/* problems model record)))
FRONT  := $(call objects,$(OUT),$(patsubst %,emulator/%/*.c,text rewrite front))
REPORT := $(call objects,$(OUT)/host,report/*/*.c common/keep.c common/sha256.c common/json_read.c common/json_write.c common/record/fields.c common/record/read.c)
GRADES := $(call objects,$(OUT)/host,$(filter-out class/isolation/%,$(wildcard class/*/*.c)) common/begun/*.c)
TESTS  := $(patsubst tests/unit/%.c,$(OUT)/%,$(wildcard tests/unit/test_*.c))

problem = $(patsubst common/problems/%.c,$(OUT)/problems/%.o,$(filter-out %/call.c,$(wildcard common/problems/$(1)/*.c)))

.SECONDARY:
.SECONDEXPANSION:

programs: $(TESTS)

compile = @mkdir -p $(@D) && $(CC) $(CFLAGS) -Icommon -Iemulator/findings -isystem emulator/include -MMD -MP -c $< -o $@
# What is done in a moment is not optimized: that takes longer than to run it. Inputs, right answers, what diagnoses them and
# the time model are.
compile_quick = @mkdir -p $(@D) && $(CC) $(CFLAGS) -O0 -Icommon -Iemulator/findings -isystem emulator/include -MMD -MP -c $< -o $@
compile_host = @mkdir -p $(@D) && $(CC) $(CFLAGS) -O0 -D_GNU_SOURCE -Icommon -Ireport -Iclass -Iemulator/findings -MMD -MP -c $< -o $@

$(OUT)/test_report_%.o: tests/unit/test_report_%.c ; $(compile_host)
$(OUT)/test_grades%.o: tests/unit/test_grades%.c ; $(compile_host)
$(OUT)/test_opt_%.o: tests/unit/test_opt_%.c ; $(compile)
$(OUT)/test_model.o $(OUT)/test_adding.o: $(OUT)/%.o: tests/unit/%.c ; $(compile)
$(OUT)/test_%.o: tests/unit/test_%.c ; $(compile_quick)
$(OUT)/host/%.o: %.c ; $(compile_host)
$(OUT)/emulator/%.o: emulator/%.c ; $(compile_quick)
$(OUT)/record/%.o: common/record/%.c ; $(compile_quick)
$(OUT)/judge/%.o: common/judge/%.c ; $(compile_quick)
$(OUT)/judge/strip.o: common/judge/strip.c ; $(compile)
$(OUT)/judge/diagnosis/%.o: common/judge/diagnosis/%.c ; $(compile)
$(OUT)/problems/%.o: CFLAGS += -O2 # inputs of the graded size
$(OUT)/%.o: common/%.c ; $(compile)

# The emulator's front end and what reads records are programs of their own.
$(OUT)/test_front_%: $(OUT)/test_front_%.o $(FRONT)
	@$(CC) $(CFLAGS) $^ -o $@ -lcmocka -ldl

$(OUT)/test_report_%: $(OUT)/test_report_%.o $(REPORT)
	@$(CC) $(CFLAGS) $^ -o $@ -lcmocka -lm

$(OUT)/test_grades%: $(OUT)/test_grades%.o $(GRADES) $(REPORT)
	@$(CC) $(CFLAGS) $^ -o $@ -lcmocka -lm

$(OUT)/test_%: $(OUT)/test_%.o $(JUDGE) $$(call problem,$$(or $$(notdir $$(wildcard common/problems/$$*)),opt_2dhisto))
	@$(CC) $(CFLAGS) $^ -o $@ -lcmocka -ldl -lm -pthread

# Named, since make takes another rule for a test where an object that has just been added is one that it could make.
$(FRONT) $(REPORT) $(GRADES):

.PHONY: programs

-include $(wildcard $(OUT)/*.d $(OUT)/*/*.d $(OUT)/*/*/*.d $(OUT)/*/*/*/*.d)
