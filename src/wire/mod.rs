//! The `wire` floor.
