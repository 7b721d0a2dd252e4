//! Files: only regular ones of a sane size are read; what is written is there as a whole or not at all.

use std::fmt;
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Larger files are not read: the longest game with a note on each move needs a hundredth of it.
pub const MAX_BYTES: u64 = 4 << 20;

/// Why a file cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// There is no such file.
    Missing,
    /// There is no such folder to write in.
    NoFolder,
    /// It is a folder.
    Folder,
    /// It is a pipe, a device or the like.
    Special,
    /// It may not be written.
    ReadOnly,
    /// It has so many bytes.
    TooBig(u64),
    /// The system says this.
    System(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::Missing => write!(f, "there is no such file"),
            FileError::NoFolder => write!(f, "there is no such folder; expected one that exists"),
            FileError::Folder => write!(f, "it is a folder; expected a file"),
            FileError::Special => write!(f, "it is a pipe or a device; expected a file"),
            FileError::ReadOnly => write!(f, "the file is read-only; expected another name, or leave to write it"),
            FileError::TooBig(bytes) => write!(f, "the file has {bytes} bytes; expected at most {MAX_BYTES}"),
            FileError::System(why) => write!(f, "{why}"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> FileError {
        FileError::System(error.to_string())
    }
}

/// Reads a regular file. Its kind and size are looked at first: opening a pipe would wait for a writer.
pub(super) fn read(path: &Path) -> Result<Vec<u8>, FileError> {
    let metadata = match fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(FileError::Missing),
        metadata => metadata?,
    };
    check_kind(&metadata)?;
    let too_big = |bytes: u64| if bytes > MAX_BYTES { Err(FileError::TooBig(bytes)) } else { Ok(()) };
    too_big(metadata.len())?;
    let mut bytes = Vec::new();
    // It may have grown, or be one of those that the system makes up while they are read.
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    too_big(bytes.len() as u64)?;
    Ok(bytes)
}

fn check_kind(metadata: &Metadata) -> Result<(), FileError> {
    match metadata {
        metadata if metadata.is_dir() => Err(FileError::Folder),
        metadata if metadata.is_file() => Ok(()),
        _ => Err(FileError::Special),
    }
}

/// Writes a file: beside its place first, forced to the disk, then moved there. A link stays one, and its target is written.
pub(super) fn write(path: &Path, text: &str) -> Result<(), FileError> {
    let target = target_of(path)?;
    let old = match fs::metadata(&target) {
        Ok(old) => {
            check_kind(&old)?;
            Some(old.permissions())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error.into()),
    };
    if old.as_ref().is_some_and(fs::Permissions::readonly) {
        return Err(FileError::ReadOnly);
    }
    let folder = match target.parent() {
        None => return Err(FileError::Folder),
        Some(folder) if folder.as_os_str().is_empty() => Path::new("."),
        Some(folder) => folder,
    };
    if !folder.is_dir() {
        return Err(FileError::NoFolder);
    }
    // Its name, which the error would tell, is nobody's business.
    let mut draft = draft_in(folder).map_err(|error| FileError::System(error.kind().to_string()))?;
    if let Some(permissions) = old {
        draft.as_file().set_permissions(permissions)?;
    }
    draft.write_all(text.as_bytes())?;
    draft.as_file().sync_all()?;
    draft.persist(&target).map_err(|error| error.error)?;
    sync_folder(folder);
    Ok(())
}

/// The file itself, where `path` is a link.
fn target_of(path: &Path) -> Result<PathBuf, FileError> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_symlink() => match fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Err(FileError::System("it is a link that leads nowhere; expected a file".into()))
            }
            target => Ok(target?),
        },
        _ => Ok(path.to_owned()),
    }
}

/// A new file with the rights that new files have; it is gone again unless it is moved to its place.
fn draft_in(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".inarow-");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Makes the new name last through a power cut. Some file systems cannot; the file is there all the same.
fn sync_folder(folder: &Path) {
    if cfg!(unix) {
        let _ = File::open(folder).and_then(|folder| folder.sync_all());
    }
}
