# What somebody types is a text. It reaches desk/front.c, and what that calls, through the environment, so that neither
# make nor a shell expands anything in it. Makefile and labs/Makefile include this.
GIVEN := $(foreach name,$(.VARIABLES),$(if $(filter command,$(origin $(name))),$(name)))
$(foreach name,$(GIVEN),$(eval override export $(name) := $$(value $(name))))
export GIVEN
export GOALS := $(MAKECMDGOALS)
export TYPED = $@
# Steps that did not pass are no reason to leave out the journal: make grade journal.
MAKEFLAGS += $(if $(filter grade,$(MAKECMDGOALS)),--keep-going)
# What is typed starts one program: make needs a shell for that only if it is another one than this.
SHELL := $(if $(filter build%,$(MAKECMDGOALS)),$(SHELL),/bin/sh)
