//! Single numbers from the experiments.

use crate::facts::{Facts, embedded};
use record::{Experiment, Fact, Point, Record};
use std::collections::BTreeMap;

/// Floats of a sector: a row that begins at a multiple of them touches no more sectors than it must.
const SECTOR: f64 = 8.0;

pub(super) fn of(record: &Record) -> BTreeMap<String, Fact> {
    let mut facts = Facts::default();
    let mut from = |id: &str, of: fn(&mut Facts, &Experiment)| {
        if let Some(experiment) = record.experiment(id) {
            of(&mut facts, experiment);
        }
    };
    from("source", pitches);
    from("alignment", sectors);
    from("alignment-time", slower);
    from("store-parts", parts);
    from("padding", gains);
    from("columns", columns);
    facts.done()
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}

fn pitches(facts: &mut Facts, source: &Experiment) {
    for series in &source.series {
        for point in &series.points {
            let (id, floats) = (&series.id, point.x);
            let what = format!("{}: bytes from row to row, for rows of {floats} floats", series.label);
            facts.put(format!("pitch_{id}_{floats}"), point.y, "B", what);
            let what = format!("{}: memory over data, for rows of {floats} floats", series.label);
            facts.put(format!("memory_{id}_{floats}"), point.y / (4.0 * floats), "", what);
        }
    }
}

fn sectors(facts: &mut Facts, alignment: &Experiment) {
    for series in &alignment.series {
        let least = series.points.iter().map(|p| p.y).fold(f64::NAN, f64::min);
        let most = series.points.iter().map(|p| p.y).fold(f64::NAN, f64::max);
        let (id, label) = (&series.id, &series.label);
        facts.put(
            format!("{id}_sectors_least"),
            least,
            "",
            format!("{label}: sectors a request, at the best start"),
        );
        facts.put(
            format!("{id}_sectors_most"),
            most,
            "",
            format!("{label}: sectors a request, at the worst start"),
        );
        let best = series.points.iter().filter(|p| p.y == least).count() as f64;
        facts.put(
            format!("{id}_best_starts"),
            best,
            "",
            format!("{label}: how many of the starts have the fewest sectors"),
        );
    }
}

/// Bandwidth at starts within a sector over that at the start of a line.
fn slower(facts: &mut Facts, time: &Experiment) {
    for series in &time.series {
        let within: Vec<f64> = series.points.iter().filter(|p| p.x % SECTOR != 0.0).map(|p| p.y).collect();
        let worst = within.iter().copied().fold(f64::NAN, f64::min);
        let aligned = series.at(0.0).map_or(f64::NAN, |p| p.y);
        let (id, label) = (&series.id, &series.label);
        facts.put(
            format!("{id}_aligned"),
            aligned,
            "GB/s",
            format!("{label}: bandwidth where rows begin at a line"),
        );
        let what = format!(
            "{label}: bandwidth over that of rows that begin at a line, median of the starts within a sector"
        );
        facts.put(format!("{id}_misaligned_share"), median(within) / aligned, "", what);
        let what = format!("{label}: bandwidth over that of rows that begin at a line, at the worst start");
        facts.put(format!("{id}_worst_share"), worst / aligned, "", what);
    }
}

/// Cost of a sector that is written in part: alone in its line, and next to others.
fn parts(facts: &mut Facts, parts: &Experiment) {
    let Some(series) = parts.series.first() else { return };
    let at = |of: &dyn Fn(f64) -> bool| {
        median(series.points.iter().filter(|point| of(point.x)).map(|point| point.y).collect())
    };
    let whole_one = at(&|x| x == SECTOR);
    let whole = at(&|x| x % SECTOR == 0.0);
    let alone = at(&|x| x < SECTOR);
    let beside = at(&|x| x > SECTOR && x % SECTOR != 0.0);
    let what = "time to write a part of a sector, and nothing else of its line, over that to write all of it, median of 1 to 7 floats";
    facts.put("part_alone_over_whole", alone / whole_one, "", what);
    let what = "time to write a part of a sector and all of others of its line, over that to write all of 1 to 4 sectors, medians";
    facts.put("part_beside_over_whole", beside / whole, "", what);
}

/// Both variants of a width.
fn pairs<'e>(experiment: &'e Experiment, packed: &str, pitched: &str) -> Vec<(&'e Point, &'e Point)> {
    let Some((packed, pitched)) = experiment.series(packed).zip(experiment.series(pitched)) else {
        return vec![];
    };
    packed.points.iter().filter_map(|p| Some((p, pitched.at(p.x)?))).collect()
}

fn gains(facts: &mut Facts, padding: &Experiment) {
    for (packed, pitched) in pairs(padding, "packed", "pitched") {
        let what =
            format!("bandwidth along padded rows over that along packed ones, {} floats a row", packed.x);
        facts.put(format!("padding_gain_{}", packed.x), pitched.y / packed.y, "", what);
    }
}

fn columns(facts: &mut Facts, columns: &Experiment) {
    for way in ["beside", "below"] {
        for (packed, pitched) in pairs(columns, &format!("{way}-packed"), &format!("{way}-pitched")) {
            let width = packed.x;
            let what = format!(
                "bandwidth of lanes {way} each other in padded rows over that in packed ones, {width} floats a row"
            );
            facts.put(format!("{way}_gain_{width}"), pitched.y / packed.y, "", what);
        }
        for rows in ["packed", "pitched"] {
            let points = columns.series(&format!("{way}-{rows}")).map_or(&[][..], |series| &series.points);
            for point in points {
                let of = |name: &str| point.hardware.get(name).map(|&count| count as f64);
                let Some((wavefronts, requests)) = of("lsu_wavefronts").zip(of("global_load_requests"))
                else {
                    continue;
                };
                let width = point.x;
                let what = format!(
                    "wavefronts of L1's data path over requests, lanes {way} each other in {rows} rows of {width} floats"
                );
                facts.put(format!("{way}_{rows}_wavefronts_{width}"), wavefronts / requests, "", what);
            }
        }
        let Some(series) = columns.series(&format!("{way}-pitched")) else { continue };
        let per_request = |point: &Point| {
            let counter = |name| embedded(point, name) as f64;
            counter("global_load_sectors") / counter("global_load_requests")
        };
        let most = series.points.iter().map(per_request).fold(f64::NAN, f64::max);
        let what = format!("sectors a request of lanes {way} each other in padded rows");
        facts.put(format!("{way}_sectors"), most, "", what);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::tests::fixture;

    fn experiment(id: &str, all: &[(&str, &[(f64, f64)])]) -> Experiment {
        let counters = fixture::counters(&[("global_load_sectors", 320), ("global_load_requests", 10)]);
        let mut experiment = fixture::experiment(id);
        for (series, points) in all {
            let points = points.iter().map(|&at| Point { counters: counters.clone(), ..fixture::point(at) });
            fixture::extend(&mut experiment, series, points);
        }
        experiment
    }

    #[test]
    fn pitches_are_listed_with_their_padding() {
        let mut facts = Facts::default();
        pitches(&mut facts, &experiment("source", &[("2d", &[(15.0, 512.0), (128.0, 512.0)])]));
        assert_eq!(facts.value("pitch_2d_15"), Some(512.0));
        assert_eq!(facts.value("memory_2d_128"), Some(1.0));
    }

    #[test]
    fn misaligned_starts_are_weighed_against_the_aligned_one() {
        let mut facts = Facts::default();
        let points = [(0.0, 100.0), (1.0, 80.0), (4.0, 60.0), (5.0, 70.0), (8.0, 10.0)];
        slower(&mut facts, &experiment("alignment-time", &[("store", &points)]));
        assert_eq!(facts.value("store_misaligned_share"), Some(0.7));
        assert_eq!(facts.value("store_worst_share"), Some(0.6));
        let mut facts = Facts::default();
        sectors(&mut facts, &experiment("alignment", &[("load", &[(0.0, 4.0), (1.0, 5.0), (8.0, 4.0)])]));
        assert_eq!(facts.value("load_sectors_most"), Some(5.0));
        assert_eq!(facts.value("load_best_starts"), Some(2.0));
    }

    #[test]
    fn a_part_of_a_sector_is_weighed_alone_and_next_to_others() {
        let mut facts = Facts::default();
        let points =
            [(1.0, 30.0), (7.0, 30.0), (8.0, 20.0), (9.0, 60.0), (16.0, 22.0), (23.0, 62.0), (24.0, 24.0)];
        parts(&mut facts, &experiment("store-parts", &[("store", &points)]));
        assert_eq!(facts.value("part_alone_over_whole"), Some(1.5));
        assert_eq!(facts.value("part_beside_over_whole"), Some(62.0 / 22.0));
    }

    #[test]
    fn widths_are_compared_where_both_variants_have_them() {
        let mut facts = Facts::default();
        let columns_of = experiment(
            "columns",
            &[("below-packed", &[(256.0, 10.0), (257.0, 10.0)]), ("below-pitched", &[(256.0, 5.0)])],
        );
        columns(&mut facts, &columns_of);
        assert_eq!(facts.value("below_gain_256"), Some(0.5));
        assert_eq!(facts.value("below_sectors"), Some(32.0));
        assert_eq!(facts.value("below_gain_257"), None);
    }
}
