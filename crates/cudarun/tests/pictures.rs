//! Pictures that programs write, next to those that the book shows of them.

use png::{BitDepth, ColorType, Decoder, Encoder};
use std::fs;
use std::io::Cursor;
use std::path::Path;

/// A picture: its kind, width, height and pixels.
#[derive(PartialEq, Eq)]
struct Picture {
    colour: ColorType,
    width: u32,
    height: u32,
    pixels: Vec<u8>,
}

/// A picture in the binary form of PPM or PGM, with 255 as the greatest value.
fn plain(bytes: &[u8]) -> Option<Picture> {
    let mut parts = bytes.splitn(4, u8::is_ascii_whitespace);
    let mut word = || std::str::from_utf8(parts.next()?).ok();
    let (colour, each) = match word()? {
        "P6" => (ColorType::Rgb, 3),
        "P5" => (ColorType::Grayscale, 1),
        _ => return None,
    };
    let (width, height) = (word()?.parse().ok()?, word()?.parse().ok()?);
    let pixels = parts.next()?.strip_prefix(b"255\n")?.to_vec();
    (pixels.len() == each * width as usize * height as usize).then_some(Picture {
        colour,
        width,
        height,
        pixels,
    })
}

fn decoded(file: &[u8]) -> Option<Picture> {
    let mut reader = Decoder::new(Cursor::new(file)).read_info().ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let frame = reader.next_frame(&mut pixels).ok()?;
    pixels.truncate(frame.buffer_size());
    Some(Picture { colour: frame.color_type, width: frame.width, height: frame.height, pixels })
}

fn encoded(picture: &Picture) -> Result<Vec<u8>, png::EncodingError> {
    let mut file = vec![];
    let mut encoder = Encoder::new(&mut file, picture.width, picture.height);
    encoder.set_color(picture.colour);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.pixels)?;
    writer.finish()?;
    Ok(file)
}

/// Compares a picture that a program wrote with the PNG that is committed; with `UPDATE` set, writes that. What is not a picture has
/// none.
pub(crate) fn committed(file: &Path, written: &[u8], test: &str) {
    let now = plain(written).unwrap_or_else(|| panic!("{}: neither PPM nor PGM", file.display()));
    let there = fs::read(file).ok().and_then(|file| decoded(&file));
    if std::env::var_os("UPDATE").is_some() && there.as_ref() != Some(&now) {
        fs::create_dir_all(file.parent().expect("a folder")).expect("made");
        fs::write(file, encoded(&now).expect("a PNG")).expect("written");
        return;
    }
    let name = file.display();
    assert!(there == Some(now), "{name} is not what there is today; run `UPDATE=1 cargo test {test}`");
}

#[test]
fn only_a_whole_picture_is_one() {
    let read = |bytes: &[u8]| plain(bytes).map(|picture| (picture.width, picture.height, picture.pixels));
    assert_eq!(read(b"P5\n2 1\n255\nab"), Some((2, 1, b"ab".to_vec())));
    for wrong in
        [&b"P5\n2 1\n255\na"[..], b"P5\n2 1\n15\nab", b"P3\n2 1\n255\nab", b"P6\n2 1\n255\nab", b"P5\n2", b""]
    {
        assert_eq!(read(wrong), None);
    }
    let picture = plain(b"P6\n1 2\n255\nabcdef").expect("one");
    assert!(decoded(&encoded(&picture).expect("a PNG")) == Some(picture));
}
