//! Concrete, byte-precise interpreter of the intermediate representation
