//! The picture as a file, and the hash by which the book knows it.

use super::oracle::{Oracle, Picture};
use crate::plan::Artifact;
use record::Check;
use std::sync::Arc;

/// The check whose finding is the picture's hash.
pub(super) const CHECK: &str = "picture-sha256";

/// The picture as PNG, once it was found right.
pub(super) fn artifact(oracle: &Arc<Oracle>, pictured: Picture) -> Artifact {
    let oracle = Arc::clone(oracle);
    let bytes = move || {
        let pixels = oracle.picture(pictured)?;
        png(pictured.view.width, pictured.view.height, &pixels)
    };
    Artifact { file: "picture.png", bytes: Arc::new(bytes) }
}

/// Says which picture it was.
pub(super) fn check(oracle: &Oracle, pictured: Picture) -> Check {
    let pixels = oracle.picture(pictured);
    Check {
        id: CHECK.to_owned(),
        what: format!(
            "the picture of {} × {} pixels, which is the same on every device: SHA-256 of red, green and blue of its pixels",
            pictured.view.width, pictured.view.height
        ),
        passed: pixels.is_some(),
        found: pixels.map_or_else(|| "there is none".to_owned(), |pixels| kernels::sha256(rgb(&pixels))),
        outputs: vec![],
    }
}

/// Bytes of the pixels without the alpha, which all of them share.
fn rgb(pixels: &[u32]) -> Vec<u8> {
    pixels.iter().flat_map(|pixel| pixel.to_le_bytes().into_iter().take(3)).collect()
}

/// The picture as PNG; `None` for one without pixels, which PNG cannot hold.
fn png(width: usize, height: usize, pixels: &[u32]) -> Option<Vec<u8>> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(&rgb(pixels)).ok()?;
    writer.finish().ok()?;
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Record;

    /// Width, height, and the bytes of its pixels.
    fn decoded(file: &[u8]) -> (u32, u32, Vec<u8>) {
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().expect("a PNG");
        let mut bytes = vec![0; reader.output_buffer_size().expect("a picture that fits in memory")];
        let frame = reader.next_frame(&mut bytes).expect("whole");
        assert_eq!((frame.color_type, frame.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        (frame.width, frame.height, bytes)
    }

    #[test]
    fn a_picture_can_be_read_back() {
        let pixels = [0xff01_0203, 0xff04_0506, 0xff07_0809, 0xff0a_0b0c, 0xff0d_0e0f, 0xff10_1112];
        let file = png(3, 2, &pixels).expect("a picture of six pixels");
        assert_eq!(decoded(&file), (3, 2, rgb(&pixels)));
        assert_eq!(rgb(&pixels)[..6], [3, 2, 1, 6, 5, 4]);
        assert_eq!(png(0, 0, &[]), None);
    }

    #[test]
    fn the_book_s_picture_is_that_of_its_records() {
        let (width, height, bytes) = decoded(include_bytes!("../../../book/src/ray-tracing.png"));
        assert_eq!((width, height), (1024, 1024));
        for text in [
            include_str!("../../../book/records/h200/lab-6-2.json"),
            include_str!("../../../book/records/embedded-h200/lab-6-2.json"),
        ] {
            let record = Record::from_json(text).expect("a record");
            let check = record.checks.iter().find(|c| c.id == CHECK).expect("the picture's check");
            assert_eq!(check.found, kernels::sha256(&bytes), "{:?}", record.device);
        }
    }
}
