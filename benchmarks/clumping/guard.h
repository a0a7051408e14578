/* Balanced trees rely on facts about numbers to follow pointers without a test: that a red node is not the root, that
 * a black node has a sibling, that a node which leans has a child on that side. ABSENT(p) marks these places. It tests
 * the pointer, so that the code is memory-safe by its shape alone; with -DTRUST_NUMBERS it tests nothing, as in the
 * usual libraries, and memory safety depends on colours, heights and order. */
#ifndef GUARD_H
#define GUARD_H

#include <stddef.h>

#ifdef TRUST_NUMBERS
#define ABSENT(p) 0
#else
#define ABSENT(p) ((p) == NULL)
#endif

#endif
