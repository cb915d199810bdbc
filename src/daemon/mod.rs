//! The `daemon` floor.
