//! The API server answers as `crd-ls test --generate` and `crd-ls rehearse` predict: for objects generated
//! for the rules of real definitions, and for real definitions that replace each other.
//!
//! `CRD_LS_API_SERVER` names the server (docs/testing.md describes how to start one). `CRD_LS_ONLY` selects
//! definitions by a part of their name. `rules_without_objects.tsv` lists the rules for which no object is
//! found, with the reasons; with `CRD_LS_UPDATE`, the test rewrites the list and keeps the reasons.
#![allow(clippy::unwrap_used, clippy::panic, clippy::print_stderr, missing_docs)]

#[path = "../../../../tests/support/beside.rs"]
mod beside;
mod corpus;
mod etcd;
mod generated;
mod histories;
mod http;
mod mutated;
mod replayed;
mod server;
mod without;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use cases::Value;
use http::Client;

/// The number of definitions that are tested in parallel.
const WORKERS: usize = 3;

/// Calls `one` with each item and the client of the thread, and returns the results in the order of the items.
fn for_each<T: Sync, R: Send>(url: &str, items: &[T], one: impl Fn(&Client, &T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let client = Client::new(url);
        let mut done = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = items.get(number) else { return done };
            done.push((number, one(&client, item)));
        }
    };
    let mut all: Vec<(usize, R)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..WORKERS).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    all.sort_by_key(|(number, _)| *number);
    all.into_iter().map(|(_, result)| result).collect()
}

/// The object as JSON of `serde_json`.
fn json(value: &Value) -> serde_json::Value {
    serde_json::from_str(&value.to_json().to_string()).unwrap()
}
