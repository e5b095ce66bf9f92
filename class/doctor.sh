# The instructor's part of desk/doctor, which finds and runs it.
# shellcheck shell=bash disable=SC2154  # desk/doctor's variables

why=$(class/isolate --available 2>&1)
isolates=$?
[[ -z $why ]] || finding hint "how strangers' code is isolated: ${why#isolate: }"
[[ $absent != *'for submissions'* ]]
can $? 'read what platforms let you download'
can "$isolates" "isolate strangers' code"
