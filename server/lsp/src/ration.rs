//! Work on many files, of which only so many bytes are worked on at once.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::definitions::on_all;

/// Does `work` for each of `files` on all processors: the largest first, and as far as those that are worked on at once have at
/// most `bytes` together. A larger file is worked on alone.
///
/// What the work takes is proportional to the size of a file: two of the largest at once would take the most memory of a run, and
/// at the end of it, when results are kept as well.
pub(crate) fn largest_first(files: &[PathBuf], bytes: u64, work: &(dyn Fn(&Path) + Sync)) {
    let ration = Ration::new(files, bytes);
    // Each call takes one file, though not the one that it is called for.
    on_all(files, &|_| {
        if let Some(share) = ration.take() {
            work(share.path);
        }
    });
}

/// The files that wait, and what those take that are worked on.
struct Ration<'f> {
    bytes: u64,
    state: Mutex<State<'f>>,
    returned: Condvar,
}

struct State<'f> {
    /// By size in bytes, the largest first.
    waiting: Vec<(u64, &'f Path)>,
    /// The bytes of the files that are worked on.
    taken: u64,
}

/// A file that is worked on until this is dropped.
struct Share<'r, 'f> {
    ration: &'r Ration<'f>,
    size: u64,
    path: &'f Path,
}

impl<'f> Ration<'f> {
    fn new(files: &'f [PathBuf], bytes: u64) -> Self {
        // One that cannot be read takes nothing.
        let size = |path: &Path| path.metadata().map_or(0, |metadata| metadata.len());
        let mut waiting: Vec<(u64, &Path)> = files.iter().map(|path| (size(path), &**path)).collect();
        waiting.sort_by_key(|(size, _)| Reverse(*size));
        Self { bytes, state: Mutex::new(State { waiting, taken: 0 }), returned: Condvar::new() }
    }

    /// The largest file that the ration has room for, once there is one. None where no file waits.
    fn take(&self) -> Option<Share<'_, 'f>> {
        let mut state = self.state();
        loop {
            let room = self.bytes.saturating_sub(state.taken);
            let fitting = match state.taken {
                0 => 0,
                _ => state.waiting.partition_point(|(size, _)| *size > room),
            };
            if fitting < state.waiting.len() {
                let (size, path) = state.waiting.remove(fitting);
                state.taken += size;
                return Some(Share { ration: self, size, path });
            }
            if state.waiting.is_empty() {
                return None;
            }
            state = self.returned.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn state(&self) -> MutexGuard<'_, State<'f>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Share<'_, '_> {
    fn drop(&mut self) {
        self.ration.state().taken -= self.size;
        self.ration.returned.notify_all();
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn of_sizes(sizes: &[u64]) -> (tempfile::TempDir, Vec<PathBuf>) {
        let root = tempfile::tempdir().unwrap();
        let write = |(at, size): (usize, &u64)| {
            let path = root.path().join(at.to_string());
            std::fs::write(&path, vec![b'a'; usize::try_from(*size).unwrap()]).unwrap();
            path
        };
        let files = sizes.iter().enumerate().map(write).collect();
        (root, files)
    }

    #[test]
    fn the_largest_that_fits_is_next() {
        let (_root, files) = of_sizes(&[10, 300, 80, 20, 50]);
        let ration = Ration::new(&files, 100);
        let size = |share: &Option<Share<'_, '_>>| share.as_ref().map(|share| share.size);
        // Larger than the ration, and so alone.
        let first = ration.take();
        assert_eq!(size(&first), Some(300));
        drop(first);
        let (second, third) = (ration.take(), ration.take());
        assert_eq!((size(&second), size(&third)), (Some(80), Some(20)));
        drop(second);
        let (fourth, fifth) = (ration.take(), ration.take());
        assert_eq!((size(&fourth), size(&fifth)), (Some(50), Some(10)));
        assert_eq!(size(&ration.take()), None);
    }

    #[test]
    fn each_file_is_worked_on_once_and_never_more_than_the_ration() {
        let sizes: Vec<u64> = (0..200).map(|at| at * 7 % 61).collect();
        let (_root, files) = of_sizes(&sizes);
        let state = Mutex::new((0, 0, Vec::new()));
        largest_first(&files, 90, &|path| {
            let size = path.metadata().unwrap().len();
            {
                let (now, most, seen) = &mut *state.lock().unwrap();
                *now += size;
                *most = u64::max(*most, *now);
                seen.push(path.to_owned());
            }
            std::thread::yield_now();
            state.lock().unwrap().0 -= size;
        });
        let (now, most, mut seen) = state.into_inner().unwrap();
        assert!(now == 0 && most <= 90, "{most}");
        seen.sort();
        let mut all = files;
        all.sort();
        assert_eq!(seen, all);
    }
}
