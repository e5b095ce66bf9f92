# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# JUnit XML: a test suite for each submission, a test case for each step. Of the many dialects this uses
# only what every reader knows: failure and skipped.
include "gradebook";

def xml: without_controls | replace("\ufffe"; " ") | replace("\uffff"; " ") | html;
def attribute: xml | replace("\n"; " ");

# Seconds without an exponent, which XML's decimals do not know.
def decimal: (. * 1e9 + 0.5 | floor) as $ns | "\($ns / 1000000000 | floor).\("\($ns % 1000000000 + 1000000000)"[1:])";

def test_case($who):
    "    <testcase classname=\"\($who | attribute)\" name=\"\(.step | attribute)\"\(if .seconds_a_call then " time=\"\(.seconds_a_call | decimal)\"" else "" end)"
    + (status as $status
       | if $status == "passed" and .predicted then "><system-out>\(.how | xml)</system-out></testcase>\n"
         elif $status == "passed" then "/>\n"
         elif $status == "skipped" then "><skipped message=\"\(.left_out + .pending | attribute)\"/></testcase>\n"
         else "><failure message=\"\(.verdict | attribute)\">\(in_words | xml)</failure></testcase>\n" end);

# Submissions as people know them: Zoë (doezoe_123).
def names: .entries | group_by(.submission) | map(.[0].submission as $id | {($id): (map(.name) | unique | join(", ") | if . == $id then . else . + " (\($id))" end)}) | add;

def count($wanted): map(select(status == $wanted)) | length;

{file: "junit.xml", text: (
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
    + (names as $names | .submissions | map($names[.submission] as $who
        | "  <testsuite name=\"\($who | attribute)\" tests=\"\(.steps | length)\" failures=\"\(.steps | count("failed"))\" errors=\"0\" skipped=\"\(.steps | count("skipped"))\">\n"
          + (.steps | map(test_case($who)) | join("")) + "  </testsuite>\n") | join(""))
    + "</testsuites>\n")}
