//! C23 and GNU C to the intermediate representation
