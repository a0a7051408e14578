/* Sorts a list by insertion: afterwards it is sorted. */
#include "../clumping/psll-isort.c"

/*@ requires list -> [8] { @0:8: p } * psll(p);
    ensures list -> [8] { @0:8: p } * sorted(p, -2147483648); */
void sorted_isort(struct psll **list)
{
    psll_isort(list);
}
