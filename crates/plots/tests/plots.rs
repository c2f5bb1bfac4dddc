//! Plots as a browser or a reader without eyes meets them.

use plots::{Bar, Lane, Plot, Timeline};
use record::{Experiment, Point, Record, Scale};
use render::{Error, OwnRun};
use roxmltree::Document;
use tests::fixture;

fn each_experiment() -> Vec<(Record, String)> {
    let records = [fixture::measured(), fixture::modelled()];
    let ids = |r: Record| r.experiments.iter().map(|e| (r.clone(), e.id.clone())).collect::<Vec<_>>();
    records.into_iter().flat_map(ids).collect()
}

/// The reader's own run, as if no reference was run alike.
fn alone(record: &Record) -> OwnRun<'_> {
    OwnRun { record, twin: None }
}

fn with_only(change: impl FnOnce(&mut Experiment)) -> Record {
    let mut record = fixture::measured();
    record.experiments.truncate(1);
    change(&mut record.experiments[0]);
    record
}

/// A plot for a page, and for a narrow screen.
fn both(plot: Plot<'_>) -> [String; 2] {
    [plot.svg(), plot.narrow_svg()].map(|svg| svg.expect("drawn"))
}

#[test]
fn every_plot_is_well_formed_and_says_in_words_what_it_shows() {
    let plots = each_experiment();
    let plots = plots.iter().flat_map(|(r, id)| both(Plot::new(r, id, "one")).map(|svg| (id, svg)));
    for (id, svg) in plots {
        let xml = Document::parse(&svg).expect("well-formed");
        let root = xml.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        for name in root.attribute("aria-labelledby").expect("labelled").split(' ') {
            let named = xml.descendants().filter(|n| n.attribute("id") == Some(name));
            let texts: Vec<_> = named.map(|n| n.text().unwrap_or_default()).collect();
            assert!(texts.len() == 1 && !texts[0].is_empty(), "{id}: {name} is {texts:?}");
        }
    }
}

/// Heights of the marks of a plot's only series, from the lowest to the highest.
fn heights(svg: &str) -> f64 {
    let xml = Document::parse(svg).expect("well-formed");
    let lines = xml.descendants().filter(|n| n.has_tag_name("polyline"));
    let ys = lines.flat_map(|n| {
        numbers(n.attribute("points").unwrap_or_default()).chunks(2).map(|at| at[1]).collect::<Vec<_>>()
    });
    let (low, high) = ys.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), y| (a.min(y), b.max(y)));
    high - low
}

#[test]
fn a_range_far_beyond_the_points_is_cut_and_the_plot_says_so() {
    let one = |factor: f64| {
        with_only(|experiment| {
            experiment.series.truncate(1);
            experiment.y.scale = Scale::Linear;
            let point = experiment.series[0].points.last_mut().expect("a point");
            point.y_max = factor * point.y;
        })
    };
    for (factor, cut) in [(1.05, false), (50.0, true)] {
        let record = one(factor);
        let [wide, narrow] = both(Plot::new(&record, &record.experiments[0].id, "one"));
        for svg in [&wide, &narrow] {
            assert_eq!(
                svg.contains("that leave the plot are cut") || svg.contains("plot are cut"),
                cut,
                "{svg}"
            );
        }
        // The points keep their room: with all of the range, they would take a fiftieth of it.
        assert!(heights(&wide) > 100.0, "{}", heights(&wide));
    }
}

#[test]
fn nothing_is_outside_the_picture() {
    for (record, id) in each_experiment() {
        let yours = [fixture::measured(), fixture::modelled()];
        let of = yours.iter().find(|yours| yours.device == record.device).expect("one of the two");
        let plot = Plot { yours: Some(alone(of)), ..Plot::new(&record, &id, "one") };
        for svg in both(plot) {
            assert!(svg.contains("yours: "), "{id}");
            let xml = Document::parse(&svg).expect("well-formed");
            let view: Vec<f64> = numbers(xml.root_element().attribute("viewBox").expect("viewBox"));
            for node in xml.descendants().filter(|n| n.has_attribute("points") || n.has_attribute("x")) {
                let place = match node.attribute("points") {
                    Some(points) => numbers(points),
                    None => [node.attribute("x"), node.attribute("y")]
                        .into_iter()
                        .flatten()
                        .flat_map(numbers)
                        .collect(),
                };
                for at in place.chunks(2) {
                    assert!(
                        (0.0..=view[2]).contains(&at[0]) && (0.0..=view[3]).contains(&at[1]),
                        "{id}: {at:?}"
                    );
                }
            }
        }
    }
}

#[test]
fn a_narrow_plot_fits_a_telephone_and_names_its_series_below() {
    for (record, id) in each_experiment() {
        let svg = Plot::new(&record, &id, "one").narrow_svg().expect("drawn");
        let xml = Document::parse(&svg).expect("well-formed");
        let number = |name: &str| -> Option<f64> { xml.root_element().attribute(name)?.parse().ok() };
        assert!(number("width").expect("a width") <= 360.0);
        let texts = || xml.descendants().filter(|node| node.has_tag_name("text"));
        let place = |text: &str| {
            let found = texts()
                .filter(|node| node.text().is_some_and(|found| found.trim().replace('\u{a0}', " ") == text));
            found.filter_map(|node| node.attribute("y")?.parse::<f64>().ok()).collect::<Vec<_>>()
        };
        let experiment = record.experiment(&id).expect("there");
        let axis = place(&with_unit(&experiment.x))[0];
        for series in &experiment.series {
            // A long label has several lines; none of these has.
            assert!(place(&series.label).iter().all(|y| *y > axis), "{id}: {}", series.label);
            assert_eq!(place(&series.label).len(), 1, "{id}: {}", series.label);
        }
    }
}

fn with_unit(axis: &record::Axis) -> String {
    let carried = axis.unit.is_empty() || axis.unit == "B";
    if carried { axis.label.clone() } else { format!("{} ({})", axis.label, axis.unit) }
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([' ', ',']).filter(|n| !n.is_empty()).map(|n| n.parse().expect("a number")).collect()
}

#[test]
fn the_same_record_gives_the_same_plot() {
    let (a, b) = (fixture::measured(), fixture::measured());
    assert_eq!(Plot::new(&a, "stencil", "one").svg(), Plot::new(&b, "stencil", "one").svg());
}

#[test]
fn modelled_times_are_dashed_and_called_modelled() {
    let record = fixture::modelled();
    let svg = Plot::new(&record, "stencil", "one").svg().expect("drawn");
    assert!(svg.contains("bandwidth (GB/s, modelled)"), "axis");
    assert!(svg.contains("embedded device (as NVIDIA H200), modelled"), "key");
    assert!(svg.contains("stroke-dasharray"), "line");
    let record = fixture::measured();
    assert!(!Plot::new(&record, "stencil", "one").svg().expect("drawn").contains("stroke-dasharray"));
}

#[test]
fn the_readers_own_run_is_distinguished() {
    let record = fixture::modelled();
    let plot = Plot {
        yours: Some(alone(&record)),
        series: &["constant"],
        ..Plot::new(&record, "working-set", "one")
    };
    let svg = plot.svg().expect("drawn");
    assert!(svg.contains("yours: embedded device (as NVIDIA H200), modelled"));
}

#[test]
fn modelled_times_are_not_drawn_over_measured_ones() {
    let (record, yours) = (fixture::measured(), fixture::modelled());
    let plot = Plot { yours: Some(alone(&yours)), ..Plot::new(&record, "working-set", "one") };
    assert!(!plot.has_yours().expect("looked") && !plot.svg().expect("drawn").contains("yours"));
}

#[test]
fn counts_are_drawn_over_those_of_any_device_of_the_chip() {
    let counted = |mut record: Record| {
        record.experiments[0].y_is = record::Origin::Count;
        record
    };
    let (record, yours) = (counted(fixture::measured()), counted(fixture::modelled()));
    let plot = Plot { yours: Some(alone(&yours)), ..Plot::new(&record, "stencil", "one") };
    assert!(plot.has_yours().expect("looked"));
}

#[test]
fn a_series_keeps_its_colour_when_it_is_drawn_alone() {
    let record = fixture::measured();
    let alone = Plot { series: &["restrict"], ..Plot::new(&record, "stencil", "one") }.svg().expect("drawn");
    assert!(alone.contains("stroke=\"var(--wp-2, "), "second in the experiment, so second of the colours");
    assert!(!alone.contains("stroke=\"var(--wp-1, "));
}

#[test]
fn paints_are_variables_of_the_page() {
    let record = fixture::measured();
    let svg = Plot::new(&record, "stencil", "one").svg().expect("drawn");
    assert!(!svg.contains("\"#"), "a colour that no theme can change");
}

#[test]
fn words_in_a_record_cannot_become_markup() {
    let record = with_only(|e| {
        e.title = "<script>&\"'".into();
        e.series[0].label = "a</text><b".into();
        e.x.label = "x \"&amp;".into();
    });
    let svg = Plot { id: "\"><script>", ..Plot::new(&record, "stencil", "one") }.svg().expect("drawn");
    let xml = Document::parse(&svg).expect("well-formed");
    assert!(xml.descendants().all(|n| n.tag_name().name() != "script"));
}

#[test]
fn one_point_or_equal_values_can_be_drawn() {
    for scale in [Scale::Linear, Scale::Log2, Scale::Log10] {
        for y in [1e-9, 1.0, 7e12] {
            let record = with_only(|e| {
                e.series.truncate(1);
                e.series[0].points.truncate(1);
                let point = &mut e.series[0].points[0];
                (point.y, point.y_min, point.y_max) = (y, y, y);
                (e.x.scale, e.y.scale) = (scale, scale);
            });
            let svg = Plot::new(&record, "stencil", "one").svg().expect("drawn");
            assert!(Document::parse(&svg).is_ok() && !svg.contains("NaN"), "{scale:?} {y}");
        }
    }
}

#[test]
fn zero_on_a_logarithmic_axis_is_refused_with_series_and_x() {
    let record = with_only(|e| {
        e.y.scale = Scale::Log10;
        e.series[1].points[2].y_min = 0.0;
    });
    let error = Plot::new(&record, "stencil", "one").svg().expect_err("zero has no logarithm");
    assert_eq!(
        error.to_string(),
        "series `restrict`, x = 128: y_min = 0 cannot be drawn on a logarithmic axis"
    );
}

#[test]
fn what_is_not_there_is_refused_with_what_is() {
    let record = fixture::measured();
    let error = Plot::new(&record, "stencl", "one").svg().expect_err("no such experiment").to_string();
    assert_eq!(
        error,
        "no experiment `stencl` (did you mean `stencil`?) in the record of lab-5-5; \
         there are: stencil, divergence-latency, divergence-throughput, working-set"
    );
    let plot = Plot { series: &["texture"], ..Plot::new(&record, "working-set", "one") };
    assert!(matches!(plot.svg(), Err(Error::Missing { what: "series", .. })));
}

#[test]
fn two_records_with_other_units_are_not_drawn_together() {
    let record = fixture::measured();
    let yours = with_only(|e| e.y.unit = "TB/s".into());
    let plot = Plot { yours: Some(alone(&yours)), ..Plot::new(&record, "stencil", "one") };
    assert!(matches!(plot.svg(), Err(Error::Axes { what: "the unit of y", .. })));
}

#[test]
fn dense_points_are_not_all_marked() {
    let circles = |points: usize| {
        let record = with_only(|e| {
            e.series.truncate(1);
            let first = e.series[0].points[0].clone();
            e.series[0].points = (1..=points).map(|x| Point { x: x as f64, ..first.clone() }).collect();
        });
        Plot::new(&record, "stencil", "one").svg().expect("drawn").matches("<circle").count()
    };
    let with_label = |markers: usize| 2 * (markers + 1);
    assert_eq!(circles(16), with_label(16));
    assert_eq!(circles(64), with_label(16));
}

/// The lines and marks of a plot, in the order in which they are drawn.
fn shapes(svg: &str) -> Vec<&str> {
    svg.lines()
        .filter(|line| ["<polyline", "<circle", "<polygon"].iter().any(|tag| line.starts_with(tag)))
        .collect()
}

#[test]
fn a_key_names_one_run_without_a_sample_and_two_with_lines_that_no_series_has() {
    let record = fixture::modelled();
    let keys = |yours| {
        let svg = Plot { yours, ..Plot::new(&record, "stencil", "one") }.svg().expect("drawn");
        shapes(&svg)
            .into_iter()
            .filter(|shape| shape.contains("--wp-muted") && shape.contains("<polyline"))
            .count()
    };
    let base_line_and_ticks = 7;
    let reference_and_label = 2;
    assert_eq!(keys(None), base_line_and_ticks + reference_and_label);
    assert_eq!(keys(Some(alone(&record))), base_line_and_ticks + reference_and_label + 1 + 2);
}

#[test]
fn ranges_are_translucent_and_below_every_line() {
    let svg = Plot::new(&fixture::measured(), "stencil", "one").svg().expect("drawn");
    let shapes = shapes(&svg);
    let last_range = shapes.iter().rposition(|shape| shape.contains("opacity=\"0.6\"")).expect("a range");
    let of_series = |shape: &&str| shape.contains("<polyline") && shape.matches(',').count() > 5;
    let first_line = shapes.iter().position(of_series).expect("a line");
    assert!(last_range < first_line, "{shapes:#?}");
}

/// The stencil at other values of x.
fn at(record: Record, values: &[f64]) -> Record {
    let mut record = record;
    record.experiments.truncate(1);
    record.experiments[0].x.scale = Scale::Log2;
    for series in &mut record.experiments[0].series {
        let first = series.points[0].clone();
        series.points = values.iter().map(|x| Point { x: *x, ..first.clone() }).collect();
    }
    record
}

#[test]
fn values_too_near_to_each_other_have_dots_by_category() {
    let record = at(fixture::measured(), &[128.0, 255.0, 256.0, 257.0, 1024.0]);
    for svg in both(Plot::new(&record, "stencil", "one")) {
        assert!(svg.contains("Dots by category."), "{svg}");
        for x in ["128", "255", "256", "257", "1,024"] {
            assert_eq!(svg.lines().filter(|line| *line == x).count(), 1, "{x}");
        }
        assert!(
            shapes(&svg).iter().all(|shape| !shape.contains("stroke-width=\"8\"")),
            "a line from dot to dot"
        );
    }
}

#[test]
fn words_distinguish_two_runs_of_dots_by_category() {
    let record = at(fixture::measured(), &[255.0, 256.0, 257.0, 4096.0]);
    let plot = Plot { yours: Some(alone(&record)), ..Plot::new(&record, "stencil", "one") };
    let svg = plot.svg().expect("drawn");
    assert!(
        svg.contains("filled: NVIDIA H200, measured") && svg.contains("hollow: yours: NVIDIA H200, measured")
    );
}

#[test]
fn many_categories_are_read_from_below() {
    let many = [1000.0, 1001.0, 1002.0, 1003.0, 2000.0, 2001.0, 3000.0, 4000.0];
    let record = at(fixture::measured(), &many);
    let [wide, narrow] = both(Plot::new(&record, "stencil", "one"));
    let upright = |svg: &str| svg.matches("rotate(270").count();
    assert_eq!((upright(&wide), upright(&narrow)), (0, many.len()));
}

#[test]
fn y_can_be_drawn_on_another_scale_than_the_records() {
    let record = fixture::measured();
    let plot = Plot { y_scale: Some(Scale::Log10), ..Plot::new(&record, "stencil", "one") };
    let svg = plot.svg().expect("drawn");
    assert!(svg.contains("GB/s, logarithmic to base 10") && svg.contains("\n500\n"), "axis");
}

#[test]
fn marks_of_an_axis_are_at_values_where_some_are_left_out() {
    let record = with_only(|e| {
        e.x.scale = Scale::Log2;
        e.series.truncate(1);
        let first = e.series[0].points[0].clone();
        e.series[0].points = (1..10).map(|power| Point { x: 4f64.powi(power), ..first.clone() }).collect();
    });
    let svg = Plot::new(&record, "stencil", "one").narrow_svg().expect("drawn");
    for (text, shown) in [("4", true), ("64", true), ("1,024", true), ("32", false), ("512", false)] {
        assert_eq!(svg.lines().any(|line| line == text), shown, "{text}");
    }
}

/// Two lanes, of which one name is in both.
fn lanes() -> Vec<Lane> {
    let bar = |name: &str, start_ns: f64, end_ns: f64| Bar { name: name.to_owned(), start_ns, end_ns };
    vec![
        Lane {
            name: "stream 1".to_owned(),
            bars: vec![bar("copy <in>", 1_000.0, 3_000.0), bar("sum", 3_000.0, 3_001.0)],
        },
        Lane { name: "stream 2".to_owned(), bars: vec![bar("copy <in>", 3_000.0, 5_000.0)] },
    ]
}

#[test]
fn a_timeline_begins_with_its_first_bar_and_a_name_has_one_colour_in_all_lanes() {
    let lanes = lanes();
    let timeline = Timeline { title: "t", note: "modelled", lanes: &lanes, id: "time" };
    for (svg, narrow) in [(timeline.svg(), false), (timeline.narrow_svg(), true)] {
        let svg = svg.expect("drawn");
        let xml = Document::parse(&svg).expect("well-formed");
        let text =
            |node: &roxmltree::Node<'_, '_>| node.text().unwrap_or_default().trim().replace('\u{a0}', " ");
        let texts: Vec<String> =
            xml.descendants().filter(|n| n.has_tag_name("text")).map(|n| text(&n)).collect();
        let legend = texts.iter().find(|text| text.starts_with("copy <in>, 2 times, 4 µs"));
        assert!(legend.is_some() && texts.contains(&"0 ns".to_owned()), "{narrow}: {texts:?}");
        let view = numbers(xml.root_element().attribute("viewBox").expect("viewBox"));
        let bars: Vec<_> = xml.descendants().filter(|n| n.has_tag_name("rect")).collect();
        let number =
            |node: &roxmltree::Node<'_, '_>, name: &str| numbers(node.attribute(name).expect("a number"))[0];
        for bar in &bars {
            assert!(number(bar, "x") >= 0.0 && number(bar, "x") + number(bar, "width") <= view[2], "{svg}");
        }
        // Three bars and the squares of two names; the bar of a nanosecond is seen all the same.
        let widths: Vec<f64> = bars.iter().map(|bar| number(bar, "width")).collect();
        assert!(bars.len() == 5 && widths.iter().all(|width| *width >= 4.0), "{widths:?}");
        let paints: Vec<_> = bars.iter().map(|bar| bar.attribute("fill")).collect();
        assert!(paints[0] == paints[2] && paints[0] != paints[1], "{paints:?}");
    }
}
