//! What a process has taken so far, as Linux tells it.

// Each test program uses a part of it.
#![allow(dead_code)]

use std::fmt;
use std::fs;
use std::time::Duration;

/// What a process has taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    /// CPU time of all its threads.
    pub(crate) cpu: Duration,
    /// The most memory that it had at once, in bytes.
    pub(crate) memory: u64,
    /// How many bytes it wrote.
    pub(crate) output: u64,
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cpu, memory, output } = self;
        write!(f, "{} ms, {} MB, {} KB", cpu.as_millis(), memory >> 20, output >> 10)
    }
}

/// What the process has taken, and whether it still runs. `None` where the system does not tell.
pub(crate) fn spent(process: u32) -> Option<(Spent, bool)> {
    let of = |what: &str| fs::read_to_string(format!("/proc/{process}/{what}")).ok();
    let (stat, status) = (of("stat")?, of("status")?);
    // Behind the name in parentheses: the state; user and system time in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let hundredths: u64 = fields.get(11..13)?.iter().filter_map(|field| field.parse::<u64>().ok()).sum();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes =
        peak.and_then(|peak| peak.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or_default();
    let spent = Spent { cpu: Duration::from_millis(hundredths * 10), memory: kilobytes << 10, output: 0 };
    Some((spent, !matches!(fields.first(), Some(&"Z" | &"X"))))
}
