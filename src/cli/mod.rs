//! The `cli` floor.
