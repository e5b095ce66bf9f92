# A step without a judge around it, for profilers and checkers.
DRIVER = $(call problem_objects,$(function)) $(filter-out %/main.o,$(JUDGE_OBJECTS))

CPU_DRIVER = build/cpu/runner/driver.o $(CPU_HOST) build/cpu/problems/$(function)/call.o $(DRIVER) $(EMULATOR)

build/cpu/%/driver: build/cpu/%/step.o $$(CPU_DRIVER) | build/cpu/nvcc
	$(call link_cpu,driver,-ldl -lm -lpthread)

build/cpu/%/driver-debug: build/cpu/%/debug.o $$(CPU_DRIVER) | build/cpu/nvcc
	$(call link_cpu,driver,-ldl -lm -lpthread)

build/cpu/%/driver-checked: build/cpu/%/checked.o $$(CPU_DRIVER) $$(CHECKED) | build/cpu/nvcc
	$(call link_cpu,driver,-ldl -lm -lpthread)

build/cpu/%/driver-counted: build/cpu/%/counted.o $$(CPU_DRIVER) $$(COUNTED) | build/cpu/nvcc
	$(call link_cpu,driver,-ldl -lm -lpthread)

build/gpu/%/driver: build/gpu/%/step.o build/gpu/runner/driver.o $(GPU_HOST) build/gpu/problems/$$(function)/call.o $$(DRIVER)
	@$(NVCC) $^ -o $@ -ldl -lm -lpthread
