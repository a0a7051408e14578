/* A list with a head that knows how long it is. */
#ifndef COUNTED_H
#define COUNTED_H

#include "../clumping/psll.h"

struct counted {
    struct psll *first;
    long count;
};

#endif
