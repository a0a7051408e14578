/* There is nothing behind the null pointer. */
// not seen by sanitizers: the environment lies there
int main(int argc, char **argv) {
    return argv[argc + 1] != 0; //~ ERROR out-of-bounds
}
