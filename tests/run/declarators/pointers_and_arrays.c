#include <stdio.h>

/* Declarators of every shape, each used in the way its type demands. */
int *array_of_pointers[3];
int (*pointer_to_array)[3];
int (*function_pointer)(int, int);
int (*table[2])(int, int);
int *(*returns_pointer)(int *);
int (*(*returns_function)(int))(int, int);
char *(*(*matrix[2][2])(void))[2];

static int add(int a, int b) { return a + b; }
static int mul(int a, int b) { return a * b; }
static int *next(int *p) { return p + 1; }
static int (*select_op(int which))(int, int) { return which ? mul : add; }
static char *pair[2] = {"left", "right"};
static char *(*get_pair(void))[2] { return &pair; }

int main(void)
{
    int data[3] = {10, 20, 30};
    for (int i = 0; i < 3; i++)
        array_of_pointers[i] = &data[2 - i];
    pointer_to_array = &data;
    function_pointer = add;
    table[0] = add, table[1] = &mul;
    returns_pointer = next;
    returns_function = select_op;
    matrix[1][0] = get_pair;

    printf("%d %d %d\n", *array_of_pointers[0], *array_of_pointers[1], *array_of_pointers[2]);
    printf("%d %d\n", (*pointer_to_array)[1], pointer_to_array[0][2]);
    printf("%d %d\n", function_pointer(3, 4), (*function_pointer)(5, 6));
    printf("%d %d\n", table[0](7, 8), (**table[1])(7, 8));
    printf("%d\n", *returns_pointer(data));
    printf("%d %d\n", returns_function(0)(9, 9), select_op(1)(9, 9));
    printf("%s %s\n", (*matrix[1][0]())[0], (*(*matrix[1][0])())[1]);
    printf("%d\n", (int)(sizeof *pointer_to_array / sizeof **pointer_to_array));
    return 0;
}
