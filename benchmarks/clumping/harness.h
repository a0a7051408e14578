/* Runs a closed program or a driver natively, once for each of a number of seeds. To be included after the two, whose
 * `main` were renamed. A run without end is stopped by a limit of processor time (SIGXCPU). Leaks are looked for after
 * each of the first runs, and at the end.
 *
 *   harness closed 200     the closed program, with random values for __VERIFIER_nondet_int
 *   harness driver 5       the driver */
#include <sanitizer/lsan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#define EARLY_RUNS 20

static unsigned long long nondet_state;
static unsigned nondet_zeros;

static unsigned nondet_draw(void)
{
    nondet_state ^= nondet_state << 13;
    nondet_state ^= nondet_state >> 7;
    nondet_state ^= nondet_state << 17;
    return (unsigned)(nondet_state >> 32);
}

/* One value in `nondet_zeros` is 0 on purpose, so that `while (nondet())` loops end, some early and some late. */
int __VERIFIER_nondet_int(void)
{
    if (nondet_draw() % nondet_zeros == 0)
        return 0;
    return nondet_draw() % 16 ? (int)(nondet_draw() % 16) : (int)nondet_draw();
}

static int run_seed(int closed, int seed)
{
    char text[16], *arguments[] = {"driver", text, NULL};

    if (!closed) {
        snprintf(text, sizeof text, "%d", seed);
        return driver_main(2, arguments);
    }
    nondet_state = 0x9e3779b97f4a7c15ULL * (unsigned long long)(seed + 1);
    for (int i = 0; i < 4; i++)
        nondet_draw();
    nondet_zeros = 2 + nondet_draw() % 14;
    return closed_main();
}

int main(int argc, char **argv)
{
    struct rlimit second = {1, 1};
    int closed = argc > 1 && strcmp(argv[1], "closed") == 0;
    int seeds = argc > 2 ? atoi(argv[2]) : 1;

    setrlimit(RLIMIT_CPU, &second);
    for (int seed = 0; seed < seeds; seed++)
        if (run_seed(closed, seed) != 0 || (seed < EARLY_RUNS && __lsan_do_recoverable_leak_check()))
            return 1;
    return 0;
}
