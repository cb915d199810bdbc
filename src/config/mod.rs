//! The `config` floor.
