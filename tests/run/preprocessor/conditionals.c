#include <stdio.h>

#define LEVEL 3
#define FEATURE(x) (FEATURE_##x)
#define FEATURE_A 1
#define FEATURE_B 0

#if LEVEL > 2 && defined(FEATURE_A) && !defined FEATURE_C
#define MODE "full"
#elif LEVEL
#define MODE "part"
#else
#error not reached
#endif

#if FEATURE(B)
static int b = 1;
#else
static int b = -1;
#endif

#if 'a' == 97 && -1 < 0u == 0 && (2 || 1 / 0) && UNKNOWN_NAME == 0
static int arithmetic = 1;
#else
static int arithmetic = 0;
#endif

#undef LEVEL
#ifdef LEVEL
#error still there
#endif
#define LEVEL(x) ((x) * 2)

#define f(x) g(x) + 1
#define g(x) f(x) * 2
#define self self + 1
#undef self
static int self = 10;
#define self self + 1
static int g_(int x) { return x; }
#undef f
#undef g

#if 0
this is 'not' valid C " at all
#endif

#pragma once_unknown whatever
_Pragma("GCC diagnostic push")
#define STRINGIFY(...) #__VA_ARGS__
%:define DIGRAPH 6

int main(void)
<%
    int LEVEL = 4;
    printf("%s %d %d\n", MODE, b, arithmetic);
    printf("%d %d\n", LEVEL, LEVEL(5));
    printf("%s\n", STRINGIFY(a,   b  "c\n" , 'd'));
    printf("%d\n", DIGRAPH);
    int array<:2:> = {1, 2};
    printf("%d %d\n", array<:1:>, g_(3));
    printf("%d\n", __COUNTER__ + __COUNTER__);
    printf("%d\n", __STDC__);
    return self - 11;
%>
