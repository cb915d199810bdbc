//! The glue between SQLite and the disk of a test: a VFS around the system's own, registered as the default.
//!
//! Knows SQLite's C interface, and is the one file with `unsafe` in it. Refuses to decide what fails: it asks for the fate
//! of each call that changes anything, and notes what was changed. All else goes to the system's VFS unseen.

#![allow(unsafe_code)]

use std::ffi::{CStr, OsStr, c_char, c_int, c_void};
use std::fs;
use std::mem::size_of;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use rusqlite::ffi;

use super::{Call, Change, Fate, Trouble};

/// The system's VFS, which lives as long as the process.
struct Real(*mut ffi::sqlite3_vfs);

// SAFETY: the pointer is only handed back to SQLite, whose VFS objects may be used from every thread.
unsafe impl Send for Real {}
// SAFETY: as above; nothing is ever written through it.
unsafe impl Sync for Real {}

static REAL: OnceLock<Real> = OnceLock::new();

/// An open file as SQLite sees it; the system's own file object lies right behind it.
#[repr(C)]
struct File {
    base: ffi::sqlite3_file,
    /// Null for a file without a name.
    path: *mut PathBuf,
}

static METHODS: ffi::sqlite3_io_methods = ffi::sqlite3_io_methods {
    // The second version has shared memory and no memory mapping, which would pass this disk by.
    iVersion: 2,
    xClose: Some(close),
    xRead: Some(read),
    xWrite: Some(write),
    xTruncate: Some(truncate),
    xSync: Some(sync),
    xFileSize: Some(xFileSize),
    xLock: Some(xLock),
    xUnlock: Some(xUnlock),
    xCheckReservedLock: Some(xCheckReservedLock),
    xFileControl: Some(xFileControl),
    xSectorSize: Some(xSectorSize),
    xDeviceCharacteristics: Some(xDeviceCharacteristics),
    xShmMap: Some(xShmMap),
    xShmLock: Some(xShmLock),
    xShmBarrier: Some(shm_barrier),
    xShmUnmap: Some(shm_unmap),
    xFetch: None,
    xUnfetch: None,
};

/// Registers this VFS, once.
pub(super) fn register() {
    REAL.get_or_init(|| {
        // SAFETY: with no name, SQLite gives its default VFS, which is there for good.
        let real = unsafe { ffi::sqlite3_vfs_find(std::ptr::null()) };
        // SAFETY: see above; it is copied, nothing else. The methods that are taken over as they are ignore the object
        // they are called with, as all of the system's VFS do but `xOpen`.
        let mut vfs = unsafe { *real };
        vfs.szOsFile += c_int::try_from(size_of::<File>()).unwrap();
        vfs.pNext = std::ptr::null_mut();
        vfs.zName = c"disk-of-a-test".as_ptr();
        vfs.xOpen = Some(open);
        vfs.xDelete = Some(delete);
        let vfs = Box::leak(Box::new(vfs));
        // SAFETY: the object is leaked, so that it lives as long as SQLite may use it.
        let code = unsafe { ffi::sqlite3_vfs_register(vfs, 1) };
        assert_eq!(code, ffi::SQLITE_OK);
        Real(real)
    });
}

fn real_vfs() -> *mut ffi::sqlite3_vfs {
    REAL.get().unwrap().0
}

/// The system's file object behind ours.
fn real(file: *mut ffi::sqlite3_file) -> *mut ffi::sqlite3_file {
    // SAFETY: `szOsFile` was raised by the size of `File`, so SQLite gave that much more room.
    unsafe { file.cast::<File>().add(1).cast() }
}

fn path(file: *mut ffi::sqlite3_file) -> Option<&'static Path> {
    // SAFETY: SQLite calls with files that `open` filled in and `close` has not seen; the reference is used in that call.
    unsafe { (*file.cast::<File>()).path.as_ref().map(PathBuf::as_path) }
}

fn named(name: *const c_char) -> PathBuf {
    // SAFETY: SQLite's names end with a zero and outlive the call.
    let name = unsafe { CStr::from_ptr(name) };
    PathBuf::from(OsStr::from_bytes(name.to_bytes()))
}

/// Calls a method of the system's file object.
macro_rules! ask {
    ($method:ident($file:expr $(, $argument:expr)*)) => {{
        let file = real($file);
        // SAFETY: `xOpen` of the system's VFS filled the object in, and the arguments are SQLite's own or ours of the
        // same kind.
        unsafe { (*(*file).pMethods).$method.unwrap()(file $(, $argument)*) }
    }};
}

/// Methods that the system's file object answers alone.
macro_rules! pass_on {
    ($($method:ident($($argument:ident: $kind:ty),*);)*) => {$(
        #[allow(non_snake_case)]
        unsafe extern "C" fn $method(file: *mut ffi::sqlite3_file $(, $argument: $kind)*) -> c_int {
            ask!($method(file $(, $argument)*))
        }
    )*};
}

pass_on! {
    xFileSize(size: *mut i64);
    xLock(level: c_int);
    xUnlock(level: c_int);
    xCheckReservedLock(answer: *mut c_int);
    xFileControl(what: c_int, argument: *mut c_void);
    xSectorSize();
    xDeviceCharacteristics();
    xShmMap(region: c_int, size: c_int, extend: c_int, at: *mut *mut c_void);
    xShmLock(offset: c_int, n: c_int, flags: c_int);
}

/// What SQLite is told of a call that does not go well.
fn code(call: Call, fate: Fate) -> c_int {
    match (call, fate) {
        (_, Fate::Well) => ffi::SQLITE_OK,
        (_, Fate::Dead | Fate::Dies) => ffi::SQLITE_IOERR,
        (Call::Write, Fate::Fails(Trouble::Full)) => ffi::SQLITE_FULL,
        (Call::Write | Call::Truncate | Call::Delete, Fate::Fails(Trouble::ReadOnly)) => {
            ffi::SQLITE_READONLY
        }
        (Call::Write, Fate::Fails(Trouble::Io)) => ffi::SQLITE_IOERR_WRITE,
        (Call::Truncate, Fate::Fails(_)) => ffi::SQLITE_IOERR_TRUNCATE,
        (Call::Delete, Fate::Fails(_)) => ffi::SQLITE_IOERR_DELETE,
        // A full disk, too, may show as late as here.
        (Call::Sync, Fate::Fails(_)) => ffi::SQLITE_IOERR_FSYNC,
    }
}

unsafe extern "C" fn open(
    _: *mut ffi::sqlite3_vfs,
    name: ffi::sqlite3_filename,
    file: *mut ffi::sqlite3_file,
    flags: c_int,
    out_flags: *mut c_int,
) -> c_int {
    // SAFETY: SQLite gave room for a `File`; without methods it is not closed.
    unsafe { (*file).pMethods = std::ptr::null() };
    if super::is_dead() {
        return ffi::SQLITE_CANTOPEN;
    }
    let path = (!name.is_null()).then(|| named(name));
    let was_there = path.as_ref().is_some_and(|path| path.exists());
    // SAFETY: name and flags are SQLite's own, and the object behind ours has the room that the system's VFS asked for.
    let opened =
        unsafe { (*real_vfs()).xOpen.unwrap()(real_vfs(), name, real(file), flags, out_flags) };
    if opened != ffi::SQLITE_OK {
        return opened;
    }
    if let Some(path) = path.as_ref().filter(|_| !was_there) {
        super::note_new(path);
    }
    let path = path.map_or(std::ptr::null_mut(), |path| Box::into_raw(Box::new(path)));
    // SAFETY: as above; `close` takes the name back.
    unsafe {
        file.cast::<File>().write(File {
            base: ffi::sqlite3_file { pMethods: &METHODS },
            path,
        });
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn delete(
    _: *mut ffi::sqlite3_vfs,
    name: *const c_char,
    sync_folder: c_int,
) -> c_int {
    let fate = super::fate();
    if fate != Fate::Well {
        return code(Call::Delete, fate);
    }
    let path = named(name);
    // Nobody holds locks on a file that is deleted, so it may be opened and closed.
    let was = fs::read(&path).ok();
    // SAFETY: the name is SQLite's own.
    let deleted = unsafe { (*real_vfs()).xDelete.unwrap()(real_vfs(), name, sync_folder) };
    if deleted == ffi::SQLITE_OK {
        super::note_delete(&path, was);
        if sync_folder != 0 {
            super::note_folder_sync(&path);
        }
    }
    deleted
}

unsafe extern "C" fn close(file: *mut ffi::sqlite3_file) -> c_int {
    let closed = ask!(xClose(file));
    // SAFETY: `open` made the name with `Box::into_raw`, and a file is closed once.
    unsafe {
        let path = (*file.cast::<File>()).path;
        if !path.is_null() {
            drop(Box::from_raw(path));
        }
    }
    closed
}

unsafe extern "C" fn read(
    file: *mut ffi::sqlite3_file,
    into: *mut c_void,
    size: c_int,
    at: i64,
) -> c_int {
    if super::is_dead() {
        return ffi::SQLITE_IOERR_READ;
    }
    ask!(xRead(file, into, size, at))
}

unsafe extern "C" fn write(
    file: *mut ffi::sqlite3_file,
    from: *const c_void,
    size: c_int,
    at: i64,
) -> c_int {
    let fate = super::fate();
    let written = match fate {
        Fate::Well => size,
        Fate::Fails(Trouble::Full) | Fate::Dies => size / 2,
        Fate::Fails(_) | Fate::Dead => return code(Call::Write, fate),
    };
    // SAFETY: SQLite gives as many bytes as it says.
    let new = unsafe { std::slice::from_raw_parts(from.cast::<u8>(), index(written)) };
    let change = change(file, at, i64::from(written));
    let done = ask!(xWrite(file, from, written, at));
    if let Some(path) = path(file) {
        let new = Some(new.to_vec());
        super::note_change(path, Change { new, ..change });
    }
    if done == ffi::SQLITE_OK {
        return code(Call::Write, fate);
    }
    done
}

unsafe extern "C" fn truncate(file: *mut ffi::sqlite3_file, size: i64) -> c_int {
    let fate = super::fate();
    if fate != Fate::Well {
        return code(Call::Truncate, fate);
    }
    let change = change(file, size, i64::MAX);
    let done = ask!(xTruncate(file, size));
    if let Some(path) = path(file) {
        super::note_change(path, change);
    }
    done
}

unsafe extern "C" fn sync(file: *mut ffi::sqlite3_file, flags: c_int) -> c_int {
    let fate = super::fate();
    if fate != Fate::Well {
        return code(Call::Sync, fate);
    }
    let done = ask!(xSync(file, flags));
    if let Some(path) = path(file).filter(|_| done == ffi::SQLITE_OK) {
        super::note_sync(path);
    }
    done
}

unsafe extern "C" fn shm_barrier(file: *mut ffi::sqlite3_file) {
    ask!(xShmBarrier(file));
}

/// Who is dead deletes nothing.
unsafe extern "C" fn shm_unmap(file: *mut ffi::sqlite3_file, delete: c_int) -> c_int {
    let delete = if super::is_dead() { 0 } else { delete };
    ask!(xShmUnmap(file, delete))
}

/// What lies at a place that is about to be changed.
fn change(file: *mut ffi::sqlite3_file, at: i64, size: i64) -> Change {
    let mut size_before = 0;
    assert_eq!(ask!(xFileSize(file, &mut size_before)), ffi::SQLITE_OK);
    let there = size_before.saturating_sub(at).clamp(0, size);
    let length = c_int::try_from(there).unwrap();
    let mut old = vec![0; index(length)];
    if length > 0 {
        let into = old.as_mut_ptr().cast();
        assert_eq!(ask!(xRead(file, into, length, at)), ffi::SQLITE_OK);
    }
    Change {
        at: u64::try_from(at).unwrap(),
        old,
        new: None,
        size_before: u64::try_from(size_before).unwrap(),
    }
}

fn index(size: c_int) -> usize {
    usize::try_from(size).unwrap()
}
