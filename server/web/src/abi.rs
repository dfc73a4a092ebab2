//! The functions that a WebAssembly module exports to JavaScript. The caller writes a call to the module's
//! memory at the address from [`input`], and reads the answer at the address from [`output`]. Both are
//! addresses of vectors; this code dereferences no pointer.
#![allow(unsafe_code, reason = "`no_mangle` counts as unsafe; there is no unsafe block")]

use std::cell::RefCell;

use crate::Engine;

/// The engine of one client: a page starts one module for each client.
#[derive(Default)]
struct State {
    engine: Engine,
    input: Vec<u8>,
    output: Vec<u8>,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Allocates space for a call of that many bytes and returns its address.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn input(bytes: usize) -> *mut u8 {
    STATE.with_borrow_mut(|state| {
        state.input = vec![0; bytes];
        state.input.as_mut_ptr()
    })
}

/// Answers the call, and returns the length of the answer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn call() -> usize {
    STATE.with_borrow_mut(|state| {
        let input = String::from_utf8_lossy(&std::mem::take(&mut state.input)).into_owned();
        state.output = state.engine.call(&input).into_bytes();
        state.output.len()
    })
}

/// The address of the answer.
#[unsafe(no_mangle)]
pub(crate) extern "C" fn output() -> *const u8 {
    STATE.with_borrow(|state| state.output.as_ptr())
}
