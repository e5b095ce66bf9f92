/* A header without end. */
#include "/dev/zero"
