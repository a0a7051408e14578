/* Sorts a list by exchanging neighbours: afterwards it is sorted. */
#include "../clumping/psll-bsort.c"

/*@ requires list -> [8] { @0:8: p } * psll(p);
    ensures list -> [8] { @0:8: p } * sorted(p, -2147483648); */
void sorted_bsort(struct psll **list)
{
    psll_bsort(list);
}
