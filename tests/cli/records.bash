# Made-up records for tests of what is made of them: no GPU ever measured these.
# shellcheck shell=bash

# A folder of results, a rubric and two steps. Sets `root`, `class`, `dir`, the folder, and `results`, the file in it.
new_class() {
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    # shellcheck disable=SC2034  # the tests use it
    class=$root/class
    dir=$BATS_TEST_TMPDIR/results
    mkdir -p "$dir"
    results=$dir/results.jsonl
    unset ASSIGNMENT
    export RUBRIC=$BATS_TEST_TMPDIR/rubric LABS=$BATS_TEST_TMPDIR/labs
    mkdir -p "$LABS"/opt0{5_multiblock,6_builtin_min}
    echo '/* TODO */' | tee "$LABS"/opt0{5_multiblock,6_builtin_min}/opt_2dhisto.cu >/dev/null
    echo '* correct=6 speed=4 full=1.2 none=10' >"$RUBRIC"
}

# billionths NUMBER: as a whole number in $billionths.
billionths() {
    local LC_ALL=C fixed
    printf -v fixed %.9f "$1"
    billionths=$((10#${fixed/./}))
}

# decimal BILLIONTHS: in $decimal.
decimal() {
    printf -v decimal %d.%09d $(($1 / 1000000000)) $(($1 % 1000000000))
}

# record SUBMISSION STEP VERDICT SECONDS [JQ-FILTER]: one record more; a call takes SECONDS / 1000. jq, which takes longer to
# begin than all else, is asked only for what is odd.
record() {
    local submission=$1 decimal billionths low high times='"median_s":null,"ci95_s":null' share=null line
    if [[ $4 != null ]]; then
        billionths "$4"
        decimal $((billionths * 99 / 100)) && low=$decimal
        decimal $((billionths * 101 / 100)) && high=$decimal
        decimal $((16000000 * 1000000000 / billionths)) && share=$decimal
        times="\"median_s\":$4,\"ci95_s\":[$low,$high]"
    fi
    [[ $1 =~ ^[A-Za-z0-9._\ @=+-]*$ ]] || submission=$(jq -nr --arg submission "$1" '$submission | tojson | .[1:-1]')
    line='{"submission":"'$submission'","step":"'$2'","kind":"step","problem":"opt_2dhisto","input":"walk","rows":4096,"columns":3984,'
    line+='"verdict":"'$3'","intended":"pass","detail":"","device":{"kind":"gpu","name":"Test GPU (made up)","driver":"000.00",'
    line+='"uuid":"GPU-1","sms":132,"l2_bytes":62914560,"spec_gbps":4917},"iterations":1000,"calls":1000,"scaled":false,'
    line+=$times',"roof_gbps":4000,"roof_fraction":'$share',"bytes":65273856,"seed":"1234567890123456789",'
    line+='"source_sha256":"'$submission$2'","harness":"h1","notes":"","when":"2026-01-01T00:00:00Z"}'
    if [[ -n ${5-} ]]; then jq -c "$5" <<<"$line"; else printf '%s\n' "$line"; fi >>"$results"
}

# The record of this project's own version.
ours() {
    record '' opt05_multiblock pass 0.1
}

# The words of the class's page, on one line.
class_page() {
    "$class/pages" "$dir" >/dev/null || (($? == 2))
    sed '/^<style>$/,/^<\/style>$/d; s/<[^>]*>/ /g; s/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' "$dir/index.html" | tr -s ' \n' ' '
}

# Two steps of four submissions, with names and texts that are no names and texts.
odd_class() {
    ours
    record '' opt06_builtin_min pass 0.05
    record '=cmd()|x' opt05_multiblock pass 0.1
    record '=cmd()|x' opt06_builtin_min wrong null '.detail = "call 3, bin 7: expected 254, got 255; seed 1234567890123456789, see /home/prof/run/logs/x.log\n# <b>|`*_[a](b)"'
    record 'Zoë, "Z" O'\''Neil' opt05_multiblock build-failed null '.detail = "/home/prof/labs/opt05_multiblock/opt_2dhisto.cu:3:1: error: <script>"'
    record 'Zoë, "Z" O'\''Neil' opt06_builtin_min missing null '.detail = "the submission has no such step"'
    record '<b>bob</b>' opt05_multiblock flagged 0.01 '.detail = "a time below the floor"'
    record '<b>bob</b>' opt06_builtin_min pass 0.4 '.diagnosis = "the <i>last</i> rows"'
    record plain.one opt05_multiblock crashed null
    record plain.one opt06_builtin_min harness-error null '.detail = "the GPU was lost"'
    printf 'plain.one\t/x/plain.one.zip\tnoticed: a\tpath | <b>\n' >"$dir/submissions.tsv"
}
