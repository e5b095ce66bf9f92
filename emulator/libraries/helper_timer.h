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

inline bool sdkCreateTimer(StopWatchInterface **timer) {
    *timer = new StopWatchInterface();
    return true;
}
inline bool sdkDeleteTimer(StopWatchInterface **timer) {
    delete *timer;
    *timer = nullptr;
    return true;
}
inline bool sdkStartTimer(StopWatchInterface **timer) {
    (*timer)->began_ms = emulator_now_ms();
    return true;
}
inline bool sdkStopTimer(StopWatchInterface **timer) {
    (*timer)->sum_ms += emulator_now_ms() - (*timer)->began_ms;
    (*timer)->runs++;
    return true;
}
inline bool sdkResetTimer(StopWatchInterface **timer) {
    **timer = {emulator_now_ms(), 0, 0};
    return true;
}
inline float sdkGetTimerValue(StopWatchInterface **timer) { return (float)(*timer)->sum_ms; }
inline float sdkGetAverageTimerValue(StopWatchInterface **timer) {
    return (float)((*timer)->sum_ms / ((*timer)->runs ? (*timer)->runs : 1));
}
