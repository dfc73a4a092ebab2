//! The properties of a file besides its text.

use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

use rustix::fs::{Gid, Uid, fchown};

/// Copies the properties of `old` to `new`, as far as possible. Returns whether `new` has all of them, so that it may replace
/// `old`.
pub(super) fn carry_over(old: &File, of_old: &Metadata, new: &File) -> io::Result<bool> {
    // Other hard links would keep the old text.
    if of_old.nlink() != 1 {
        return Ok(false);
    }
    let of_new = new.metadata()?;
    let is_owned = (of_old.uid(), of_old.gid()) == (of_new.uid(), of_new.gid());
    let owner = (Some(Uid::from_raw(of_old.uid())), Some(Gid::from_raw(of_old.gid())));
    if !is_owned && fchown(new, owner.0, owner.1).is_err() {
        return Ok(false);
    }
    // Set after the owner, because changing the owner clears bits.
    new.set_permissions(Permissions::from_mode(of_old.mode() & 0o7777))?;
    Ok(attributes(old, new).is_ok())
}

/// Gives `new` the extended attributes of `old`, access lists among them.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn attributes(old: &File, new: &File) -> io::Result<()> {
    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fsetxattr};
    use rustix::io::Errno;

    /// The maximum length of a list and of a value in the kernel.
    const MOST: usize = 64 * 1024;
    let mut names = Vec::with_capacity(MOST);
    match flistxattr(old, rustix::buffer::spare_capacity(&mut names)) {
        Err(Errno::NOTSUP) => return Ok(()),
        listed => listed?,
    };
    for name in names.split(|byte| *byte == 0).filter(|name| !name.is_empty()) {
        let value = |file: &File| {
            let mut value = Vec::with_capacity(MOST);
            fgetxattr(file, name, rustix::buffer::spare_capacity(&mut value)).map(|_| value)
        };
        let wanted = value(old)?;
        // Labels of the system come from the directory, and cannot be set.
        if value(new).is_ok_and(|present| present == wanted) {
            continue;
        }
        fsetxattr(new, name, &wanted, XattrFlags::empty())?;
    }
    Ok(())
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn attributes(_: &File, _: &File) -> io::Result<()> {
    Ok(())
}
