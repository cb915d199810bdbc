//! The `mail` floor.
