/* What a closed program needs: values nobody knows, and the operation once or, with -DCALLS=8, 32 or 128, that often
 * in sequence. */
#ifndef CLOSED_H
#define CLOSED_H

extern int __VERIFIER_nondet_int(void);

#ifndef CALLS
#define CALLS 1
#endif

#define TWICE(...) __VA_ARGS__ __VA_ARGS__
#define FOUR_TIMES(...) TWICE(TWICE(__VA_ARGS__))
#define EIGHT_TIMES(...) TWICE(FOUR_TIMES(__VA_ARGS__))

#if CALLS == 1
#define REPEAT(...) __VA_ARGS__
#elif CALLS == 8
#define REPEAT(...) EIGHT_TIMES(__VA_ARGS__)
#elif CALLS == 32
#define REPEAT(...) FOUR_TIMES(EIGHT_TIMES(__VA_ARGS__))
#elif CALLS == 128
#define REPEAT(...) TWICE(EIGHT_TIMES(EIGHT_TIMES(__VA_ARGS__)))
#else
#error "CALLS must be 1, 8, 32 or 128"
#endif

#endif
