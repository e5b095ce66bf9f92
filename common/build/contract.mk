# What looks at a step's objects, and what it is told. Part of the Makefile.

# common/contract/ makes a step's objects keep to the contract, and finds evidence.
contract = build/contract $(function) $(filter %/watch.o %/entry_points,$^)

build/contract: $(patsubst %.c,build/host/%.o,$(wildcard common/contract/*.c)) $(addprefix build/cpu/emulator/,front/object.o front/process.o text/text.o)
	@echo "LD $@"
	@$(CC) $(CFLAGS) $^ -o $@.$$$$ -ldl && mv $@.$$$$ $@

build/host/common/contract/%.o: CFLAGS += -Iemulator

# The entry points of CUDA that a step may call, from the headers at hand: those that get neither memory
# to write to, nor what holds pointers, nor a function of the host, by what they are declared to take; and of the others the ones of
# ENTRY_SAFE, which bring nothing to the host; and no reset, which would take the harness's memory. A step that calls any other but those that are watched is refused: common/contract/.
ENTRY_UNSAFE = void \*|\[|Memcpy|HostFn|HostNode|Callback|GraphNodeParams|MemPoolProps|MemAccessDesc|MemLocation \*|MemAllocNode|IpcMem|External|Graphics
ENTRY_SAFE   = Memset|Launch(Cooperative)?Kernel|Memcpy(2D)?(ToArray|ArrayToArray)|GetSymbolAddress|MemPool[GS]etAttr|HostGet|StreamAttachMem|GraphAddMemFree
PREPROCESS_cpu = $(CC) -E -P $(CPU_INCLUDES)
PREPROCESS_gpu = $(NVCC) -E -Xcompiler=-P
build/%/runner/entry_points: build/%/runner/watch.o
	@set -o pipefail; echo '#include <cuda_runtime_api.h>' | $(PREPROCESS_$*) -x c /dev/stdin | tr -s '\n' ' ' | tr ';' '\n' | \
	  sed -nE 's/const void \*(\w+ *[,)])/\1/g; s/.*[ *](cuda[A-Z]\w*) *(\(.*)/\1\2/p' | \
	  awk '/^cuda($(ENTRY_SAFE))/ || !/\(.*($(ENTRY_UNSAFE))|DeviceReset/ { sub(/\(.*/, ""); print }' >$@
