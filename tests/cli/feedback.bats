#!/usr/bin/env bats
# The student's page as HTML. Over made-up records: no GPU ever measured them.

load failed
bats_require_minimum_version 1.5.0 # run -N, run !

# The class, and its pages, made once: what stands here must end up in nobody else's page, and as text everywhere.
setup_file() {
    export root dir
    root=$(cd "$BATS_TEST_DIRNAME/../.." && pwd)
    dir=$BATS_FILE_TMPDIR/results
    export RUBRIC=$BATS_FILE_TMPDIR/rubric LABS=$BATS_FILE_TMPDIR/labs
    mkdir -p "$dir" "$LABS/opt05_multiblock" "$LABS/opt06_builtin_min"
    echo '* correct=6 speed=4 full=1.2 none=10' >"$RUBRIC"
    printf '%s\n' 'title: Multiple <b>blocks</b>' '' '## Goal' 'Put the whole GPU to work.' '' '## Task' 'The task.' '' '## What we saw' 'Our own words.' \
        >"$LABS/opt05_multiblock/step.md"
    {
        record '' opt05_multiblock pass 0.1
        record '' opt06_builtin_min pass 0.05
        record alice opt05_multiblock pass 0.2
        record alice opt06_builtin_min wrong null '. + {detail: "bin 7 of <i>alice</i>: seed 1234567890123456789, see /home/prof/run/x.log", diagnosis: "\u001b[31m\u202e<script>x</script>"}'
        record mallory opt05_multiblock crashed null
        record mallory opt06_builtin_min pass 0.4
        record '"><script>alert(1)</script>' opt05_multiblock flagged 0.01 '.detail = "a \"time\" & <script>"'
        record '"><script>alert(1)</script>' opt06_builtin_min missing null
        record carol opt05_multiblock pass null '.device.kind = "cpu"'
    } >"$dir/results.jsonl"
    write_people >"$dir/people.tsv"
    mkdir -p "$dir/logs/mallory"
    printf 'CXX of the build\n--- check (edges, 47 x 1301)\nsecret of mallory \033]0;x\007\033[31mred\033[0m \xff\xfe </pre><script>alert(2)</script>\n' >"$dir/logs/mallory/opt05_multiblock.log"
    "$root/class/feedback" "$dir" >"$BATS_FILE_TMPDIR/said"
}

write_people() {
    printf '%s\t' submission name number canvas login email section handed_in late_flag attempts why
    echo likely
    printf 'alice\tZoë Alice O'\''Neil <b> "Q"\t4711\t9001\tzalice\tAlice@example.edu\tA\t\t\t1\t\t\n'
    printf 'mallory\tמלורי \342\200\256evil\t4712\t9002\tmal\tmal@example.edu\tA\t\t\t1\t\t\n'
    printf '\tNobody Here\t4713\t9003\tnobody\tnobody@example.edu\tA\t\t\t\t\t\n'
}

# record SUBMISSION STEP VERDICT SECONDS [JQ-FILTER]: a record; a call takes SECONDS / 1000.
record() {
    jq -nc --arg submission "$1" --arg step "$2" --arg verdict "$3" --argjson seconds "$4" '{submission: $submission,
        step: $step, kind: "step", problem: "opt_2dhisto", input: "walk", rows: 4096, columns: 3984, verdict: $verdict,
        intended: "pass", detail: "", device: {kind: "gpu", name: "Test GPU (made up)", uuid: "GPU-1"}, iterations: 1000,
        calls: 1000, scaled: false, median_s: $seconds, reference_s: 38.5, roof_gbps: 4000,
        roof_fraction: (if $seconds then 0.016 / $seconds else null end), bytes: 65273856, seed: "1234567890123456789",
        source_sha256: ($submission + $step), harness: "h1", notes: "", when: "2026-01-01T00:00:00Z"} | '"${5-.}"
}

setup() {
    pages=$dir/feedback alice=$dir/feedback/alice.html odd=$dir/feedback/___script_alert_1___script_.html
}

# A page without its style; and what it shows, without tags.
markup_of() {
    sed '/<style>/,/<\/style>/d' "$1"
}

text_of() {
    markup_of "$1" | sed 's/<[^>]*>/ /g'
}

@test "feedback, HTML: a page for each, of itself alone: no script, nothing loaded, no link but into itself" {
    [ "$(find "$pages" -name '*.html' | wc -l)" -eq 4 ]
    for page in "$pages"/*.html; do
        [ "$(head -n 1 "$page")" = '<!DOCTYPE html>' ]
        grep -qF "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\"" "$page"
        # tags that a page has; what others wrote is no tag and no attribute
        strange=$(markup_of "$page" | grep -oE '<[a-zA-Z!][a-zA-Z0-9]*' |
            grep -vxE '<(!DOCTYPE|html|head|meta|title|body|section|figure|figcaption|h[1-4]|p|ul|li|b|a|code|pre|span|div|table|thead|tbody|tr|th|td|svg|desc|defs|g|path|polygon|rect|circle|use|text|tspan)') || :
        [ -z "$strange" ]
        run ! grep -oE '<[^>]* (src|on[a-z]+|style|srcdoc|action)=' "$page"
        run ! grep -oE 'href="?[^#"'\'' ]|href='\''[^#]|url\([^#]|@import' "$page"
    done
}

@test "feedback, HTML: nothing of another student, no seed, no path, no control character" {
    run ! grep -rlE '1234567890123456789|/home/|GPU-1|'"$BATS_FILE_TMPDIR" "$pages"
    run ! grep -lE 'mallory|alert\(1\)|carol|4712' "$alice" "$pages/alice.md" "$pages/alice.txt"
    run ! grep -lE 'alice|carol|4711' "$pages"/mallory.{html,md,txt}
    "$root/tests/controls.pl" "$pages"/*.html "$pages"/*.txt "$pages"/*.md
}

@test "feedback, HTML: names as people write them, verdicts with signs, points, first wrong output, what was printed" {
    grep -qF '<h1>Feedback for Zoë Alice O'\''Neil &lt;b&gt; &quot;Q&quot;</h1>' "$alice"
    grep -qF '<p>Submission: alice</p>' "$alice"
    grep -qF '<span class="green"><span class="sign" aria-hidden="true">✓</span> pass</span>' "$alice"
    grep -qF '<span class="red"><span class="sign" aria-hidden="true">✗</span> wrong</span>' "$alice"
    grep -qF '<span class="yellow"><span class="sign" aria-hidden="true">?</span> flagged</span>' "$odd"
    grep -qF '<b>Why:</b> bin 7 of &lt;i&gt;alice&lt;/i&gt;: seed (seed), see x.log' "$alice"
    grep -qF '[31m?&lt;script&gt;x&lt;/script&gt;' "$alice"
    grep -qF '<b>Points:</b> 6 of 6 for the answer (pass); 3.04 of 4 for speed' "$alice"
    grep -qF 'secret of mallory' "$pages/mallory.html"
    grep -qF '&lt;/pre&gt;&lt;script&gt;alert(2)&lt;/script&gt;' "$pages/mallory.html"
    # each step of the table leads to its section
    for id in opt05_multiblock opt06_builtin_min; do
        grep -qF "<a href=\"#$id\">" "$alice"
        grep -qF "<h2 id=\"$id\">" "$alice"
    done
}

@test "feedback: the grade out of the assignment's total, and what lateness took off" {
    late=$BATS_TEST_TMPDIR/late
    cp -r "$dir" "$late"
    sed -i 's/^\(alice\t.*Alice@example.edu\tA\t\)/\12026-01-01T11:00:00Z/' "$late/people.tsv"
    printf '%s\n' 'title Lab 3' 'due 2025-12-31 12:00' 'zone UTC' 'late 10' 'total 100' >"$late/assignment"
    "$root/class/feedback" "$late"
    # 9.04 of 20 points, a day late
    for page in alice.html alice.txt alice.md; do
        grep -qE 'Grade: .*40\.68 of 100 points \(4\.52 taken off\); handed in 1 day late' "$late/feedback/$page"
    done
}

@test "feedback, HTML: ids are unique, there is no picture, and without a GPU no speed" {
    [ -z "$(grep -oE '\bid=["'\''][^"'\'' ]+' "$alice" | sed "s/.*[\"']//" | sort | uniq -d)" ]
    while read -r id; do grep -qE "id=['\"]${id}['\"]" "$alice"; done < <(grep -oE "href=['\"]#[^'\"]+" "$alice" | sed 's/.*#//' | sort -u)
    run ! grep -qE '<svg|<img' <(markup_of "$alice")
    grep -qF 'Speed was not measured.' "$pages/carol.html" # on the cpu device nothing is timed
}

@test "feedback: what is predicted has a tilde where it counts; times of no size break nothing" {
    foretold=$BATS_TEST_TMPDIR/foretold RUBRIC=$BATS_TEST_TMPDIR/rubric
    echo '* correct=6 speed=4 full=1.2 none=10 predicted=1' >"$RUBRIC"
    for seconds in 0.2 1e-12; do
        mkdir -p "$foretold"
        for who in '' alice; do
            record "$who" opt05_multiblock pass null '.device = {kind: "cpu", name: "emulated"} | . + {predicted_s: '"$seconds"',
                predicted_ci90_s: ['"$seconds"', 0.4], predicted_gpu: "h200", predicted_limit: "dram", predicted_with: "source"}'
        done >"$foretold/results.jsonl"
        run -0 "$root/class/feedback" "$foretold"
        [ "$output" = "1 pages of feedback in $foretold/feedback" ]
        page=$(text_of "$foretold/feedback/alice.html")
        [[ $page == *'Times with a tilde are predicted.'* && $page != *'of the roof'* ]]
        [[ $seconds == 1e-12 || $page == *'~200'* ]]
        rm -r "$foretold"
    done
}

@test "feedback, HTML: a browser runs nothing of it, shows all of it, and sees the same tables" {
    browser=$(type -P chromium-headless-shell || type -P chromium) || skip "needs chromium-headless-shell"
    timeout 300 "$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$BATS_TEST_TMPDIR/profile" --dump-dom "file://$odd" >"$BATS_TEST_TMPDIR/dom" 2>/dev/null
    grep -qF '<title>Feedback for "&gt;&lt;script&gt;alert(1)&lt;/script&gt;</title>' "$BATS_TEST_TMPDIR/dom"
    run ! grep -iE '<(script|img|iframe|object)' <(markup_of "$BATS_TEST_TMPDIR/dom")
    [ "$(grep -o '<tr' "$BATS_TEST_TMPDIR/dom" | wc -l)" -eq "$(grep -o '<tr' "$odd" | wc -l)" ]
    [ "$(grep -o '<section' "$BATS_TEST_TMPDIR/dom" | wc -l)" -eq "$(grep -o '<section' "$odd" | wc -l)" ]
}

@test "page.css: each colour of text has a contrast of 4.5 or more, light and dark" {
    sed -n '/--ink/,/}/p' "$root/report/lib/page.css" | grep -oE -- '--[a-z]+: #[0-9a-f]{6}' >"$BATS_TEST_TMPDIR/colours"
    [ "$(wc -l <"$BATS_TEST_TMPDIR/colours")" -eq 16 ]
    # WCAG 2.2, contrast ratio: (brighter + 0.05) / (darker + 0.05) of the relative luminances
    perl -ne '
        sub part { my $c = hex($_[0]) / 255; $c <= 0.04045 ? $c / 12.92 : (($c + 0.055) / 1.055) ** 2.4 }
        /--(\w+): #(..)(..)(..)/ or die;
        my $theme = $count++ < 8 ? "light" : "dark";
        $light{$theme}{$1} = 0.2126 * part($2) + 0.7152 * part($3) + 0.0722 * part($4);
        END {
            for my $theme (qw(light dark)) { for my $ink (qw(ink link red yellow green)) { for my $paper (qw(paper soft)) {
                my ($dark, $bright) = sort { $a <=> $b } map { $_ + 0.05 } @{$light{$theme}}{$ink, $paper};
                next if $bright / $dark >= 4.5;
                print "$theme: $ink on $paper: ", $bright / $dark, "\n";
                $bad = 1;
            } } }
            exit $bad;
        }' "$BATS_TEST_TMPDIR/colours"
}

