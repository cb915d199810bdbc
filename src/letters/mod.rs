//! The `letters` floor.
