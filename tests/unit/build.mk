# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Builds every tests/unit/test_*.c against the judge and the time model, with sanitizers: make -f tests/unit/build.mk CC=clang
# The programs are in build/unit/$(CC)/. The judge's objects are shared by all; a test that is named after a
# problem (test_opt_sum.c) is linked with that problem, any other with opt_2dhisto.

OUT    := build/unit/$(CC)
CFLAGS := -std=gnu11 -g -O1 -Wall -Wextra -Werror -fsanitize=address,undefined -fno-sanitize-recover=undefined
JUDGE  := $(filter-out %/main.o,$(patsubst common/%.c,$(OUT)/%.o,$(wildcard common/judge/*.c common/model/*.c)))
TESTS  := $(patsubst tests/unit/%.c,$(OUT)/%,$(wildcard tests/unit/test_*.c))

problem = $(patsubst common/problems/%.c,$(OUT)/problems/%.o,$(filter-out %/call.c,\
            $(wildcard $(or $(wildcard common/problems/$*),common/problems/opt_2dhisto)/*.c)))

all: $(TESTS)

.SECONDARY:
.SECONDEXPANSION:

compile = @mkdir -p $(@D) && $(CC) $(CFLAGS) -Icommon -isystem common/emulator -MMD -MP -c $< -o $@

$(OUT)/%.o: common/%.c ; $(compile)
$(OUT)/%.o: tests/unit/%.c ; $(compile)

$(OUT)/test_%: $(OUT)/test_%.o $(JUDGE) $$(problem)
	@$(CC) $(CFLAGS) $^ -o $@ -lcmocka -ldl -lm -pthread

# No judge has it.
$(OUT)/test_access: $(OUT)/emulator/counted/access.o

-include $(wildcard $(OUT)/*.d $(OUT)/*/*.d $(OUT)/*/*/*.d)
