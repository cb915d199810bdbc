//! The program: hands its arguments to the command line floor.

fn main() {}
