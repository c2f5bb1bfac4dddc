//! Job files that cannot be used: each error has the file, the line and what is wrong; nothing panics.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use device::Embedded;
use job::{Error, Expected, Job, Settings, run};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/launch")
}

fn good() -> String {
    std::fs::read_to_string(folder().join("saxpy.toml")).unwrap()
}

/// Reads and, if that is possible, runs a job that is where `saxpy.toml` does.
fn try_job(text: &str) -> Result<(), Error> {
    let job = Job::parse(&folder().join("job.toml"), text, Expected::Compare)?;
    let mut device = Embedded::new("h200")?;
    device.options().budget = 1 << 16;
    let settings = Settings { memory: 1 << 20, ..Settings::default() };
    match run(&job, &mut device, &settings, &mut |_| {}).error {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

/// The message for the good job with one place changed, without the folder.
fn refused(from: &str, to: &str) -> String {
    let good = good();
    assert!(good.contains(from), "the job has no {from}");
    let error = try_job(&good.replacen(from, to, 1)).expect_err(to);
    assert_eq!(error.exit_code(), 2, "{error}");
    error.to_string().replace(&format!("{}/", folder().display()), "")
}

#[test]
fn the_job_is_good_before_it_is_changed() {
    try_job(&good()).unwrap();
}

/// A change to the job that is sound: the text, and the text in its place.
type Change = (&'static str, String);

fn change(from: &'static str, to: &str) -> Change {
    (from, to.to_owned())
}

/// Another type and initial values for buffer `y`.
fn init(ty: &str, init: &str) -> Change {
    const Y: &str = "name = \"y\"\ntype = \"f32\"\nlen = 1000\ninit = { fill = 1 }";
    (Y, format!("name = \"y\"\ntype = \"{ty}\"\nlen = 1000\ninit = {init}"))
}

/// Another first argument of the kernel.
fn first(arg: &str) -> Change {
    change("{ f32 = 2.0 }", arg)
}

fn of_the_module() -> Vec<Change> {
    vec![
        change("module = \"saxpy.ptx\"", ""),
        change("saxpy.ptx", "missing.ptx"),
        change("saxpy.ptx", "saxpy.toml"),
        change("saxpy.ptx", "../launch"),
        change("module = \"saxpy.ptx\"", "module = \"saxpy.ptx\"\nmodul = 1"),
        change("module = \"saxpy.ptx\"", "module = 7"),
    ]
}

fn of_buffers() -> Vec<Change> {
    vec![
        change("name = \"y\"", "name = \"x\""),
        change("name = \"y\"", "name = \"../y\""),
        change("name = \"y\"", "name = \"\""),
        change("type = \"f32\"", "type = \"float\""),
        change("type = \"f32\"", "typ = \"f32\""),
        change("len = 1000", "len = 0"),
        change("len = 1000", "len = -1"),
        change("len = 1000", "len = 9223372036854775807"),
        change("len = 1000", "len = 1000000"),
        change("len = 1000", "len = 1.5"),
        init("f32", "{ }"),
        init("f32", "{ fill = 1, iota = 2 }"),
        init("f32", "{ fill = 1e39 }"),
        init("f16", "{ fill = 65520 }"),
        init("i8", "{ fill = 128 }"),
        init("u32", "{ fill = -1 }"),
        init("u32", "{ fill = 1.0 }"),
        init("u32", "{ fill = \"1\" }"),
        init("f32", "{ fill = 1, seed = 1 }"),
        init("f16", "{ iota = 65000 }"),
        init("u8", "{ iota = 256 }"),
        init("f32", "{ uniform = [1.0, 1.0] }"),
        init("f32", "{ uniform = [0.0, inf] }"),
        init("f64", "{ uniform = [-1e308, 1e308] }"),
        init("u8", "{ uniform = [0, 257] }"),
        init("u8", "{ uniform = [0.0, 1.0] }"),
        init("f32", "{ uniform = [0.0, 1.0, 2.0] }"),
        init("f32", "{ uniform = [0.0, 1.0], seed = -1 }"),
        init("f32", "{ file = \"missing.bin\" }"),
        init("f32", "{ file = \"calls.expected.bin\" }"),
        init("f32", "{ file = \".\" }"),
    ]
}

fn of_symbols() -> Vec<Change> {
    vec![
        change("name = \"coef\"", "name = \"coeff\""),
        change("type = \"f32\"\nvalues = [0.0, 0.5]", ""),
        change("type = \"f32\"\nvalues = [0.0, 0.5]", "values = [0.0, 0.5]"),
        change("values = [0.0, 0.5]", "values = [0.0, 0.5, 1.0]"),
        change("values = [0.0, 0.5]", "values = []"),
        change("values = [0.0, 0.5]", "values = [0.0, 1e99]"),
        change("values = [0.0, 0.5]", "values = [0.0, 0.5]\nfile = \"y.expected.bin\""),
        change("values = [0.0, 0.5]", "file = \"missing.bin\""),
        change("values = [0.0, 0.5]", "file = \"y.expected.bin\""),
    ]
}

fn of_launches() -> Vec<Change> {
    vec![
        change("kernel = \"saxpy\"\n", ""),
        change("grid = [4, 1, 1]", "grid = []"),
        change("grid = [4, 1, 1]", "grid = \"4\""),
        change("grid = [4, 1, 1]", "grid = [4, 1, 1, 1]"),
        change("grid = [4, 1, 1]", "grid = [4, 1, -1]"),
        change("block = [256, 1, 1]", "block = [4294967296, 1, 1]"),
        change("block = [256, 1, 1]", "block = [256, 1, 1]\nshared_bytes = -1"),
        change("block = [256, 1, 1]", "block = [256, 1, 1]\ncluster = [2, 1, 1, 1]"),
        change("block = [256, 1, 1]", "block = [256, 1, 1]\ncooperative = 1"),
        change("{ buffer = \"x\" }", "{ buffer = \"z\" }"),
        change("{ buffer = \"x\" }", "{ buffer = \"x\", offset = -4 }"),
        first("{ f32 = 2.0, offset = 4 }"),
        first("{ f32 = 2.0, i32 = 1 }"),
        first("{ }"),
        first("{ f32 = 1e39 }"),
        first("{ i32 = 2147483648 }"),
        first("{ u64 = -1 }"),
        first("{ bytes_file = \"missing.bin\" }"),
        first("{ half = 2.0 }"),
        first("2.0"),
    ]
}

fn of_outputs() -> Vec<Change> {
    vec![
        change("buffer = \"y\"\nfile", "buffer = \"z\"\nfile"),
        change("buffer = \"y\"\nfile", "file"),
        change("buffer = \"y\"\nfile", "buffer = \"y\"\nsymbol = \"calls\"\nfile"),
        change("y.expected.bin", "missing.bin"),
        change("y.expected.bin", "calls.expected.bin"),
        change("calls.expected.bin", "y.expected.bin"),
        change("symbol = \"calls\"", "symbol = \"count\""),
        change("symbol = \"calls\"", "symbol = \"a/b\""),
        change("type = \"u32\"\nfile", "atol = 1\nfile"),
        change("type = \"u32\"\nfile", "type = \"u64\"\nfile"),
        change("type = \"u32\"\nfile", "type = \"u32\"\natol = -1\nfile"),
        change("type = \"u32\"\nfile", "type = \"u32\"\nrtol = nan\nfile"),
    ]
}

#[test]
fn every_field_is_checked_and_the_message_names_it() {
    let changes = [of_the_module(), of_buffers(), of_symbols(), of_launches(), of_outputs()].concat();
    let reported: Vec<String> = changes
        .into_iter()
        .map(|(from, to)| format!("{}\n    {}", to.replace('\n', " · "), refused(from, &to)))
        .collect();
    insta::assert_snapshot!(reported.join("\n"));
}

#[test]
fn arrays_textures_and_surfaces_are_checked_against_each_other() {
    let array = "[[array]]\nname = \"a\"\nformat = \"f32\"\nwidth = 4\n";
    let texture = |fields: &str| format!("[[texture]]\nname = \"t\"\n{fields}\n");
    let rows = "buffer = \"x\"\nformat = \"f32\"\nwidth = 4\nheight = 2\n";
    for (sections, said) in [
        (
            "[[array]]\nname = \"x\"\nformat = \"f32\"\nwidth = 4\n".to_owned(),
            "another array or buffer has the same name",
        ),
        ("[[array]]\nname = \"a\"\nformat = \"f24\"\nwidth = 4\n".to_owned(), "unknown variant `f24`"),
        ("[[array]]\nname = \"a\"\nformat = \"f32\"\nwidth = 0\n".to_owned(), "at least one texel"),
        (
            "[[array]]\nname = \"a\"\nformat = \"f32\"\nwidth = 4\nchannels = 3\n".to_owned(),
            "texels of 3 channels",
        ),
        (
            "[[array]]\nname = \"a\"\nformat = \"f32\"\nwidth = 200000\n".to_owned(),
            "131072 by 1 by 1 is the most",
        ),
        (format!("{array}file = \"saxpy.toml\"\n"), "and the texels take 16"),
        (format!("{array}cubemap = true\nheight = 5\n"), "the faces of a cube must be square"),
        (texture(""), "expected either array or buffer"),
        (texture("array = \"b\""), "there is no array `b`; there are: none"),
        (array.to_owned() + &texture("array = \"a\"\npitch = 64"), "an array has its own"),
        (texture("buffer = \"x\""), "needs format and width"),
        (texture(&format!("{rows}pitch = 60")), "a multiple of 32 bytes apart, but these are 60 bytes apart"),
        (texture(&format!("{rows}pitch = 64\noffset = 4")), "must begin at a multiple of 512 bytes"),
        (texture(&format!("{rows}pitch = 64\nreference = \"r\"")), "no texture or surface reference `r`"),
        (texture(rows), "rows of memory need height and pitch"),
        (
            texture(&format!("{rows}pitch = 64\naddress_mode = \"round\"")),
            "\"wrap\", \"clamp\", \"mirror\" or \"border\"",
        ),
        ("[[surface]]\nname = \"s\"\narray = \"a\"\n".to_owned(), "there is no array `a`"),
    ] {
        let error = refused("[[launch]]", &format!("{sections}[[launch]]"));
        assert!(error.contains(said), "{sections}: {error}");
    }
    let error = refused("{ f32 = 2.0 }", "{ texture = \"t\" }");
    assert!(error.contains("there is no texture `t`; there are: none"), "{error}");
}

#[test]
fn levels_are_those_of_an_array_and_taken_with_coordinates_from_0_to_1() {
    let array = |more: &str| format!("[[array]]\nname = \"a\"\nformat = \"f32\"\nwidth = 4\n{more}\n");
    let texture = |fields: &str| format!("[[texture]]\nname = \"t\"\narray = \"a\"\n{fields}\n");
    let mipmapped = array("levels = 3");
    for (sections, said) in [
        (array("levels = 4"), "levels: an array of this size has 1 to 3"),
        (array("levels = 0"), "levels: an array of this size has 1 to 3"),
        (array("levels = 3\nfile = \"saxpy.toml\""), "and the texels take 28"),
        (mipmapped.clone() + &texture("level = 3"), "the last level of array `a` is 2"),
        (mipmapped.clone() + &texture(""), "a mipmapped texture takes normalised coordinates"),
        (mipmapped.clone() + &texture("max_anisotropy = 4"), "anisotropic filtering is not supported"),
        (mipmapped.clone() + &texture("mipmap_level_bias = nan"), "finite numbers"),
        (
            mipmapped.clone() + &texture("level = 1\nmipmap_filter_mode = \"linear\""),
            "for an array with levels, all of which are sampled",
        ),
        (array("") + &texture("min_mipmap_level_clamp = 1.0"), "for an array with levels"),
        (
            "[[texture]]\nname = \"t\"\nbuffer = \"x\"\nformat = \"f32\"\nwidth = 4\nlevel = 0\n".to_owned(),
            "a buffer has no levels",
        ),
        (mipmapped + "[[surface]]\nname = \"s\"\narray = \"a\"\nlevel = 3\n", "level 3: the last level"),
    ] {
        let error = refused("[[launch]]", &format!("{sections}[[launch]]"));
        assert!(error.contains(said), "{sections}: {error}");
    }
}

#[test]
fn a_job_without_launches_or_with_broken_toml_is_refused() {
    for text in ["", "module = \"saxpy.ptx\"", "module = ", "[[launch]\n", "\u{0}"] {
        let error = try_job(text).unwrap_err();
        assert!(error.to_string().contains("job.toml"), "{error}");
    }
}

#[test]
fn large_unsigned_numbers_are_written_as_they_are() {
    for number in ["18446744073709551615", "0xffff_ffff_ffff_ffff"] {
        let job = good().replacen("{ f32 = 2.0 }", &format!("{{ u64 = {number} }}"), 1);
        let error = try_job(&job).unwrap_err().to_string();
        assert!(error.contains("8 bytes"), "it is read, and does not fit a float: {error}");
    }
}

#[test]
fn what_is_not_text_is_refused_with_the_byte() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("job.toml");
    std::fs::write(&path, b"module\xff").unwrap();
    let error = Job::read(&path, Expected::Compare).unwrap_err().to_string();
    assert!(error.contains("byte 6 is not UTF-8"), "{error}");
    assert!(Job::read(folder.path(), Expected::Compare).is_err(), "a folder is not a job");
}

/// Lines of a job file, good and bad ones.
fn line() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        Just("\"x\"".to_owned()),
        Just("\"saxpy\"".to_owned()),
        Just("\"f32\"".to_owned()),
        Just("[1, 1, 1]".to_owned()),
        Just("[[1]]".to_owned()),
        Just("\"f32x2\"".to_owned()),
        Just("{ fill = 1 }".to_owned()),
        Just("{ buffer = \"x\" }".to_owned()),
        Just("{ buffer = \"x\", value = 1, len = 2 }".to_owned()),
        Just("[{ fill = { buffer = \"x\", value = 1 } }]".to_owned()),
        Just("[{ struct = [{ null = true }, { f16x2 = [1, 2] }] }]".to_owned()),
        Just("[{ f32 = 1 }, { buffer = \"x\" }, { buffer = \"x\", offset = 3990 }, { i32 = 10 }]".to_owned()),
        any::<i64>().prop_map(|v| v.to_string()),
        any::<f64>().prop_map(|v| format!("{v:?}")),
        (0..2000_u32).prop_map(|v| v.to_string()),
    ];
    let key = prop_oneof![
        Just("name"),
        Just("type"),
        Just("len"),
        Just("init"),
        Just("kernel"),
        Just("grid"),
        Just("block"),
        Just("args"),
        Just("buffer"),
        Just("symbol"),
        Just("file"),
        Just("values"),
        Just("shared_bytes"),
        Just("cluster"),
        Just("cooperative"),
        Just("offset"),
        Just("repeat"),
        Just("steps"),
        Just("fill"),
        Just("copy"),
        Just("from"),
        Just("to"),
    ];
    prop_oneof![
        4 => (key, value).prop_map(|(key, value)| format!("{key} = {value}")),
        1 => prop_oneof![Just("buffer"), Just("symbol"), Just("launch"), Just("step"), Just("output")].prop_map(|t| format!("[[{t}]]")),
    ]
}

proptest! {
    #[test]
    fn any_text_gives_a_job_or_an_error(text in ".{0,200}") {
        let _ = try_job(&text);
    }

    #[test]
    fn any_lines_give_a_run_or_an_error(lines in proptest::collection::vec(line(), 0..30)) {
        let _ = try_job(&format!("module = \"saxpy.ptx\"\n{}", lines.join("\n")));
    }

    #[test]
    fn a_good_job_with_any_piece_replaced_gives_a_run_or_an_error(
        at in 0..600_usize, len in 0..20_usize, with in prop_oneof![".{0,10}", "[0-9]{0,12}", Just("\"x\"".to_owned())],
    ) {
        let good = good(); // ASCII, so any place is a character's
        let (at, end) = (at.min(good.len()), (at + len).min(good.len()));
        let _ = try_job(&format!("{}{with}{}", &good[..at], &good[end..]));
    }
}
