//! Standard streams and files.

use crate::guest::Program;
use runtime::{
    Signal,
    library::{Access, Errno, FileSystem, Folder, NoFiles, Standard, relative},
};
use std::fs;

fn open(program: &mut Program, path: &str, mode: &str) -> u64 {
    let (path, mode) = (program.text(path), program.text(mode));
    program.call("fopen", &[path, mode])
}

fn file(program: &Program, path: &str) -> Option<String> {
    let found = program.files.files().into_iter().find(|(name, _)| name == path);
    found.map(|(_, bytes)| String::from_utf8_lossy(&bytes).into_owned())
}

#[test]
fn both_outputs_keep_the_order_in_which_they_were_written() {
    let mut program = Program::new();
    let [out, error] = [1, 2].map(|number| program.call("__standard_stream", &[number]));
    for (text, stream) in [("a", out), ("b\nc", out), ("d", error), ("e", out), ("f\n", error)] {
        let text = program.text(text);
        program.call("fputs", &[text, stream]);
    }
    let written: Vec<(Standard, String)> = program.written();
    let whole: String = written.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(whole, "ab\ncdef\n");
    assert_eq!(written[0], (Standard::Out, "ab\n".to_owned()), "a line is passed on at its end");
    assert_eq!(program.errors(), "df\n");
}

#[test]
fn more_output_than_allowed_ends_the_program_after_what_fits() {
    let mut program = Program::with("", |options| options.limits.output = 10);
    let text = program.text("12345");
    program.call("puts", &[text]);
    let end = program.try_call("puts", &[text]);
    assert_eq!(
        end,
        Err(Signal::Limit("the program has written more than 10 bytes to its output".to_owned()))
    );
    assert_eq!(program.output(), "12345\n1234");
}

#[test]
fn standard_input_is_read_by_lines_characters_and_formats() {
    let mut program = Program::with("first line\nx42 7.5\nrest", |_| {});
    let (stream, buffer) = (program.call("__standard_stream", &[0]), program.guest.put(&[0; 64]));
    assert_eq!(program.call("fgets", &[buffer, 6, stream]), buffer);
    assert_eq!(program.guest.string(buffer), "first");
    program.call("fgets", &[buffer, 64, stream]);
    assert_eq!(program.guest.string(buffer), " line\n");
    assert_eq!(program.call("getchar", &[]), u64::from(b'x'));
    assert_eq!(program.call("ungetc", &[u64::from(b'1'), stream]), u64::from(b'1'));
    let (format, number, real) =
        (program.text("%d %lf"), program.guest.cells(&[0]), program.guest.cells(&[0]));
    assert_eq!(program.variadic("scanf", &[format], &[number, real]), 2);
    assert_eq!((program.guest.int(number), program.guest.double(real)), (142, 7.5));
    let (line, size) = (program.guest.cells(&[0]), program.guest.cells(&[0]));
    assert_eq!(program.call("getline", &[line, size, stream]), 1);
    assert_eq!(program.call("getline", &[line, size, stream]), 4);
    let found = program.guest.long(line) as u64;
    assert_eq!(program.guest.string(found), "rest");
    assert_eq!(program.call("getline", &[line, size, stream]) as i64, -1);
    assert_eq!(program.call("feof", &[stream]), 1);
    assert_eq!(program.int("getchar", &[]), -1);
    assert_eq!(program.variadic("scanf", &[format], &[number, real]) as i32, -1);
}

#[test]
fn a_file_is_written_and_read_back() {
    let mut program = Program::new();
    let stream = open(&mut program, "out.txt", "w");
    let format = program.text("%d,%s\n");
    let text = program.text("text");
    assert_eq!(program.variadic("fprintf", &[stream, format], &[5, text]), 7);
    assert_eq!(program.call("ftell", &[stream]), 7);
    assert_eq!(program.call("fclose", &[stream]), 0);
    assert_eq!(file(&program, "out.txt").as_deref(), Some("5,text\n"));

    let stream = open(&mut program, "./out.txt", "r");
    let buffer = program.guest.put(&[0; 16]);
    assert_eq!(program.call("fread", &[buffer, 3, 5, stream]), 2, "whole elements count");
    assert_eq!(program.call("feof", &[stream]), 1);
    assert_eq!(program.call("fseek", &[stream, 2, 0]), 0);
    assert_eq!(program.call("feof", &[stream]), 0);
    assert_eq!(program.call("fgetc", &[stream]), u64::from(b't'));
    assert_eq!(program.call("ftell", &[stream]), 3);
    assert_eq!(program.call("fseek", &[stream, -1i64 as u64, 2]), 0);
    assert_eq!(program.call("fgetc", &[stream]), u64::from(b'\n'));
    program.call("rewind", &[stream]);
    assert_eq!(program.call("fgetc", &[stream]), u64::from(b'5'));
    assert_eq!(program.int("fputc", &[65, stream]), -1, "it is open for reading only");
    assert_eq!(program.call("ferror", &[stream]), 1);
}

#[test]
fn what_is_appended_goes_to_the_end_and_what_is_both_read_and_written_to_its_place() {
    let mut program = Program::new();
    program.files.insert("a", b"0123456789".to_vec());
    let stream = open(&mut program, "a", "r+");
    let buffer = program.guest.put(b"xyz");
    assert_eq!(program.call("fgetc", &[stream]), u64::from(b'0'));
    program.call("fseek", &[stream, 0, 1]);
    assert_eq!(program.call("fwrite", &[buffer, 1, 3, stream]), 3);
    program.call("fseek", &[stream, 0, 1]);
    assert_eq!(program.call("fgetc", &[stream]), u64::from(b'4'));
    program.call("fclose", &[stream]);
    let stream = open(&mut program, "a", "a");
    program.call("fwrite", &[buffer, 1, 2, stream]);
    assert_eq!(program.call("ftell", &[stream]), 12);
    program.library.flush().expect("no limit");
    assert_eq!(file(&program, "a").as_deref(), Some("0xyz456789xy"));
}

#[test]
fn a_file_that_is_not_there_is_a_null_pointer_with_errno() {
    let mut program = Program::new();
    assert_eq!(open(&mut program, "none", "r"), 0);
    assert_eq!(program.errno(), 2);
    let before = program.text("open");
    program.call("perror", &[before]);
    assert_eq!(program.errors(), "open: No such file or directory\n");
    assert_eq!(open(&mut program, "none", "q"), 0);
    assert_eq!(program.errno(), 22);
    assert_eq!(program.mistakes(), [""; 0]);
    let buffer = program.guest.put(&[0; 8]);
    assert!(matches!(
        program.try_call("fread", &[buffer, 1, 8, 0]),
        Err(Signal::Segmentation { address: 0, .. })
    ));
    assert_eq!(
        program.library.findings.all()[0].message,
        "`fread`: the stream is a null pointer; did `fopen` fail?"
    );
}

#[test]
fn a_stream_that_was_closed_is_reported_and_a_second_close_aborts() {
    let mut program = Program::new();
    let stream = open(&mut program, "a", "w");
    program.call("fclose", &[stream]);
    assert_eq!(program.int("fputc", &[65, stream]), -1);
    assert_eq!(program.try_call("fclose", &[stream]), Err(Signal::Abort));
    assert_eq!(program.mistakes(), ["bad-stream", "double-close"]);
    assert_eq!(program.library.findings.all()[1].others.len(), 2);
}

#[test]
fn no_path_leaves_the_folder() {
    for (path, expected) in [
        ("a/../b//./c", Ok("b/c".to_owned())),
        ("a/..", Ok(String::new())),
        ("../a", Err(Errno::EACCES)),
        ("a/../../b", Err(Errno::EACCES)),
        ("/etc/passwd", Err(Errno::EACCES)),
        ("C:\\a", Err(Errno::EACCES)),
        ("", Err(Errno::ENOENT)),
    ] {
        assert_eq!(relative(path.as_bytes()), expected, "{path}");
    }
    let mut program = Program::new();
    assert_eq!(open(&mut program, "../secret", "r"), 0);
    assert_eq!(program.errno(), 13);
    assert_eq!(
        program.library.findings.all()[0].message,
        "`fopen`: `../secret` is outside the folder that the program may use"
    );
}

#[test]
fn a_folder_of_the_machine_gives_its_files_and_nothing_through_links() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("root");
    fs::create_dir(&root).expect("a folder");
    fs::write(folder.path().join("secret"), "secret").expect("a file");
    fs::write(root.join("known"), "known").expect("a file");
    let read = Access { read: true, ..Access::default() };
    let write = Access { write: true, create: true, ..Access::default() };
    let mut files = Folder::new(root.clone(), false);
    let mut bytes = [0; 9];
    assert_eq!(files.open("known", read).and_then(|mut file| file.read_at(1, &mut bytes)), Ok(4));
    assert_eq!(files.open("new", write).map(|_| ()), Err(Errno::EROFS));
    assert_eq!(files.remove("known"), Err(Errno::EROFS));
    assert_eq!(files.open("", read).map(|_| ()), Err(Errno::EISDIR));
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(folder.path().join("secret"), root.join("link")).expect("a link");
        std::os::unix::fs::symlink(folder.path(), root.join("up")).expect("a link");
        assert_eq!(files.open("link", read).map(|_| ()), Err(Errno::EACCES));
        assert_eq!(files.open("up/secret", read).map(|_| ()), Err(Errno::EACCES));
        assert_eq!(files.status("up/secret"), Err(Errno::EACCES));
    }
    let mut files = Folder::new(root.clone(), true);
    assert_eq!(files.make_folder("sub"), Ok(()));
    assert_eq!(files.open("sub/new", write).and_then(|mut file| file.write_at(2, b"xy")), Ok(()));
    assert_eq!(fs::read(root.join("sub/new")).expect("a file"), b"\0\0xy");
    assert_eq!(files.rename("sub/new", "moved"), Ok(()));
    assert_eq!(files.remove("sub"), Ok(()));
    assert_eq!(files.status("moved").map(|status| status.bytes), Ok(4));
}

#[test]
fn a_program_without_files_may_still_have_temporary_ones() {
    let mut program = Program::with("", |options| options.files = Box::new(NoFiles));
    assert_eq!(open(&mut program, "a", "w"), 0);
    assert_eq!(program.mistakes(), ["refused-file"]);
    let stream = program.call("tmpfile", &[]);
    let text = program.text("kept");
    program.call("fputs", &[text, stream]);
    program.call("rewind", &[stream]);
    assert_eq!(program.call("fgetc", &[stream]), u64::from(b'k'));
}

#[test]
fn more_bytes_in_files_than_allowed_end_the_program() {
    let mut program = Program::with("", |options| options.limits.files = 1000);
    let stream = open(&mut program, "a", "w");
    program.call("fseek", &[stream, 1 << 40, 0]);
    program.call("fputc", &[65, stream]);
    let end = program.try_call("fclose", &[stream]);
    assert_eq!(end, Err(Signal::Limit("the program has written more than 1000 bytes to files".to_owned())));
}

#[test]
fn descriptors_read_and_write_without_buffers() {
    let mut program = Program::new();
    let (path, text, buffer) = (program.text("a"), program.guest.put(b"abcdef"), program.guest.put(&[0; 8]));
    let number = program.variadic("open", &[path, 0o102], &[0o644]);
    assert_eq!(number, 3);
    assert_eq!(program.call("write", &[number, text, 6]), 6);
    assert_eq!(program.call("lseek", &[number, 2, 0]), 2);
    assert_eq!(program.call("read", &[number, buffer, 8]), 4);
    assert_eq!(program.guest.string(buffer), "cdef");
    assert_eq!(program.call("close", &[number]), 0);
    assert_eq!(program.call("read", &[number, buffer, 8]) as i64, -1);
    assert_eq!(program.errno(), 9);
    assert_eq!(program.call("write", &[1, text, 3]), 3);
    assert_eq!(program.output(), "abc");
}

#[test]
fn a_stream_that_is_reopened_writes_to_the_file() {
    let mut program = Program::new();
    let (path, mode, out) = (program.text("log"), program.text("w"), program.call("__standard_stream", &[1]));
    assert_eq!(program.call("freopen", &[path, mode, out]), out);
    let text = program.text("to the file");
    program.call("puts", &[text]);
    assert_eq!(program.output(), "");
    assert_eq!(file(&program, "log").as_deref(), Some("to the file\n"));
}

#[test]
fn files_are_removed_renamed_and_asked_about() {
    let mut program = Program::new();
    program.files.insert("a", b"12345".to_vec());
    let (a, b, folder) = (program.text("a"), program.text("b"), program.text("folder"));
    let status = program.guest.put(&[0; 144]);
    assert_eq!(program.call("stat", &[a, status]), 0);
    assert_eq!(program.guest.long(status + 48), 5);
    assert_eq!(program.call("rename", &[a, b]), 0);
    assert_eq!(program.int("access", &[a, 0]), -1);
    assert_eq!(program.call("mkdir", &[folder, 0o755]), 0);
    assert_eq!(program.int("mkdir", &[folder, 0o755]), -1);
    assert_eq!(program.errno(), 17);
    assert_eq!(program.int("rmdir", &[b]), -1);
    assert_eq!(program.call("rmdir", &[folder]), 0);
    assert_eq!(program.call("remove", &[b]), 0);
    assert_eq!(program.files.files(), []);
}

#[test]
fn a_folder_is_read_by_names_and_paths_begin_in_the_one_entered() {
    let mut program = Program::new();
    program.files.insert("data/b", b"1".to_vec());
    program.files.insert("data/a/c", b"2".to_vec());
    program.files.insert("other", vec![]);
    let path = program.text("data");
    let folder = program.call("opendir", &[path]);
    let mut found = vec![];
    while program.call("readdir", &[folder]) == folder {
        found.push((program.guest.bytes(folder + 18, 1)[0], program.guest.string(folder + 19)));
    }
    let expected = [(4, "."), (4, ".."), (4, "a"), (8, "b")].map(|(kind, name)| (kind, name.to_owned()));
    assert_eq!(found, expected);
    assert_eq!(program.call("closedir", &[folder]), 0);
    let file = program.text("other");
    assert_eq!(program.call("opendir", &[file]), 0);
    assert_eq!(program.errno(), 20);
    assert_eq!(program.int("chdir", &[file]), -1);
    assert_eq!(program.call("chdir", &[path]), 0);
    let (to, up, whole) =
        (program.guest.put(&[0; 64]), program.text("../other"), program.text("/program/data/b"));
    assert_eq!(program.call("getcwd", &[to, 64]), to);
    assert_eq!(program.guest.string(to), "/program/data");
    assert_eq!(program.call("getcwd", &[to, 13]), 0);
    assert_eq!(program.errno(), 34);
    for path in [up, whole] {
        assert_eq!(program.call("access", &[path, 0]), 0);
    }
    assert_eq!(program.mistakes(), [""; 0]);
    program.try_call("readdir", &[folder]).expect_err("closed");
    assert_eq!(program.mistakes(), ["bad-stream"]);
}

#[test]
fn pages_have_zeros_or_the_bytes_of_a_file() {
    let mut program = Program::new();
    program.files.insert("data", b"12345".to_vec());
    let (read_write, private, anonymous) = (3, 2, 0x22);
    let pages = program.call("mmap", &[0, 5000, read_write, anonymous, u64::MAX, 0]);
    assert_eq!(pages % 4096, 0);
    assert_eq!(program.guest.bytes(pages, 8192), [0; 8192]);
    assert_eq!(program.call("munmap", &[pages, 5000]), 0);
    assert_eq!(program.int("munmap", &[pages, 5000]), -1);
    let path = program.text("data");
    let file = program.variadic("open", &[path, 0], &[]);
    let mapped = program.call("mmap", &[0, 5, 1, private, file, 0]);
    assert_eq!(program.guest.string(mapped), "12345");
    assert_eq!(program.call("mmap", &[0, 0, 1, private, file, 0]), u64::MAX);
    assert_eq!(program.errno(), 22);
    assert_eq!(program.mistakes(), [""; 0]);
    program.call("mmap", &[0, 5, read_write, 1, file, 0]);
    assert_eq!(program.mistakes(), ["refused"]);
}

#[test]
fn what_is_not_buffered_is_passed_on_as_it_is_written() {
    let mut program = Program::new();
    let out = program.call("__standard_stream", &[1]);
    program.call("setvbuf", &[out, 0, 2, 0]);
    for byte in [b'a', b'b'] {
        program.call("putchar", &[byte.into()]);
    }
    assert_eq!(program.written(), [(Standard::Out, "a".to_owned()), (Standard::Out, "b".to_owned())]);
}

#[test]
fn a_size_that_is_too_large_is_no_mistake_unless_that_many_bytes_come() {
    let mut program = Program::with("short\nlonger line\n", |_| {});
    let (stream, block) = (program.call("__standard_stream", &[0]), program.call("malloc", &[8]));
    program.call("fgets", &[block, 100, stream]);
    assert_eq!(program.mistakes(), [""; 0]);
    program.call("fgets", &[block, 100, stream]);
    assert_eq!(
        program.library.findings.all()[0].message,
        "`fgets` writes 13 bytes of a block of 8 bytes, 5 too many"
    );
    let end = program.call("fread", &[block, 1, 100, stream]);
    assert_eq!((end, program.mistakes().len()), (0, 1));
}
