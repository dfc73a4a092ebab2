//! What a process has taken so far, as Linux reports it.

// Each program that includes this uses a part of it.
#![allow(dead_code)]

use std::fmt;
use std::fs;
use std::time::Duration;

/// The unit of times in `/proc`: 100 a second on all common systems.
const TICK: Duration = Duration::from_millis(10);

/// What a process has taken.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Spent {
    /// CPU time of all its threads, in the program and in the kernel for it.
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

/// What the process has taken, and whether it still runs. `None` where the system does not report it.
pub(crate) fn spent(process: u32) -> Option<(Spent, bool)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may hold blanks. Behind it: the state, and 11 fields later user and system time.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u32 = fields.get(11..13)?.iter().filter_map(|field| field.parse::<u32>().ok()).sum();
    // A process that has ended has no memory.
    let memory = memory(process, "VmHWM:").unwrap_or_default();
    let spent = Spent { cpu: TICK * ticks, memory, output: 0 };
    Some((spent, !matches!(fields.first(), Some(&"Z" | &"X"))))
}

/// The memory that the process has now, in bytes. `None` where the system does not report it.
pub(crate) fn resident(process: u32) -> Option<u64> {
    memory(process, "VmRSS:")
}

fn memory(process: u32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}
