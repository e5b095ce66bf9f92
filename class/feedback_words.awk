# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# What students wrote in step.md, for their page of feedback. Their words are data: of Markdown only what these functions
# know has a meaning (paragraphs, lists, headings, blocks of code, `code`), and the page writer escapes the rest.

BEGIN {
    WORDS_LINES = 300   # of a step
    WORDS_COLUMNS = 400 # of a line of code
}

# What the file says beyond what was handed out: a section that our own step.md has, too, is nobody's own words.
function show_words(who, step,    path, i, n, titles, texts, shown_some) {
    path = words_of(who, step)
    if (path == "")
        return
    n = read_sections(path, WORDS_LINES, titles, texts)
    read_handed_out(step)
    for (i = 1; i <= n; i++)
        if (titles[i] != "## Task" && is_written(texts[i]) && !((step, without_blanks(texts[i])) in handed_out)) {
            if (!shown_some++) {
                markup("<section class=\"words\">")
                heading(3, "Your journal")
            }
            if (titles[i] != "")
                paragraph(strong(substr(titles[i], 4)))
            show_pieces(texts[i])
        }
    if (shown_some)
        markup("</section>")
}

# "" if there is no such file, or if it cannot be named safely.
function words_of(who, step,    path) {
    if (who step ~ /[^A-Za-z0-9._@+-]/ || who ~ /^[.-]/)
        return ""
    path = ENVIRON["SUBMISSIONS"] "/" who "/labs/" step "/step.md"
    return is_readable(path) ? path : ""
}

function read_handed_out(step,    i, n, titles, texts) {
    if (handed_out_read[step]++)
        return
    n = read_sections(ENVIRON["LABS"] "/" step "/step.md", 0, titles, texts)
    for (i = 1; i <= n; i++)
        handed_out[step, without_blanks(texts[i])] = 1
}

function without_blanks(text) {
    gsub(/[ \t\n]+/, "", text)
    return text
}

# ---- pieces ------------------------------------------------------------------------------------------------------

# Sets piece, the lines of a paragraph or a list's item that were read so far, and piece_kind.
function show_pieces(text,    n, lines, i, line, fence) {
    text = without_comments(text)
    n = split(text, lines, "\n")
    piece = piece_kind = fence = ""
    for (i = 1; i <= n; i++) {
        line = lines[i]
        if (line ~ /^(```|~~~)/) {
            end_piece(fence == "" ? "code" : "")
            fence = fence == "" ? "open" : ""
        } else if (fence != "")
            add_code(line)
        else if (line ~ /^[ \t]*$/)
            end_piece("")
        else if (line ~ /^[|]/ || (line ~ /^(    |\t)/ && piece_kind ~ /^(code)?$/))
            code_line(line)
        else if (line ~ /^#+ /)
            show_title(line)
        else if (line ~ /^ ? ? ?([-*+]|[0-9]+[.)])[ \t]/)
            begin_item(line)
        else
            add_words(line)
    }
    end_piece("")
}

# Shows what was read, and begins a piece of that kind.
function end_piece(next_kind,    margin) {
    if (piece_kind == "item")
        item(with_marks(piece), "- " with_marks(piece))
    else if (piece_kind == "code" && piece != "") {
        margin = page_margin
        page_margin = margin "  "
        preformatted(piece)
        page_margin = margin
    } else if (piece != "")
        paragraph(with_marks(piece))
    piece = ""
    piece_kind = next_kind
}

function code_line(line) {
    if (piece_kind != "code")
        end_piece("code")
    sub(/^(    |\t)/, "", line)
    add_code(line)
}

function add_code(line) {
    gsub(/\t/, "    ", line)
    piece = piece (piece == "" ? "" : "\n") clip(line, WORDS_COLUMNS)
}

function show_title(line) {
    end_piece("")
    sub(/^#+ +/, "", line)
    paragraph(strong(line))
}

function begin_item(line,    number) {
    end_piece("item")
    sub(/^ +/, "", line)
    number = line ~ /^[0-9]/ ? line : ""
    sub(/[ \t].*/, "", number)
    sub(/^[^ \t]+[ \t]+/, "", line)
    piece = number (number == "" ? "" : " ") line
}

function add_words(line) {
    if (piece_kind == "code")
        end_piece("")
    sub(/^[ \t]+/, "", line)
    piece = piece (piece == "" ? "" : " ") line
}
