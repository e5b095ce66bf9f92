# The machine code of a step for an architecture, which is the first directory: make
# build/code/sm_90/labs/opt05_multiblock/step.cubin. It needs nvcc and no GPU.
code_arch = $(firstword $(subst /, ,$*))
code_step = $(patsubst $(code_arch)/%,%,$*)
code_source = $(firstword $(wildcard $(code_step)/*.cu))

build/code/%/step.cubin: $$(code_source) $$(call headers_of,$$(code_step)) $$(call changed,$$(code_step))
	$(call logged,NVCC $<,$(@D)/cubin.log,$(NVCC) $(GPU_CODE_FLAGS) -arch=$(code_arch) -I$(code_step) -Xptxas=-v \
	  -MMD -MP -MF $(@D)/step.d -cubin $< -o $@)

# What the machine code of a step says, for counters: build/cpu/labs/opt05_multiblock/sm_90.code. It needs nvcc and
# nvdisasm, and no GPU.
build/cpu/%.code: $$(wildcard $$(*D)/*.cu) $$(call headers_of,$$(*D)) $$(call changed,$$(*D)) common/build/code build/code-file
	$(call logged,CODE $(*D),$(@:.code=.log),common/build/code $@ $(*D) $(*F))
