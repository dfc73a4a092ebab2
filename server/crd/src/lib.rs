//! Stub.

pub mod api;
