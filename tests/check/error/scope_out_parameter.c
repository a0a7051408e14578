/* The address of a local escapes through an out-parameter. */
static void get(int **out)
{
    int value = 4;
    *out = &value;
}

int main(void)
{
    int *p;
    get(&p);
    return *p == 5; //~ ERROR use-after-scope
}
