// names.cu:4: error: call belongs to the emulator: a step cannot use it
// Nor by any other way into the namespace.
int emulate = 1;
using emulator::call;
