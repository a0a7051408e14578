/* A cast takes `const` away from a pointer to a table that is itself constant. */
static const int table[2] = {1, 2};

static void set(const int *p)
{
    *(int *)p = 5; //~ ERROR write-to-constant
}

int main(void)
{
    set(table + 1);
    return 0;
}
