/* How much the GPU's memory has moved, by a counter of the GPU that no step can reach: NVML's GPM
 * metrics, which Hopper and later GPUs have (nvmlGpmMetricsGet, driver 520 and later). */
#pragma once

/* Count from now on, in a thread of its own. spec_gbps: what the memory moves at the most, of which
 * the counter gives the share. Where the GPU has no such counter, nothing is counted. */
void traffic_begin(double spec_gbps);

/* Bytes read and written from then to a moment on clock_seconds(), by anybody, and stop counting.
 * The counter is behind by some tenths of a second: this waits until it has come to that moment, a
 * second at the most. Below 0 where not all of it was counted. */
double traffic_end(double until_s);
