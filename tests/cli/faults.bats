#!/usr/bin/env bats
# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The short form of tests/faults, which says what goes wrong.

bats_require_minimum_version 1.5.0 # run -N

@test "faults: kill -9, a full disk, a folder that is only read, two gradings at once and a clock that jumps" {
    cd "$BATS_TEST_DIRNAME/../.." || return
    run -0 tests/faults --short killed full readonly twice clock
}
