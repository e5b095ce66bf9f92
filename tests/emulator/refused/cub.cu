// cub.cu:2
#include <cub/cub.cuh>
