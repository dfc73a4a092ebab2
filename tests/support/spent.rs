//! The resources that a process has used so far, as Linux reports them.

// Each program that includes this uses a part of it.
#![allow(dead_code)]

use std::fmt;
use std::fs;
use std::time::Duration;

/// The unit of times in `/proc`: 100 per second on all common systems.
const TICK: Duration = Duration::from_millis(10);

/// The used resources of a process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ResourceUsage {
    /// CPU time of all its threads, in user space and in the kernel.
    pub(crate) cpu: Duration,
    /// Its peak memory, in bytes.
    pub(crate) memory: u64,
    /// The number of bytes that it wrote.
    pub(crate) output: u64,
}

impl fmt::Display for ResourceUsage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { cpu, memory, output } = self;
        write!(f, "{} ms, {} MB, {} KB", cpu.as_millis(), memory >> 20, output >> 10)
    }
}

/// The used resources of the process, and whether it still runs. `None` if the system does not report them.
pub(crate) fn spent(process: u32) -> Option<(ResourceUsage, bool)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name in parentheses may contain blanks. The state follows it, and 11 fields later user and system time.
    let fields: Vec<&str> = stat.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks: u32 = fields.get(11..13)?.iter().filter_map(|field| field.parse::<u32>().ok()).sum();
    // A process that has ended has no memory.
    let memory = memory(process, "VmHWM:").unwrap_or_default();
    let spent = ResourceUsage { cpu: TICK * ticks, memory, output: 0 };
    Some((spent, !matches!(fields.first(), Some(&"Z" | &"X"))))
}

/// The current memory of the process, in bytes. `None` if the system does not report it.
pub(crate) fn resident(process: u32) -> Option<u64> {
    memory(process, "VmRSS:")
}

fn memory(process: u32, name: &str) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix(name))?;
    Some(line.split_whitespace().next()?.parse::<u64>().ok()? << 10)
}
