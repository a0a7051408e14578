/* An array in the value that a function returns lives to the end of the full expression only. */
struct row { int cell[4]; };

static struct row numbered(int first)
{
    struct row r = { { first, 2, 3, 4 } };
    return r;
}

int main(void)
{
    int *p = numbered(1).cell;
    int last = numbered(5).cell[3];
    return p[0] + last; //~ ERROR use-after-scope
}
