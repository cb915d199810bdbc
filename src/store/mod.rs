//! The `store` floor.
