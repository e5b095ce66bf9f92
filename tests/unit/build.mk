# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Builds every tests/unit/test_*.c against the judge, the time model and what both stand on, with sanitizers:
# make -f tests/unit/build.mk CC=clang
# The programs are in build/unit/$(CC)/. The judge's objects are shared by all; a test that is named after a
# problem (test_opt_sum.c) is linked with that problem, any other with opt_2dhisto.

OUT    := build/unit/$(CC)
CFLAGS := -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined
JUDGE  := $(filter-out %/main.o,$(patsubst common/%.c,$(OUT)/%.o,$(wildcard common/*.c $(patsubst %,common/%/*.c,judge judge/* model record))))
TESTS  := $(patsubst tests/unit/%.c,$(OUT)/%,$(wildcard tests/unit/test_*.c))

problem = $(patsubst common/problems/%.c,$(OUT)/problems/%.o,$(filter-out %/call.c,\
            $(wildcard $(or $(wildcard common/problems/$*),common/problems/opt_2dhisto)/*.c)))

all: $(TESTS)

.SECONDARY:
.SECONDEXPANSION:

compile = @mkdir -p $(@D) && $(CC) $(CFLAGS) -Icommon -Iemulator/findings -isystem emulator/include -MMD -MP -c $< -o $@

$(OUT)/%.o: common/%.c ; $(compile)
$(OUT)/emulator/%.o: emulator/%.c ; $(compile)
$(OUT)/%.o: tests/unit/%.c ; $(compile)

$(OUT)/test_%: $(OUT)/test_%.o $(JUDGE) $$(problem)
	@$(CC) $(CFLAGS) $^ -o $@ -lcmocka -ldl -lm -pthread

# The emulator's front end is a program of its own.
FRONT := $(patsubst %.c,$(OUT)/%.o,$(filter-out %/nvcc.c,$(wildcard emulator/text/*.c emulator/rewrite/*.c emulator/front/*.c)))
$(OUT)/test_front_%: $(OUT)/test_front_%.o $(FRONT)
	@$(CC) $(CFLAGS) $^ -o $@ -lcmocka

# What reads records: it has no judge.
$(OUT)/report/%.o: report/%.c ; @mkdir -p $(@D) && $(CC) $(CFLAGS) -D_GNU_SOURCE -Icommon -Ireport -Iemulator/findings -MMD -MP -c $< -o $@
$(OUT)/test_report_%.o: tests/unit/test_report_%.c ; @mkdir -p $(@D) && $(CC) $(CFLAGS) -D_GNU_SOURCE -Icommon -Ireport -MMD -MP -c $< -o $@
REPORT := $(patsubst %.c,$(OUT)/%.o,$(wildcard report/*/*.c))
$(OUT)/test_report_%: $(OUT)/test_report_%.o $(REPORT) $(addprefix $(OUT)/,json_read.o record/fields.o record/read.o)
	@$(CC) $(CFLAGS) $^ -o $@ -lcmocka -lm

$(OUT)/class/%.o: class/%.c ; @mkdir -p $(@D) && $(CC) $(CFLAGS) -D_GNU_SOURCE -Icommon -Ireport -MMD -MP -c $< -o $@
$(OUT)/test_grades.o: tests/unit/test_grades.c ; @mkdir -p $(@D) && $(CC) $(CFLAGS) -D_GNU_SOURCE -Icommon -Ireport -Iclass -MMD -MP -c $< -o $@
GRADES := $(patsubst %.c,$(OUT)/%.o,$(filter-out %/main.c,$(wildcard class/grades/*.c class/exports/*.c)))
$(OUT)/test_grades: $(OUT)/test_grades.o $(GRADES) $(REPORT) $(addprefix $(OUT)/,json_read.o json_write.o record/fields.o record/read.o)
	@$(CC) $(CFLAGS) $^ -o $@ -lcmocka -lm

# No judge has it.
$(OUT)/test_access: $(OUT)/emulator/counted/access.o

# Named, since make takes another rule for a test where an object that has just been added is one that it could make.
$(FRONT) $(REPORT) $(GRADES):

-include $(wildcard $(OUT)/*.d $(OUT)/*/*.d $(OUT)/*/*/*.d)
