#!/usr/bin/env bats
# The pages of a class for a browser, over made-up records.

load failed
bats_require_minimum_version 1.5.0 # run !
load records

setup() {
    root='' class='' dir='' results='' # new_class sets them
    new_class
    page=$dir/index.html
    : >"$results"
}

# people LINE...: DIR/people.tsv, each line: submission, name, login, why, likely, separated by ;.
people() {
    printf 'submission\tname\tnumber\tcanvas\tlogin\temail\tsection\thanded_in\tlate_flag\tattempts\twhy\tlikely\n' >"$dir/people.tsv"
    local id name login why likely
    while IFS=';' read -r id name login why likely; do
        printf '%s\t%s\t\t\t%s\t\t\t\t\t1\t%s\t%s\n' "$id" "$name" "$login" "$why" "$likely" >>"$dir/people.tsv"
    done < <(printf '%s\n' "$@")
}

# Names that would be markup, run a script, turn a line around, or break a table's layout.
hostile_class() {
    record '' opt05_multiblock pass 0.1
    record '' opt06_builtin_min pass 0.1
    long=$(printf 'x%.0s' {1..150})
    record alice opt05_multiblock pass 0.2
    record alice opt06_builtin_min wrong null '.detail = "<img src=x onerror=alert(1)> bin 7" | .diagnosis = "</td></details><script>alert(2)</script>"'
    record bob opt05_multiblock flagged 0.05 '.detail = "a time below the \"floor\""'
    record bob opt06_builtin_min harness-error null
    record '<script>alert(3)</script>' opt05_multiblock crashed null
    record "$long" opt05_multiblock not-started null
    people "alice;<script>alert(4)</script> \"quoted\" 'single' &amp;al;no person has this name;Alice <b>Example" \
        $'bob;\xe2\x80\xaeevil \xd8\xa3\xd8\xad\xd9\x85\xd8\xaf;bo' "$long;$long;lo" ';Absent </title><script>alert(5)</script>;ab'
}

# A path without gnuplot.
bare_path() {
    mkdir "$BATS_TEST_TMPDIR/bare"
    local tool
    for tool in awk bash cat cp cut dirname grep head mkdir mktemp mv rm sed sha256sum sort tail; do
        ln -s "$(command -v "$tool")" "$BATS_TEST_TMPDIR/bare/$tool"
    done
    echo "$BATS_TEST_TMPDIR/bare"
}

# The page's own style is ours: what is left of it once that is gone.
content() {
    sed '/^<style>$/,/^<\/style>$/d' "$page"
}

@test "pages: names, details and diagnoses of others are text, in every attribute and cell" {
    hostile_class
    run "$class/pages" "$dir"
    [ "$status" -eq 0 ]
    [[ "$output" == *"$page"* ]]
    class_page >"$BATS_TEST_TMPDIR/words"
    grep -F 'Handed in nothing 1: Absent </title>' "$BATS_TEST_TMPDIR/words"
    grep -F 'no person has this name; likely Alice <b>Example' "$BATS_TEST_TMPDIR/words"
    "$root/tests/controls.pl" "$page"
    content >"$BATS_TEST_TMPDIR/content"
    run ! grep -E '<script|<img [^s]|<b>Example|</title><|onerror=alert\(1\)>' "$BATS_TEST_TMPDIR/content"
    run ! grep -F $'\xe2\x80\xae' "$page"
    grep -F '&lt;script&gt;alert(4)&lt;/script&gt; &quot;quoted&quot;' "$BATS_TEST_TMPDIR/content"
    grep -F 'a time below the &quot;floor&quot;' "$BATS_TEST_TMPDIR/content"
    # What opens is closed, and no id stands twice.
    [ "$(grep -o '<td' "$BATS_TEST_TMPDIR/content" | wc -l)" -eq "$(grep -o '</td>' "$BATS_TEST_TMPDIR/content" | wc -l)" ]
    [ -z "$(grep -oE '(^|[ <])id=["'"'"'][^"'"'"']*' "$page" | sed 's/.*=.//' | sort | uniq -d)" ]
    # Nothing of another file or of a network.
    run ! grep -E '(src|href)="?(https?:|//)|@import|url\(["'"'"']?http' "$page"
}

@test "pages: a cell has the verdict's sign beside its colour, says verdict, points and time, and links to the student's page" {
    hostile_class
    "$class/pages" "$dir"
    grep -F '<td class="v-right"><a href="feedback/alice.html#opt05_multiblock" title="opt05: pass, 9.04 of 10 points, 200.0 us">✓</a></td>' "$page"
    grep -F '<td class="v-wrong"><a href="feedback/alice.html#opt06_builtin_min" title="opt06: wrong, 0 of 10 points">✗</a></td>' "$page"
    grep -F 'title="opt05: flagged, still to be graded, 50.00 us">?</a>' "$page"
    grep -F 'title="opt06: harness-error, still to be graded">H</a>' "$page"
    grep -F '>.</a></td>' "$page"
}

@test "pages: what waits for a person is named, with the line to write into flags, and who handed in nothing" {
    hostile_class
    "$class/pages" "$dir"
    grep -E '<code>bob opt05_multiblock/[^ ]* clear REASON</code>' "$page"
    grep -F '<a href="#flags-to-decide">Flags to decide</a>: 1' "$page"
    grep -F '<a href="#handed-in-nothing">Handed in nothing</a>: 1' "$page"
    grep -F '<a href="#not-matched-with-the-roster">Not matched with the roster</a>: 1' "$page"
    grep -F 'Alice &lt;b&gt;Example' "$page"
    [[ "$(grep -A3 'class="note\|Absent' "$page")" == *'Absent &lt;/title&gt;'* ]]
    echo 'bob opt05_multiblock confirm <keeps> an answer' >"$dir/flags"
    "$class/pages" "$dir"
    grep -F 'confirmed: &lt;keeps&gt; an answer' "$page"
    grep -F '<a href="#flags-to-decide">Flags to decide</a>: 0' "$page"
    grep -F 'All are decided.' "$page"
}

@test "pages: in a browser no name becomes markup, and no script runs" {
    browser=$(type -P chromium-headless-shell || type -P chromium) || skip "needs chromium-headless-shell"
    browser=(timeout 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$BATS_TEST_TMPDIR/profile")
    hostile_class
    "$class/pages" "$dir"
    sed -i 's|</body>|<script>document.title = "bad"</script><img src=x onerror="document.title = 1"></body>|' "$page"
    run "${browser[@]}" --dump-dom "file://$page"
    [[ "$output" == *'<title>Class</title>'* ]]
}

@test "pages: a class without right answers, of one, or without submissions has its page all the same" {
    run -2 "$class/pages" "$dir" # no records at all
    record '' opt05_multiblock pass null
    run -0 "$class/pages" "$dir"
    grep -F 'There are no records of submissions' "$page"
    record bob opt05_multiblock flagged 0.05 '.detail = "odd"'
    run -0 "$class/pages" "$dir"
    grep -F '1 submission, 1 step.' "$page"
    grep -F 'Speed was not measured: there are no times of a GPU.' "$page"
}

@test "pages: what a time is worth stands below the tables, with the class on it; without gnuplot a line says what is missing" {
    hostile_class
    PATH=$(bare_path) run -0 "$class/pages" "$dir"
    grep -F 'What a time is worth is not drawn: gnuplot is not installed' "$page"
    run ! grep -F '<svg' "$page"
    grep -E '<td>opt05_multiblock</td><td>.*</td><td class="right">.*</td><td class="right">1</td><td class="right">2.00</td>' "$page"
    command -v gnuplot >/dev/null || skip "gnuplot is not installed"
    record "$long" opt05_multiblock pass 0.11
    run -0 "$class/pages" "$dir"
    [ "$(grep -c '<svg' "$page")" -eq 1 ]
    sed -n '/<svg/,/<\/svg>/p' "$page" >"$BATS_TEST_TMPDIR/curves.svg"
    xmllint --noout "$BATS_TEST_TMPDIR/curves.svg"
    # Of each step whose points depend on a time: a curve, and the times of right answers.
    [ "$(grep -o '>opt0[^<]*<' "$BATS_TEST_TMPDIR/curves.svg")" = '>opt05: 1 of 2 have all, 0 none<' ]
    [ "$(grep -c "<use xlink:href='#gpPt6'" "$BATS_TEST_TMPDIR/curves.svg")" -eq 2 ]
}
