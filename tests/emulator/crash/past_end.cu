/* An access just past the end of an allocation, rounded up to 256 bytes. */
__global__ void past_end(char *p) { p[256] = 1; }
int main() {
    char *p;
    cudaMalloc(&p, 200);
    past_end<<<1, 1>>>(p);
    return 0;
}
