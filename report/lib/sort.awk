# SPDX-FileCopyrightText: the histolab authors
# SPDX-License-Identifier: Apache-2.0

# The one sort. Equal elements keep their order (a merge sort).

# Sort list[1..n] by key[its element], as texts; with as_numbers = 1 as numbers, those not measured last.
function sort_by(list, n, key, as_numbers,    size, from, middle, end, merged, i) {
    for (size = 1; size < n; size *= 2) {
        for (from = 1; from <= n; from += 2 * size) {
            middle = from + size <= n + 1 ? from + size : n + 1
            end = from + 2 * size <= n + 1 ? from + 2 * size : n + 1
            merge(list, from, middle, end, key, as_numbers, merged)
        }
        for (i = 1; i <= n; i++)
            list[i] = merged[i]
    }
}

# Sort list[1..n] itself.
function sort_list(list, n, as_numbers,    order, old, i) {
    for (i = 1; i <= n; i++) {
        old[i] = list[i]
        order[i] = i
    }
    sort_by(order, n, old, as_numbers)
    for (i = 1; i <= n; i++)
        list[i] = old[order[i]]
}

# merged[from..end-1]: what stands in list[from..middle-1] and list[middle..end-1].
function merge(list, from, middle, end, key, as_numbers, merged,    i, j, at) {
    i = from
    j = middle
    for (at = from; at < end; at++)
        if (i < middle && (j >= end || !comes_after(key[list[i]], key[list[j]], as_numbers)))
            merged[at] = list[i++]
        else
            merged[at] = list[j++]
}

function comes_after(a, b, as_numbers) {
    if (as_numbers)
        return above(a, b) || (a == "" && b != "")
    return a "" > b ""
}

# Of list[1..n], which is sorted: 0.5 is the median.
function quantile(list, n, q,    at, low) {
    at = 1 + (n - 1) * q
    low = int(at)
    return low >= n ? list[n] : list[low] + (at - low) * (list[low + 1] - list[low])
}
