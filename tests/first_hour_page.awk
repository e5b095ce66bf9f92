# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Of the page of `make opt05` (report/one-step) only what is about the mistake: without its first line, which names the
# step, and without what follows on every such page.

/^(Edit labs\/|Next: |make: )/ { exit }
NR == 1 || /^ *How to read a hazard/ { next }
/^$/ { pending = 1; next }
{
    if (pending && printed)
        print ""
    pending = 0
    printed = 1
    print
}
