# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Judges the list of an archive's files, as list_archive (unpack.sh) prints it. Prints `refused REASON`, or how many
# files there are, how many bytes they unpack to, and which of the patterns that are unpacked occur. It reads no
# further than the first reason to refuse. Variables: files_left, bytes_left, max_files, max_mib.

function refuse(why) { print "refused " why; refused = 1; exit }
function quoted(name) {
    return "\047" (length(name) > 200 ? substr(name, 1, 80) "..." substr(name, length(name) - 99) : name) "\047"
}
BEGIN {
    split("*.[cC][uU] *.[mM][dD] *.[zZ][iI][pP] *.[tT][gG][zZ] *.[tT][aA][rR].[gG][zZ] *.[tT][aA][rR]", patterns, " ")
    kinds["l"] = kinds["h"] = "a link"
    kinds["c"] = kinds["b"] = "a device"
    kinds["p"] = "a FIFO"; kinds["s"] = "a socket"
}
{
    type = substr($1, 1, 1); size = $3; fields = 5
    name = $0
    for (i = 1; i < fields; i++) sub(/^[^ ]+ +/, "", name)
    sub(/^[^ ]+ /, "", name)
    if (type != "-" && type != "d")
        refuse("it holds " (type in kinds ? kinds[type] : "an entry that is neither file nor folder") ", " quoted(name))
    if (NF <= fields || size !~ /^[0-9]+$/ || $(fields) !~ /^[0-9][0-9:]+$/)
        refuse("its list of files cannot be read")
    if (name ~ /^\//) refuse("it holds an absolute path, " quoted(name))
    if (name ~ /(^|\/)\.\.(\/|$)/) refuse("it holds a path with \047..\047, " quoted(name))
    if (++files > files_left + 0) refuse("it holds more than " max_files " files")
    bytes += size
    if (bytes > bytes_left + 0) refuse("it unpacks to more than " max_mib " MiB")
    if (type == "-")
        for (i in patterns) {
            ending = patterns[i]; sub(/^\*\./, "[.]", ending); gsub(/\]\./, "][.]", ending)
            if (name ~ ending "$") found[patterns[i]]
        }
}
END {
    if (refused) exit
    printf "%d %d", files, bytes
    for (i = 1; i <= 6; i++) if (patterns[i] in found) printf " %s", patterns[i]
    print ""
}
