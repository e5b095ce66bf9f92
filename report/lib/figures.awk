# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# Numbers as people read them, and how numbers are compared. A number that was not measured is "".

# `digits` significant digits, never an exponent: 0.01540, 7720, 1200000. "-" where not measured.
function significant(value, digits,    whole, decimals) {
    if (value == "")
        return "-"
    value += 0
    decimals = digits - 1
    for (whole = value < 0 ? -value : value; whole >= 10 && decimals > 0; whole /= 10)
        decimals--
    for (; whole > 0 && whole < 1 && decimals < 9; whole *= 10)
        decimals++
    return sprintf("%." decimals "f", value)
}

# A fraction in per cent with one decimal, or with two digits where it is small; without the sign.
function percent(fraction) {
    if (fraction == "")
        return "-"
    return fraction + 0 < 0.01 ? significant(100 * fraction, 2) : sprintf("%.1f", 100 * fraction)
}

# For gnuplot, R and spreadsheets.
function number_or_nan(value) {
    return value == "" ? "NaN" : sprintf("%.9g", value)
}

# gnuplot takes a quote for the begin of a text, and two tabs for one.
function text_for_gnuplot(text) {
    text = printable(text)
    gsub(/["\\]/, "'", text)
    return text == "" ? "-" : text
}

# Comparisons of numbers. What was not measured is neither above nor below anything, and an operator of awk
# would compare it, or a number that was read as a text, by its letters: "1.6e-05" > "1.02".
function above(a, b) {
    return a != "" && b != "" && a + 0 > b + 0
}

function below(a, b) {
    return above(b, a)
}

function smaller(a, b) {
    return a == "" || below(b, a) ? b : a
}

function larger(a, b) {
    return a == "" || above(b, a) ? b : a
}

# a / b; "" where either was not measured, or b is 0.
function ratio_of(a, b) {
    return a == "" || b == "" || b + 0 == 0 ? "" : a / b
}
