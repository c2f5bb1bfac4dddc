//! Gallery of all plots and figures of the made-up records, written to a folder for inspection after a change.

use plots::Plot;
use render::{Figure, OwnRun};
use tests::fixture;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: gallery FOLDER")?;
    std::fs::create_dir_all(&folder)?;
    let (measured, modelled) = (fixture::measured(), fixture::modelled());
    for (name, record, yours) in [
        ("measured", &measured, None),
        ("modelled", &modelled, None),
        ("both", &modelled, Some(&modelled)),
        ("both-measured", &measured, Some(&measured)),
    ] {
        for experiment in &record.experiments {
            let yours = yours.map(|record| OwnRun { record, twin: None });
            let plot = Plot { yours, ..Plot::new(record, &experiment.id, name) };
            std::fs::write(format!("{folder}/{}-{name}.svg", experiment.id), plot.svg()?)?;
            std::fs::write(format!("{folder}/{}-{name}-narrow.svg", experiment.id), plot.narrow_svg()?)?;
        }
    }
    for trace in &measured.traces {
        let figure = Figure::new(&measured, &trace.id, "figure");
        std::fs::write(format!("{folder}/figure-{}.svg", trace.id), figure.svg()?)?;
        std::fs::write(format!("{folder}/figure-{}-narrow.svg", trace.id), figure.narrow_svg()?)?;
    }
    Ok(())
}
