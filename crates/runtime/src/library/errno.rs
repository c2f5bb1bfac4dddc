//! Numbers of errors, as Linux has them, and their texts, as glibc has them.

/// Number of an error, as a program finds it in `errno`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Errno(pub i32);

macro_rules! errors {
    ($($name:ident $number:literal $text:literal)*) => {
        impl Errno {
            $(#[doc = $text] pub const $name: Self = Self($number);)*
        }

        /// Text of an error by its number.
        pub(super) fn text(number: i32) -> Option<&'static str> {
            match number {
                0 => Some("Success"),
                $($number => Some($text),)*
                _ => None,
            }
        }
    };
}

errors! {
    EPERM 1 "Operation not permitted"
    ENOENT 2 "No such file or directory"
    ESRCH 3 "No such process"
    EINTR 4 "Interrupted system call"
    EIO 5 "Input/output error"
    ENXIO 6 "No such device or address"
    E2BIG 7 "Argument list too long"
    ENOEXEC 8 "Exec format error"
    EBADF 9 "Bad file descriptor"
    ECHILD 10 "No child processes"
    EAGAIN 11 "Resource temporarily unavailable"
    ENOMEM 12 "Cannot allocate memory"
    EACCES 13 "Permission denied"
    EFAULT 14 "Bad address"
    ENOTBLK 15 "Block device required"
    EBUSY 16 "Device or resource busy"
    EEXIST 17 "File exists"
    EXDEV 18 "Invalid cross-device link"
    ENODEV 19 "No such device"
    ENOTDIR 20 "Not a directory"
    EISDIR 21 "Is a directory"
    EINVAL 22 "Invalid argument"
    ENFILE 23 "Too many open files in system"
    EMFILE 24 "Too many open files"
    ENOTTY 25 "Inappropriate ioctl for device"
    ETXTBSY 26 "Text file busy"
    EFBIG 27 "File too large"
    ENOSPC 28 "No space left on device"
    ESPIPE 29 "Illegal seek"
    EROFS 30 "Read-only file system"
    EMLINK 31 "Too many links"
    EPIPE 32 "Broken pipe"
    EDOM 33 "Numerical argument out of domain"
    ERANGE 34 "Numerical result out of range"
    EDEADLK 35 "Resource deadlock avoided"
    ENAMETOOLONG 36 "File name too long"
    ENOLCK 37 "No locks available"
    ENOSYS 38 "Function not implemented"
    ENOTEMPTY 39 "Directory not empty"
    ELOOP 40 "Too many levels of symbolic links"
    EOVERFLOW 75 "Value too large for defined data type"
    EILSEQ 84 "Invalid or incomplete multibyte or wide character"
    ENOTSUP 95 "Operation not supported"
    ETIMEDOUT 110 "Connection timed out"
    ECANCELED 125 "Operation canceled"
}
