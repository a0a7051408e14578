/* What a closed program needs: values nobody knows. */
#ifndef CLOSED_H
#define CLOSED_H

extern int __VERIFIER_nondet_int(void);

#endif
