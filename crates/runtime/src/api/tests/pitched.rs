//! Rows and slices: `cudaMallocPitch`, `cudaMemcpy2D`, `cudaMalloc3D`, `cudaMemcpy3D`.

use super::host::Host;
use super::vector_sum::SUM;
use crate::api::{Certainty, End, Kind, Rows, words};

fn host() -> Host {
    Host::new(SUM, &["sum"], &[])
}

/// Memory of rows: its address and pitch.
fn rows(host: &mut Host, width: u64, height: u64) -> (u64, u64) {
    let pitch = host.variable(&[0; 8]);
    let d = host.made("cudaMallocPitch", &[pitch, width, height]);
    (d, host.word(pitch))
}

#[test]
fn rows_go_to_pitched_memory_and_back() {
    let mut host = host();
    let (d, pitch) = rows(&mut host, 60, 15);
    assert_eq!(pitch, 512);
    let (h, back) = (host.malloc(900), host.malloc(900));
    host.put_ints(h, 0..225);
    host.ok("cudaMemcpy2D", &[d, pitch, h, 60, 60, 15, 1]);
    host.ok("cudaMemset2D", &[d + pitch, pitch, 0xff, 4, 2]);
    host.ok("cudaMemcpy2D", &[back, 60, d, pitch, 60, 15, 2]);
    assert_eq!(
        host.ints(back, 225),
        (0..225).map(|i| if i == 15 || i == 30 { -1 } else { i }).collect::<Vec<_>>()
    );
    assert_eq!(host.api.findings(), []);
}

#[test]
fn slices_of_one_row_each_are_a_pitch_apart() {
    let mut host = host();
    let extent = host.words(&[16, 1, 3]);
    let pitched = host.words(&[0; 4]);
    host.ok("cudaMalloc3D", &[pitched, extent]);
    let (device, pitch) = (host.word(pitched), host.word(pitched + 8));
    let (h, back) = (host.malloc(48), host.malloc(16));
    host.put_ints(h, 0..12);
    let parameters = host
        .words(&[&[0; 4][..], &[h, 16, 16, 1], &[0; 4], &[device, pitch, 16, 1], &[16, 1, 3, 1]].concat());
    host.ok("cudaMemcpy3D", &[parameters]);
    host.ok("cudaMemcpy", &[back, device + 2 * pitch, 16, 2]);
    assert_eq!(host.ints(back, 4), [8, 9, 10, 11]);
    assert_eq!(host.api.findings(), []);
}

#[test]
fn a_slice_of_three_dimensions_goes_to_its_place_and_back() {
    let mut host = host();
    let extent = host.words(&[16, 3, 2]);
    let pitched = host.words(&[0; 4]);
    host.ok("cudaMalloc3D", &[pitched, extent]);
    let words: Vec<u64> = (0..4).map(|n| host.word(pitched + 8 * n)).collect();
    assert_eq!(words[1..], [512, 16, 3]);
    host.ok("cudaMemset3D", &[pitched, 0, extent]);
    let h = host.malloc(96);
    host.put_ints(h, 1..25);
    // Of the source's second slice two rows of two numbers, to the second slice of the destination.
    let linear = |pointer: u64, pitch: u64, height: u64| [pointer, pitch, 16, height];
    let parameters: Vec<u64> =
        [&[0, 4, 1, 1][..], &linear(h, 16, 3), &[0, 0, 0, 1], &linear(words[0], 512, 3), &[8, 2, 1, 1]]
            .concat();
    let parameters = host.words(&parameters);
    host.ok("cudaMemcpy3D", &[parameters]);
    let back = host.malloc(96);
    let all: Vec<u64> =
        [&[0; 4][..], &linear(words[0], 512, 3), &[0; 4], &linear(back, 16, 3), &[16, 3, 2, 2]].concat();
    let all = host.words(&all);
    host.ok("cudaMemcpy3D", &[all]);
    let mut wanted = [0; 24];
    (wanted[12], wanted[13], wanted[16], wanted[17]) = (18, 19, 22, 23);
    assert_eq!(host.ints(back, 24), wanted);
    assert_eq!(host.api.findings(), []);
}

#[test]
fn a_dense_copy_into_rows_is_reported_with_the_rows() {
    let mut host = host();
    let (d, pitch) = rows(&mut host, 60, 15);
    let h = host.malloc(900);
    host.ok("cudaMemcpy", &[d, h, 900, 1]);
    let Kind::DenseRows { end: End::Destination, assumed: 60, memory } = host.kinds()[0] else {
        panic!("{:?}", host.kinds())
    };
    assert_eq!(memory.rows, Some(Rows { pitch, width: 60, height: 15, depth: 1 }));
    host.ok("cudaMemcpy2D", &[h, 60, d, 60, 60, 15, 2]);
    assert!(matches!(host.kinds()[1], Kind::DenseRows { end: End::Source, .. }));
    let text = words::sentence(&host.api.findings()[0]);
    assert_eq!(
        text,
        "`cudaMemcpy` copies rows of 60 bytes without gaps, but the destination is device memory of 15 rows of 60 bytes with \
         a pitch of 512, from `cudaMallocPitch`"
    );
    // All of the memory, gaps too, and a single row are not mistakes.
    let (mut host, rows) = {
        let mut host = self::host();
        let made = rows(&mut host, 60, 15);
        (host, made)
    };
    let big = host.malloc(512 * 15);
    host.ok("cudaMemcpy", &[big, rows.0, 512 * 15, 2]);
    host.ok("cudaMemcpy", &[rows.0, big, 60, 1]);
    assert_eq!(host.api.findings(), []);
}

#[test]
fn pitches_that_are_too_narrow_exchanged_or_of_nothing_are_reported() {
    let mut host = host();
    let (d, pitch) = rows(&mut host, 60, 15);
    let h = host.malloc(512 * 15);
    assert_eq!(host.call("cudaMemcpy2D", &[d, 15, h, 60, 60, 15, 1]), 12);
    let narrow =
        |pitch, width, exchanged| Kind::NarrowPitch { end: End::Destination, pitch, width, exchanged };
    assert_eq!(host.kinds()[0], &narrow(15, 60, false));
    assert_eq!(host.call("cudaMemcpy2D", &[d, 60, h, 512, pitch, 15, 1]), 12);
    assert_eq!(host.kinds()[1], &narrow(60, 512, true));
    host.ok("cudaMemcpy2D", &[d, 128, h, 60, 60, 15, 1]);
    assert!(matches!(host.kinds()[2], Kind::OtherPitch { given: 128, .. }));
}

#[test]
fn a_width_in_elements_is_noted_where_the_whole_was_meant() {
    let mut host = host();
    let (d, pitch) = rows(&mut host, 60, 15);
    let h = host.malloc(900);
    host.ok("cudaMemcpy2D", &[d, pitch, h, 15, 15, 15, 1]);
    let found = &host.api.findings()[0];
    assert!(matches!(found.kind, Kind::WidthInElements { given: 15, width: 60, .. }), "{found:?}");
    assert_eq!(found.certainty, Certainty::Note);
    // A part of each row that is one in the source is not a mistake.
    let mut host = self::host();
    let (d, pitch) = rows(&mut host, 60, 15);
    let h = host.malloc(900);
    host.ok("cudaMemcpy2D", &[d, pitch, h, 60, 15, 15, 1]);
    assert_eq!(host.api.findings(), []);
}
