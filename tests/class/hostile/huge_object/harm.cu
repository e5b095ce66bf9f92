/* An object file of 64 GB. */
__attribute__((used)) static char huge[1ul << 36] = {1};
