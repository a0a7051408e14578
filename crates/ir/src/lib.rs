//! Types, layout, control-flow graphs, liveness and printing of the intermediate representation
