//! The store from outside: versions of its tables, its query plans, and that what it keeps is whole at every moment.
//!
//! Knows the schema and the SQL of the store, and the daemon's one way of taking a mail in.

#![allow(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::string_slice,
    clippy::unwrap_used
)]

mod club;

#[path = "store/again.rs"]
mod again;
#[path = "store/crash.rs"]
mod crash;
#[path = "world/disk.rs"]
mod disk;
#[path = "store/disk_itself.rs"]
mod disk_itself;
#[path = "store/disk_migration.rs"]
mod disk_migration;
#[path = "store/disk_scene.rs"]
mod disk_scene;
#[path = "store/disk_trouble.rs"]
mod disk_trouble;
#[path = "store/dump.rs"]
mod dump;
#[path = "store/owners.rs"]
mod owners;
#[path = "store/plans.rs"]
mod plans;
#[path = "store/schema.rs"]
mod schema;
#[path = "store/versions.rs"]
mod versions;
#[path = "store/world.rs"]
mod world;

#[allow(dead_code)]
#[path = "house/source.rs"]
mod source;
