# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Draws one picture, named by `picture`, as SVG. Lengths are in pixels; a cell stands for a thread or for a word of
# 4 bytes. What matters has a thick outline and is filled; colour says nothing that shape and text do not.

BEGIN {
    cell = 22
    left = 24
    wide = 2 * left + 32 * cell
    if (picture == "threads")
        threads()
    else if (picture == "coalesced")
        coalesced()
    else
        banks()
    print "</svg>"
}

# The ground is part of the picture, so that it can be read on a light and on a dark page.
function begin(height, title, description) {
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" " \
           "aria-labelledby=\"title desc\">\n", wide, height, wide, height
    printf "<title id=\"title\">%s</title>\n<desc id=\"desc\">%s</desc>\n", title, description
    print "<style>"
    print "  text { font: 13px \"DejaVu Sans\", Verdana, Arial, sans-serif; fill: #1a1a1a }"
    print "  .small { font-size: 10px } .head { font-size: 15px; font-weight: bold } .middle { text-anchor: middle }"
    print "  .ground { fill: #ffffff } .cell { fill: none; stroke: #767676 } .frame { fill: none; stroke: #1a1a1a }"
    print "  .used { fill: #cfe3f7; stroke: #1a1a1a; stroke-width: 2 } .arrow { stroke: #1a1a1a }"
    print "  @media (prefers-color-scheme: dark) {"
    print "    text { fill: #f0f0f0 } .ground { fill: #1e1e1e } .cell { stroke: #9a9a9a } .frame { stroke: #f0f0f0 }"
    print "    .used { fill: #29527a; stroke: #f0f0f0 } .arrow { stroke: #f0f0f0 }"
    print "  }"
    print "</style>"
    printf "<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", wide, height
}

function write(x, y, text, class) {
    printf "<text x=\"%g\" y=\"%g\"%s>%s</text>\n", x, y, (class == "" ? "" : " class=\"" class "\""), text
}

function box(x, y, width, height, class) {
    printf "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\" class=\"%s\"/>\n", x, y, width, height, class
}

function line(x1, y1, x2, y2) {
    printf "<line x1=\"%g\" y1=\"%g\" x2=\"%g\" y2=\"%g\" class=\"arrow\"/>\n", x1, y1, x2, y2
}

# An arrow that points down at x, y.
function arrow(from_x, from_y, x, y) {
    line(from_x, from_y, x, y)
    printf "<path d=\"M%g %gl-3 -6h6z\" class=\"arrow\"/>\n", x, y
}

# A thread or a word, with a number in it.
function numbered(x, y, number, class) {
    box(x, y, cell, cell, class)
    if (number != "")
        write(x + cell / 2, y + 15, number, "small middle")
}

# ---- a launch: blocks, warps, threads ------------------------------------------------------------

function threads(    b, w, t, x, y) {
    begin(374, "A launch, its blocks, their warps, and one thread", \
          "The launch histogram, 3 blocks of 128 threads, drawn as three boxes. Block 1 is drawn larger: four rows, its " \
          "warps, of 32 threads each. Thread 37 is marked: it is lane 5 of warp 1.")
    write(left, 28, "histogram&lt;&lt;&lt;3, 128&gt;&gt;&gt;: a launch of 3 blocks, each of 128 threads", "head")
    for (b = 0; b < 3; b++) {
        x = left + b * 11 * cell
        box(x, 44, 10 * cell, 50, b == 1 ? "used" : "frame")
        write(x + 5 * cell, 66, "block " b, "middle")
        write(x + 5 * cell, 84, "blockIdx.x = " b, "small middle")
    }
    line(left + 11 * cell, 94, left, 130)
    line(left + 21 * cell, 94, left + 32 * cell, 130)
    write(left, 148, "block 1: it stays on one multiprocessor, has shared memory of its own, and 4 warps of 32 threads")
    for (w = 0; w < 4; w++) {
        y = 162 + w * 34
        for (t = 0; t < 32; t++)
            numbered(left + t * cell, y, 32 * w + t, 32 * w + t == 37 ? "used" : "cell")
        box(left, y, 32 * cell, cell, "frame")
    }
    write(left, 312, "A row is a warp: its 32 threads, called lanes, execute each instruction together.")
    write(left, 334, "Marked: threadIdx.x = 37 of block 1. It is lane 37 % 32 = 5 of warp 37 / 32 = 1.")
    write(left, 356, "Among all threads its number is blockIdx.x * blockDim.x + threadIdx.x = 1 * 128 + 37 = 165.")
}

# ---- one load of a warp: coalesced, and not ------------------------------------------------------

function coalesced(    t, s, x, y) {
    begin(400, "One load of a warp: coalesced, and not coalesced", \
          "Above, 32 lanes read 32 words side by side: they lie in 4 sectors, and all 128 bytes that move are used. Below, " \
          "each lane reads from a stretch of its own: every lane needs another sector, 32 in all, and of the 1024 " \
          "bytes that move 128 are used.")
    write(left, 28, "Coalesced: lane t reads word t", "head")
    write(left, 50, "the lanes of the warp")
    for (t = 0; t < 32; t++) {
        x = left + t * cell
        numbered(x, 58, t, "cell")
        arrow(x + cell / 2, 58 + cell, x + cell / 2, 118)
        numbered(x, 120, "", "used")
    }
    for (s = 0; s < 4; s++) {
        box(left + 8 * s * cell, 117, 8 * cell, cell + 6, "frame")
        write(left + (8 * s + 4) * cell, 162, "sector " s ": 32 bytes", "small middle")
    }
    write(left, 188, "4 sectors move, 128 bytes, and all of them are used.")

    write(left, 232, "Not coalesced: each lane reads from a stretch of its own", "head")
    write(left, 254, "lanes 0, 1 and 2")
    for (s = 0; s < 3; s++) {
        x = left + 9 * s * cell
        for (t = 0; t < 8; t++)
            numbered(x + t * cell, 324, "", t == 0 ? "used" : "cell")
        box(x, 321, 8 * cell, cell + 6, "frame")
        numbered(left + s * cell, 262, s, "cell")
        arrow(left + (s + 0.5) * cell, 262 + cell, x + cell / 2, 320)
        write(x + 4 * cell, 366, "a sector: 4 of its 32 bytes are used", "small middle")
    }
    write(left + 27 * cell, 340, "... and 29 more")
    write(left, 390, "32 sectors move, 1024 bytes, and 128 of them are used.")
}

# ---- shared memory: banks ------------------------------------------------------------------------

function row_of_words(y, first, stride,    b, w) {
    for (b = 0; b < 32; b++) {
        w = first + b
        numbered(left + b * cell, y, w % stride == 0 && w / stride < 32 ? w / stride : "", \
                 w % stride == 0 && w / stride < 32 ? "used" : "cell")
    }
}

function banks(    b) {
    begin(330, "Shared memory: a load without bank conflicts, and one with", \
          "Word i of shared memory is in bank i modulo 32, so that 32 words side by side are in 32 banks. Above, lane t " \
          "reads word t: each bank gives one word, in one pass. Below, lane t reads word 2 t: 16 banks have to give " \
          "two words each, in two passes, and the others none.")
    write(left, 28, "No conflict: lane t reads word t", "head")
    write(left, 48, "a column is a bank; the number in a word is the lane that reads it")
    for (b = 0; b < 32; b++)
        write(left + (b + 0.5) * cell, 68, b, "small middle")
    row_of_words(74, 0, 1)
    row_of_words(74 + cell, 32, 1)
    write(left, 140, "Each bank gives one word: one pass.")
    write(left, 184, "Conflict: lane t reads word 2 t", "head")
    for (b = 0; b < 32; b++)
        write(left + (b + 0.5) * cell, 206, b, "small middle")
    row_of_words(212, 0, 2)
    row_of_words(212 + cell, 32, 2)
    write(left, 278, "Lanes 0 and 16 want two words of bank 0, lanes 1 and 17 of bank 2, and so on.")
    write(left, 300, "A bank gives one word a pass: the load takes two passes, and half of the banks do nothing.")
}
