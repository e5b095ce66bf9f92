# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Each field of a record that holds several things becomes one text before the record is kept; otherwise every number
# of every access of a whole class would be an array element in awk. Needs json.awk, printable.awk, columns.awk.
#
# hazards               a line for each, and below it one for each of its places, with a tab between the parts:
#                       lib/hazards.awk reads them
# launches, accesses    a line for each, with a tab between the PARTS: read_list() of read.awk
# predicted_shares      units and their shares, with blanks between: read_shares() of read.awk

# Of the record `fields`; is_field[name] are those that it has. Afterwards none of these is a part of a list.
function pack_lists(fields,    name) {
    for (name in is_field)
        if (json_path[name] != name)
            delete is_field[name]
    if ("hazards" in is_field)
        pack_hazards(fields)
    for (name in PARTS)
        if (name in is_field)
            fields[name] = packed(fields, name)
    pack_shares(fields)
}

# How many faults and remarks, and all of them in one text. A record from before has none of these.
function pack_hazards(fields,    n, h, name, kinds, text) {
    n = fields["hazards"] + 0
    kinds["fault"] = kinds["remark"] = 0
    text = ""
    for (h = 1; h <= n; h++) {
        name = "hazards." h
        kinds[fields[name ".severity"]]++
        text = text (h > 1 ? "\n" : "") "hazard\t" parts(fields, name, "kind severity array index note") places(fields, name ".places")
    }
    fields["hazards"] = text
    fields["faults"] = kinds["fault"]
    fields["remarks"] = kinds["remark"]
    is_field["faults"] = is_field["remarks"] = 1
}

function places(fields, name,    n, p, text) {
    n = fields[name] + 0
    for (p = 1; p <= n; p++)
        text = text "\nplace\t" parts(fields, name "." p, "file line source does block thread host")
    return text
}

function packed(fields, list,    n, i, text) {
    n = fields[list] + 0
    text = ""
    for (i = 1; i <= n; i++)
        text = text (i > 1 ? "\n" : "") parts(fields, list "." i, PARTS[list])
    return text
}

function pack_shares(fields,    names, n, i, name, text) {
    n = split(UNITS, names, " ")
    text = ""
    for (i = 1; i <= n; i++) {
        name = "predicted_shares." names[i]
        if (name in is_field && fields[name] != "")
            text = text (text == "" ? "" : " ") names[i] " " fields[name]
        delete is_field[name]
    }
    fields["predicted_shares"] = text
    is_field["predicted_shares"] = 1
}

# A number or null is printable as it stands.
function parts(fields, prefix, names_list,    names, n, i, name, text) {
    n = split(names_list, names, " ")
    text = ""
    for (i = 1; i <= n; i++) {
        name = prefix "." names[i]
        text = text (i > 1 ? "\t" : "") (json_kind[name] == "text" ? printable(fields[name]) : fields[name])
    }
    return text
}
