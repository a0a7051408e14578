//! What an execution can do wrong.

use crate::{Property, named};

named! {
/// What went wrong.
ErrorKind {
    NullDeref "null-deref" "Access through null, or through an address on the first page";
    UseAfterFree "use-after-free" "Access to a heap block that was freed";
    UseAfterScope "use-after-scope" "Access to a local, VLA or `alloca` block whose life is over";
    OutOfBounds "out-of-bounds" "Access outside the object that the pointer was made from";
    InvalidDeref "invalid-deref" "Access through a pointer that was not made from any object";
    WriteToConstant "write-to-constant" "Write to a string literal or to a static object declared `const`";
    Uninitialised "uninitialised" "An indeterminate value decides a branch, an address, an arithmetic operation or the output";
    DoubleFree "double-free" "A block is freed a second time";
    InvalidFree "invalid-free" "What is freed is not the start of a heap block";
    Leak "leak" "A heap block is still allocated when the program ends";
    LostBlock "lost-block" "No pointer to a heap block is left";
    HeldAtReturn "held-at-return" "A variable of `main` still holds a heap block when it returns";
    Assertion "assertion" "An assertion of the program is violated";
    DivisionByZero "division-by-zero" "Integer division or remainder by zero";
    Overflow "overflow" "A signed result does not fit its type";
    Shift "shift" "A shift count is negative or not less than the width";
    ReachError "reach-error" "A function that marks an error was called";
    BadCall "bad-call" "A call does not fit the function that is called";
    UndefinedFunction "undefined-function" "A function without a definition was called, and the library table does not know it";
    BadArgument "bad-argument" "A library function was called with arguments outside its contract";
    OverlappingCopy "overlapping-copy" "The ranges of a copy overlap";
    Unreachable "unreachable" "Control came to a point declared unreachable";
    Trap "trap" "A trap of the compiler was executed";
    Unsupported "unsupported" "Something that the interpreter does not model";
}
}

impl ErrorKind {
    /// The properties that it violates; none for what ends a run without being asked about.
    pub fn violates(self) -> impl Iterator<Item = Property> {
        Property::ALL.iter().copied().filter(move |p| p.violated_by().contains(&self))
    }
}
