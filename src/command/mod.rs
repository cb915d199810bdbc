//! The `command` floor.
