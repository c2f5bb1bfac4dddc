//! The file of the sources' claims and mistakes: that the numbers which were computed for it follow from those that the
//! sources print.

use record::claims::Catalogue;
use std::path::Path;

type Error = Box<dyn std::error::Error>;

#[test]
fn what_was_computed_from_the_sources_numbers_is_right() -> Result<(), Error> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../labs/claims.toml");
    let catalogue = Catalogue::from_toml(&std::fs::read_to_string(file)?)?;
    let text = |id: &str| {
        let claims = catalogue.claims.iter().map(|c| (&c.id, &c.claim));
        let mistakes = catalogue.mistakes.iter().map(|m| (&m.id, &m.text));
        claims.chain(mistakes).find(|(there, _)| *there == id).map(|(_, text)| text.as_str())
    };
    // The product's multiplications and additions, and the GTX 970's seconds for the tiled one.
    let operations = 2.0 * 4800.0 * 6400.0 * 3200.0;
    // The first derivative of x: twice the sum of the distance times its coefficient.
    let rounded = 2.0 * (0.8 - 2.0 * 0.2 + 3.0 * 0.03809 - 4.0 * 0.00357);
    // The profile on the Quadro P2000: copies back and forth and both kernels, ms; 2^24 floats and a halo of 4 on each side.
    let (back, forth, kernels) = (37.435, 7.1673, 3.0644 + 2.5796);
    let bytes = 4.0 * f64::from((1 << 24) + 8);
    for (id, computed) in [
        ("seconds-for-milliseconds", format!("{:.2}·10¹¹", operations / 1e11)),
        ("seconds-for-milliseconds", format!("{:.1} GFLOP/s", operations / 35.46 / 1e9)),
        ("rounded-coefficients", format!("{rounded:.5}")),
        ("copies-take-44-6-ms", format!("{:.1} ms, ", back + forth)),
        (
            "copies-take-44-6-ms",
            format!("{:.1} % of the GPU's time", 100.0 * (back + forth) / (back + forth + kernels)),
        ),
        ("copies-take-44-6-ms", format!("kernels together {kernels:.1} ms")),
        ("cuda-free-takes-1-5-ms", format!("{:.1} ms on average", 4.4852 / 3.0)),
        ("launch-takes-28-us", format!("{:.1} µs on average", 56.569 / 2.0)),
        ("tiling-is-2-9-times-as-fast", format!("{:.2} times as fast", 102.90 / 35.46)),
        ("copies-at-10-gb-s", format!("{:.1} GB/s to the device", bytes / 7.1652 / 1e6)),
        ("copies-at-10-gb-s", format!("{:.1} GB/s back", bytes / 6.6147 / 1e6)),
    ] {
        let text = text(id).ok_or_else(|| format!("there is no {id}"))?;
        assert!(text.contains(&computed), "{id}: {computed} is not in: {text}");
    }
    Ok(())
}
