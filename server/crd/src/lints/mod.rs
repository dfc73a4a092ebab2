//! Lints beyond the server's checks: conversion, size and unbounded values.
//!
//! The walk over schemas finds the lints of schema nodes; the checks of other fields find the other lints.

pub(crate) mod conversion;
pub(crate) mod size;
pub(crate) mod unbounded;
