# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# How sure a difference is. A record has two rounds or so, far too few to tell a step's own spread by; a file has many steps, whose
# spreads are alike. So each step's variance is drawn towards a common one, as far as the steps' variances agree: the moderated
# t-test of G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential expression in microarray
# experiments", Statistical Applications in Genetics and Molecular Biology 3 (2004), sections 4 and 6.2. A library is unlike the
# steps: rounds of CUB's histogram on an H200 differ by 1.3 %, those of the steps by 0.05 to 0.44 %. So it has its own spread alone.

BEGIN {
    # Of rounds of opt05 to opt17 on an H200 (report/recorded/evidence/five-runs.jsonl.gz): where a comparison has too few steps
    # to tell.
    USUAL_SPREAD = 0.0023
    USUAL_DEGREES = 6
    LEAST_STEPS = 8
    # Where a record has a single round, its spread is not known. It may be of one process in place of four (common/build/recording.sh),
    # so it is taken for twice the usual one; a library's for twice that of CUB.
    SINGLE_SPREAD = 2 * USUAL_SPREAD
    SINGLE_LIBRARY_SPREAD = 2 * 0.013
    LEAST_SPREAD = 1e-4 # one measurement agrees with another by chance, too
    MOST_DEGREES = 200
}

# Sets prior_variance and prior_degrees from the variances of all things that have one.
function find_prior(    k, d, e, n, sum, squares, share, target) {
    prior_variance = USUAL_SPREAD ^ 2
    prior_degrees = USUAL_DEGREES
    for (k = 1; k <= keys; k++) {
        d = k in change && is_like_others(k) ? own_degrees(k) : 0
        if (d < 1)
            continue
        e = log(larger(own_squares(k) / d, LEAST_SPREAD ^ 2)) - digamma(d / 2) + log(d / 2)
        sum += e
        squares += e * e
        share += trigamma(d / 2)
        n++
    }
    if (n < LEAST_STEPS)
        return
    target = (squares - sum * sum / n) / (n - 1) - share / n
    prior_degrees = target > 0 ? 2 * inverse_trigamma(target) : MOST_DEGREES
    if (prior_degrees > MOST_DEGREES)
        prior_degrees = MOST_DEGREES
    prior_variance = exp(sum / n + digamma(prior_degrees / 2) - log(prior_degrees / 2))
}

function prior_degrees_of(k) {
    return is_like_others(k) ? prior_degrees : 0
}

# Whether its rounds say something of its spread. One degree of freedom says next to nothing.
function has_spread(k) {
    return own_degrees(k) >= 2
}

function degrees(k) {
    return has_spread(k) ? prior_degrees_of(k) + own_degrees(k) : USUAL_DEGREES
}

# Of change[k].
function standard_error(k,    variance) {
    if (has_spread(k))
        variance = (prior_degrees_of(k) * prior_variance + own_squares(k)) / degrees(k)
    else
        variance = (is_like_others(k) ? SINGLE_SPREAD : SINGLE_LIBRARY_SPREAD) ^ 2
    variance = larger(variance, LEAST_SPREAD ^ 2)
    return sqrt(variance * (1 / rounds[k, 1] + 1 / rounds[k, 2]))
}

# ---- special functions, of positive numbers -----------------------------------------------------
# By recurrence to x >= 6, then by the asymptotic series (Abramowitz and Stegun, 6.1.41, 6.3.18, 6.4.12).

function log_gamma(x,    shift) {
    for (shift = 0; x < 6; x++)
        shift += log(x)
    return (x - 0.5) * log(x) - x + 0.918938533204672742 + (1 - (1 / 30 - 1 / (105 * x * x)) / (x * x)) / (12 * x) - shift
}

function digamma(x,    shift) {
    for (shift = 0; x < 6; x++)
        shift += 1 / x
    return log(x) - 1 / (2 * x) - (1 - (1 / 10 - 1 / (21 * x * x)) / (x * x)) / (12 * x * x) - shift
}

function trigamma(x,    shift) {
    for (shift = 0; x < 6; x++)
        shift += 1 / (x * x)
    return 1 / x + 1 / (2 * x * x) + (1 - (1 / 5 - 1 / (7 * x * x)) / (x * x)) / (6 * x * x * x) + shift
}

# It falls, so bisection finds it.
function inverse_trigamma(y,    low, high, middle, i) {
    low = 1e-4
    high = 1e6
    for (i = 0; i < 100; i++) {
        middle = sqrt(low * high)
        if (trigamma(middle) > y)
            low = middle
        else
            high = middle
    }
    return middle
}

# Regularized incomplete beta function, by its continued fraction (26.5.8), evaluated by Lentz's method.
function incomplete_beta(x, a, b,    front, f, c, d, m, term, i) {
    if (x <= 0 || x >= 1)
        return x > 0
    if (x > (a + 1) / (a + b + 2))
        return 1 - incomplete_beta(1 - x, b, a)
    front = log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log(1 - x)
    if (front < -700)
        return 0
    front = exp(front) / a
    f = c = 1
    d = 0
    for (i = 0; i <= 300; i++) {
        m = int(i / 2)
        term = i == 0 ? 1 : i % 2 ? -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)) : \
               m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / (1 + term * d)
        c = 1 + term / c
        f *= c * d
        if ((c * d - 1) ^ 2 < 1e-24)
            break
    }
    return front * (f - 1)
}

# The t below which a share p > 1/2 of Student's distribution lies.
function student_quantile(p, degrees_of_freedom,    low, high, middle, i) {
    low = 0
    high = 1e4
    for (i = 0; i < 80; i++) {
        middle = (low + high) / 2
        if (1 - incomplete_beta(degrees_of_freedom / (degrees_of_freedom + middle * middle), degrees_of_freedom / 2, 0.5) / 2 < p)
            low = middle
        else
            high = middle
    }
    return middle
}
