# What of a class has not succeeded: with report/records.awk after it, reads results.jsonl and prints a line
# for each pair of WHO and step in the file WANTED (an environment variable) whose record is neither a pass nor
# what the step is there to show: WHO, step, verdict. No record is a harness-error.

{
    if (parse_record($0, fields) == "" && fields["kind"] == "step") {
        who = fields["submission"]
        if (who == "")
            who = "-" (fields["device.uuid"] == "" ? "cpu" : fields["device.uuid"])
        verdict[who, fields["step"]] = fields["verdict"]
        success[who, fields["step"]] = fields["verdict"] == "pass" || fields["verdict"] == fields["intended"]
    }
    next # records.awk is here for parse_record alone
}

END {
    while ((getline line < ENVIRON["WANTED"]) > 0) {
        split(line, pair, " ")
        if (!success[pair[1], pair[2]])
            print pair[1], pair[2], (verdict[pair[1], pair[2]] == "" ? "harness-error" : verdict[pair[1], pair[2]])
    }
}
