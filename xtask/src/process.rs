//! What a process has used so far, as Linux tells it.

use std::fs;
use std::time::Duration;

/// Ticks of the clock of `/proc`: a hundred a second on all systems that there are.
const TICK: Duration = Duration::from_millis(10);

/// Processor time and memory of a process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Usage {
    /// Of all threads, in the program and in the system for it.
    pub(crate) cpu: Duration,
    /// Bytes of memory at present.
    pub(crate) resident: u64,
    /// The most bytes of memory so far.
    pub(crate) peak: u64,
}

impl Usage {
    /// # Errors
    ///
    /// Where there is no `/proc`, or no such process.
    pub(crate) fn of(process: u32) -> Result<Self, String> {
        let read = |file: &str| {
            let path = format!("/proc/{process}/{file}");
            fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))
        };
        let (stat, status) = (read("stat")?, read("status")?);
        // The name in parentheses may hold blanks; time in user and system mode are the 12th and 13th behind it.
        let behind = stat.rsplit_once(')').map(|(_, rest)| rest).unwrap_or_default();
        let ticks: u32 =
            behind.split_whitespace().skip(11).take(2).filter_map(|word| word.parse::<u32>().ok()).sum();
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
            kib.map(|kib| kib << 10).ok_or_else(|| format!("/proc/{process}/status has no {name}"))
        };
        Ok(Self { cpu: TICK * ticks, resident: bytes("VmRSS:")?, peak: bytes("VmHWM:")? })
    }
}
