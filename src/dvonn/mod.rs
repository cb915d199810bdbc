//! The `dvonn` floor.
