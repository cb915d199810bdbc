//! The `club` floor.
