# The machine code of a step for an architecture: make build/cpu/labs/opt05_multiblock/sm_90/step.cubin. It needs nvcc and no GPU.
code_source = $(firstword $(wildcard $(*D)/*.cu))

build/cpu/%/step.cubin: $$(code_source) $$(call headers_of,$$(*D)) $$(call changed,$$(*D))
	$(call logged,NVCC $<,$(@D)/cubin.log,$(NVCC) $(GPU_CODE_FLAGS) -arch=$(*F) -I$(*D) -Xptxas=-v \
	  -MMD -MP -MF $(@D)/step.d -cubin $< -o $@)

# What the machine code of a step says, for counters: build/cpu/labs/opt05_multiblock/sm_90.code. It needs nvcc and
# nvdisasm, and no GPU.
build/cpu/%.code: $$(wildcard $$(*D)/*.cu) $$(call headers_of,$$(*D)) $$(call changed,$$(*D)) common/build/code build/code-file
	$(call logged,CODE $(*D),$(@:.code=.log),common/build/code $@ $(*D) $(*F))
