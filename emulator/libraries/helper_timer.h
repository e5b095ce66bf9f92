/* What programs use of the header of this name that CUDA's samples have beside them. */
#pragma once
#include <time.h>

struct StopWatchInterface {
    double began_ms, sum_ms;
    int runs;
};

inline double emulator_now_ms() {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return 1e3 * (double)now.tv_sec + 1e-6 * (double)now.tv_nsec;
}

#define EMULATOR_TIMER(name, change)                                                               \
    inline bool name(StopWatchInterface **timer) {                                                 \
        change;                                                                                    \
        return true;                                                                               \
    }
EMULATOR_TIMER(sdkCreateTimer, *timer = new StopWatchInterface())
EMULATOR_TIMER(sdkDeleteTimer, (delete *timer, *timer = nullptr))
EMULATOR_TIMER(sdkStartTimer, (*timer)->began_ms = emulator_now_ms())
EMULATOR_TIMER(sdkStopTimer,
               ((*timer)->sum_ms += emulator_now_ms() - (*timer)->began_ms, (*timer)->runs++))
EMULATOR_TIMER(sdkResetTimer, **timer = StopWatchInterface({emulator_now_ms(), 0, 0}))
inline float sdkGetTimerValue(StopWatchInterface **timer) { return (float)(*timer)->sum_ms; }
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
    return (float)((*timer)->sum_ms / ((*timer)->runs ? (*timer)->runs : 1));
}
