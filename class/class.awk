# What of a class's records counts (class.sh, tidy). Reads results.jsonl; put before report/records.awk.
# -v redo=1: what the harness failed at is about to be done again. Files that the environment names: DROP
# (keys of records that are wanted no more), KEPT and SUPERSEDED (where lines go).
#
# Prints what is graded, a line each: key, hash of the source or -, verdict, whether that is a success,
# the GPU's uuid or -, detail or -, with tabs between. A key is SUBMISSION/STEP, //UUID/STEP for a step of this tree.
#
# Of the records with one key those count that are of the latest one's source. A harness error counts
# only while there is nothing else of its source; only one record says that a step is missing. Lines
# that are no record are what a killed process has left. Baselines have files of their own.

BEGIN {
    drop = ENVIRON["DROP"]
    kept = ENVIRON["KEPT"]
    superseded = ENVIRON["SUPERSEDED"]
    while ((getline key < drop) > 0)
        dropped[key] = 1
    n = 0
    printf "" > kept
    printf "" > superseded
}

{
    if (parse_record($0, fields) == "" && fields["kind"] == "step") {
        key = fields["submission"] "/" fields["step"]
        if (fields["submission"] == "")
            key = "//" fields["device.uuid"] "/" fields["step"]
        line[++n] = $0
        key_of[n] = key
        hash[n] = fields["source_sha256"] == "" ? "-" : fields["source_sha256"]
        verdict[n] = fields["verdict"]
        success[n] = fields["verdict"] == "pass" || fields["verdict"] == fields["intended"]
        uuid[n] = fields["device.uuid"] == "" ? "-" : fields["device.uuid"]
        detail[n] = fields["detail"] == "" ? "-" : fields["detail"]
        gsub(/[\t\r\n]/, " ", detail[n])
        last[key] = n
        if (verdict[n] != "harness-error")
            good[key] = n
    }
    next # records.awk is here for parse_record alone
}

END {
    for (i = 1; i <= n; i++) {
        print line[i] > (counts(i, key_of[i]) ? kept : superseded)
        if (i == ruling(key_of[i]))
            print key_of[i] "\t" hash[i] "\t" verdict[i] "\t" success[i] "\t" uuid[i] "\t" detail[i]
    }
}

# The record that decides which source counts; 0: none.
function ruling(key) {
    if (key in dropped)
        return 0
    if ((key in good) && (redo || hash[good[key]] == hash[last[key]]))
        return good[key]
    return redo ? 0 : last[key]
}

function counts(i, key) {
    if (ruling(key) == 0 || hash[i] != hash[ruling(key)])
        return 0
    return i == ruling(key) || (verdict[i] != "harness-error" && verdict[i] != "missing")
}
