# For every test file: `load failed`. Bats notes its stack before each command, to say which one failed: up to a sixth of the
# CPU time. bash knows the line of what fails, too, so the stack is noted only then.
# shellcheck shell=bash

bats_debug_trap() {
    trap - DEBUG
}

bats_error_trap() {
    bats_check_status_from_trap
    bats_capture_stack_trace
    BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
}
