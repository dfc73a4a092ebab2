//! Stub.

pub mod scalar;
