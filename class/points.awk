# Points from records. Put after records.awk and rubric.awk; the rules are in README.md, "Points".
# In END call grade_all(): afterwards, of submissions students[1..student_count] and steps
# graded_steps[1..step_count] (both sorted),
#
#     counts[who, step]           the record that counts, by its line in the file; 0: none yet
#     kept[line, field]           a field of a record
#     ours[who, step]             line of the record of this project's own version that it is held against
#     ratio[who, step]            its time over ours; "" where there are not two times
#     correct[...], correct_max[...], speed[...], speed_max[...]     points, and out of how many
#     how[who, step]              how they came about, in words
#     left_out[who, step]         why the step counts for nothing; then its maximum is 0
#     total[who], total_max[who], full_marks (the largest total_max)
#
# The decisions on flagged steps are read from ENVIRON FLAGS, where that file exists.

BEGIN {
    KEPT = "submission step verdict intended detail diagnosis problem input rows columns iterations " \
           "scaled median_s ci95_s roof_fraction roof_gbps gbps bytes seed source_sha256 harness notes when"
    kept_fields = split(KEPT, kept_names, " ")
    line_count = 0
}

/[^ \t\r]/ {
    if (fields["kind"] == "" || fields["kind"] == "step")
        keep_record(NR)
}

function keep_record(line,    i) {
    lines[++line_count] = line
    for (i = 1; i <= kept_fields; i++)
        kept[line, kept_names[i]] = fields[kept_names[i]]
    kept[line, "device"] = fields["device.uuid"] == "" ? fields["device.name"] : fields["device.uuid"]
    kept[line, "device.name"] = fields["device.name"]
    kept[line, "device.kind"] = fields["device.kind"]
    kept[line, "shape"] = fields["input"] SUBSEP fields["rows"] SUBSEP fields["columns"]
    kept[line, "s"] = "" # a call's seconds: only a right answer has a speed, and no emulated time is one
    if (fields["verdict"] ~ /^(pass|flagged)$/ && fields["device.kind"] != "cpu" && fields["median_s"] + 0 > 0 && \
        fields["iterations"] + 0 > 0)
        kept[line, "s"] = fields["median_s"] / fields["iterations"]
}

function grade_all(    i, w, s, step, who) {
    read_rubric()
    read_flags()
    index_records()
    for (s = 1; s <= step_count; s++) {
        rubric(graded_steps[s], "correct")
        for (w = 1; w <= student_count; w++)
            grade_step(students[w], graded_steps[s])
    }
    full_marks = 0
    for (w = 1; w <= student_count; w++) {
        who = students[w]
        total[who] = total_max[who] = 0
        for (s = 1; s <= step_count; s++) {
            step = graded_steps[s]
            total[who] += correct[who, step] + speed[who, step]
            total_max[who] += correct_max[who, step] + speed_max[who, step]
        }
        total[who] = hundredths(total[who])
        total_max[who] = hundredths(total_max[who])
        if (total_max[who] > full_marks)
            full_marks = total_max[who]
    }
}

# ---- which records ---------------------------------------------------------------------------

# Records of one submission and step; this project's own are one for each device and input.
function index_records(    i, line, who, step, key) {
    student_count = step_count = 0
    for (i = 1; i <= line_count; i++) {
        line = lines[i]
        who = kept[line, "submission"]
        step = kept[line, "step"]
        key = who SUBSEP step
        if (!(("step", step) in seen)) {
            seen["step", step] = 1
            graded_steps[++step_count] = step
        }
        if (who == "") {
            key = key SUBSEP kept[line, "device"] SUBSEP kept[line, "shape"]
            own_version(step, line, key)
        } else if (!(("student", who) in seen)) {
            seen["student", who] = 1
            students[++student_count] = who
        }
        records_of[key] = records_of[key] " " line
        record_count[key]++
    }
    sort_texts(students, student_count)
    sort_texts(graded_steps, step_count)
}

# What our own version showed on a device: later records replace earlier ones.
function own_version(step, line, key,    verdict) {
    verdict = kept[line, "verdict"]
    own_works[step, kept[line, "device"]] = verdict == "pass" || verdict == kept[line, "intended"]
    if (kept[line, "intended"] != "")
        own_intended[step] = kept[line, "intended"]
    if (kept[line, "s"] != "")
        timed_step[step] = 1
    own_key[step, kept[line, "device"], kept[line, "shape"]] = key
}

# The record that counts of those under a key: the latest; a harness error only if nothing else came of
# the same source; of several passes of the same source (it was measured again) the fastest.
function record_that_counts(key,    n, list, i, line, best) {
    n = split(records_of[key], list, " ")
    best = n == 0 ? 0 : list[n]
    for (i = n - 1; i >= 1 && kept[best, "verdict"] == "harness-error"; i--)
        if (same_source(list[i], list[n]))
            best = list[i]
    if (kept[best, "verdict"] != "pass")
        return best
    for (i = 1; i <= n; i++) {
        line = list[i]
        if (kept[line, "verdict"] == "pass" && kept[line, "s"] != "" && kept[best, "s"] != "" && \
            kept[line, "s"] < kept[best, "s"] && same_source(line, list[n]) && same_measurement(line, best))
            best = line
    }
    return best
}

function same_source(a, b) {
    return kept[a, "source_sha256"] != "" && kept[a, "source_sha256"] == kept[b, "source_sha256"] && \
           kept[a, "harness"] == kept[b, "harness"]
}

function same_measurement(a, b) {
    return kept[a, "device"] == kept[b, "device"] && kept[a, "shape"] == kept[b, "shape"]
}

# ---- points ----------------------------------------------------------------------------------

function grade_step(who, step,    line, key, verdict, decision) {
    line = counts[who, step] = record_that_counts(who SUBSEP step) + 0
    correct[who, step] = speed[who, step] = 0
    correct_max[who, step] = rubric(step, "correct")
    speed_max[who, step] = rubric(step, "speed")
    ratio[who, step] = left_out[who, step] = how[who, step] = ""
    ours[who, step] = 0
    verdict = kept[line, "verdict"]
    if (line == 0)
        return leave_out(who, step, "it has no record yet: the grading is not finished")
    if (step_shows_mistake(line, step))
        return leave_out(who, step, "it is there to show a wrong answer, so nothing tells a right one")
    if (verdict == "harness-error")
        return leave_out(who, step, "the harness failed here: that is not the submission's fault")
    if (own_fails(step, kept[line, "device"]))
        return leave_out(who, step, "this project's own version did not pass on this device either")
    key = own_key[step, kept[line, "device"], kept[line, "shape"]]
    ours[who, step] = key == "" ? 0 : record_that_counts(key) + 0
    if (kept[line, "s"] != "" && kept[ours[who, step], "s"] != "")
        ratio[who, step] = kept[line, "s"] / kept[ours[who, step], "s"]
    decision = verdict == "flagged" ? flag_decision[who, step] : ""
    if (verdict == "flagged" && decision != "confirm" || verdict == "pass")
        correct[who, step] = correct_max[who, step]
    how[who, step] = answer_in_words(verdict, decision, who, step) "; " \
                     grade_speed(who, step, verdict == "pass" || decision == "clear", decision)
}

function leave_out(who, step, why) {
    correct_max[who, step] = speed_max[who, step] = 0
    left_out[who, step] = why
    how[who, step] = "left out of the maximum: " why
}

function step_shows_mistake(line, step) {
    return kept[line, "intended"] !~ /^(|pass)$/ || own_intended[step] !~ /^(|pass)$/
}

function own_fails(step, device) {
    return ((step, device) in own_works) && !own_works[step, device]
}

function answer_in_words(verdict, decision, who, step) {
    if (verdict == "flagged")
        verdict = decision == "clear" ? "flagged, and cleared: " flag_reason[who, step] : \
                  decision == "confirm" ? "flagged, and confirmed: " flag_reason[who, step] : \
                  "flagged, a person has to judge it"
    return points(correct[who, step]) " of " points(correct_max[who, step]) " for the answer (" verdict ")"
}

# Sets the points for speed; returns them in words.
function grade_speed(who, step, has_speed, decision,    line, share, most) {
    line = counts[who, step]
    most = speed_max[who, step]
    if (most == 0)
        return "speed is not graded in this step"
    speed_max[who, step] = 0
    if (kept[line, "device.kind"] == "cpu")
        return "speed is not measured on the cpu device, and left out of the maximum"
    if (!(step in timed_step))
        return "speed is left out of the maximum: this project's own version was not timed"
    if (has_speed && ratio[who, step] == "")
        return "speed is left out of the maximum: there is no time of this project's own version on the same " \
               "GPU and input to hold it against"
    speed_max[who, step] = most
    if (kept[line, "verdict"] == "flagged" && decision == "")
        return "0 of " points(most) " for speed until the flag is cleared"
    if (!has_speed)
        return "0 of " points(most) " for speed: only a right answer has one"
    share = speed_share(ratio[who, step], rubric(step, "full"), rubric(step, "none"))
    speed[who, step] = hundredths(share * most)
    return points(speed[who, step]) " of " points(most) " for speed: " times(ratio[who, step]) \
           " times our time (all at " rubric(step, "full") " or less, none from " rubric(step, "none") " on)"
}

# 1 at `full` times our time or better, 0 at `none` times, linear on a log scale between.
function speed_share(r, full, none) {
    if (r <= full)
        return 1
    return r >= none ? 0 : log(none / r) / log(none / full)
}

function hundredths(x) {
    return int(x * 100 + 0.5) / 100
}

# A number of points as people write it: 6, 3.5, 2.38.
function points(x) {
    return sprintf("%.6g", hundredths(x))
}

function times(r) {
    return significant(r, r < 0.1 ? 2 : 3)
}

# ---- decisions on flags -------------------------------------------------------------------------

# Lines `SUBMISSION STEP clear|confirm REASON`.
function read_flags(    path, line, number, words, n, where) {
    path = ENVIRON["FLAGS"]
    if (path == "")
        return
    while ((getline line < path) > 0) {
        where = path ":" (++number)
        sub(/\r$/, "", line)
        if (line ~ /^[ \t]*(#|$)/)
            continue
        n = split(line, words, " ")
        if (n < 4 || words[3] !~ /^(clear|confirm)$/)
            rubric_error(where, "'" printable(line) "' is not: SUBMISSION STEP clear|confirm REASON")
        flag_decision[words[1], words[2]] = words[3]
        sub(/^[ \t]*[^ \t]+[ \t]+[^ \t]+[ \t]+[^ \t]+[ \t]+/, "", line)
        flag_reason[words[1], words[2]] = printable(line)
        flag_where[words[1], words[2]] = where
    }
    close(path)
}

# Say which decisions are about nothing: a name mistyped there leaves a student without points.
function unused_flags(    key, at) {
    for (key in flag_decision) {
        split(key, at, SUBSEP)
        if (kept[counts[at[1], at[2]] + 0, "verdict"] != "flagged")
            printf "%s: '%s %s' is not flagged: this line changes nothing\n", flag_where[key], at[1], at[2] > "/dev/stderr"
    }
}

function sort_texts(list, n,    gap, i, j, text) {
    for (gap = int(n / 2); gap > 0; gap = int(gap / 2))
        for (i = gap + 1; i <= n; i++) {
            text = list[i]
            for (j = i; j > gap && list[j - gap] "" > text ""; j -= gap)
                list[j] = list[j - gap]
            list[j] = text
        }
}
