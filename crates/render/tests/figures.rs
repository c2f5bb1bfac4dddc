//! Figures as a browser or a reader without eyes meets them.

use record::{Draw, Lanes, Record};
use render::{Error, Figure, Single, access_as_text};
use roxmltree::Document;
use tests::fixture;

fn drawn(record: &Record, id: &str) -> String {
    Figure::new(record, id, "one").svg().expect("drawn")
}

/// A figure for a page, and for a narrow screen.
fn forms(record: &Record, id: &str) -> [String; 2] {
    let figure = Figure::new(record, id, "one");
    [figure.svg(), figure.narrow_svg()].map(|svg| svg.expect("drawn"))
}

/// The made-up record after one change to the trace.
fn changed(id: &str, change: impl FnOnce(&mut record::Trace)) -> Record {
    let mut record = fixture::measured();
    record.traces.retain(|t| t.id == id);
    change(&mut record.traces[0]);
    record
}

fn words(svg: &str) -> String {
    let xml = Document::parse(svg).expect("well-formed");
    xml.descendants().find(|n| n.has_tag_name("desc")).and_then(|n| n.text()).unwrap_or_default().to_owned()
}

fn numbers(text: &str) -> Vec<f64> {
    text.split([' ', ',']).filter(|n| !n.is_empty()).map(|n| n.parse().expect("a number")).collect()
}

#[test]
fn every_figure_is_well_formed_and_says_in_words_what_it_shows() {
    let record = fixture::measured();
    for (trace, svg) in record.traces.iter().flat_map(|t| forms(&record, &t.id).map(|svg| (t, svg))) {
        let xml = Document::parse(&svg).expect("well-formed");
        let root = xml.root_element();
        assert_eq!(root.attribute("role"), Some("img"));
        for name in root.attribute("aria-labelledby").expect("labelled").split(' ') {
            let named = xml.descendants().filter(|n| n.attribute("id") == Some(name));
            let texts: Vec<_> = named.map(|n| n.text().unwrap_or_default()).collect();
            assert!(texts.len() == 1 && !texts[0].is_empty(), "{}: {name} is {texts:?}", trace.id);
        }
        assert!(!svg.contains("\"#") && !svg.contains("NaN"), "{}", trace.id);
    }
}

#[test]
fn nothing_is_outside_the_picture() {
    let record = fixture::measured();
    for (trace, svg) in record.traces.iter().flat_map(|t| forms(&record, &t.id).map(|svg| (t, svg))) {
        let xml = Document::parse(&svg).expect("well-formed");
        let view: Vec<f64> = numbers(xml.root_element().attribute("viewBox").expect("viewBox"));
        let inside = |x: f64, y: f64| (0.0..=view[2]).contains(&x) && (0.0..=view[3]).contains(&y);
        for node in xml.descendants().filter(|n| n.has_attribute("points") || n.has_attribute("x")) {
            let number = |name: &str| node.attribute(name).and_then(|n| n.parse::<f64>().ok());
            match node.attribute("points") {
                Some(points) => {
                    assert!(
                        numbers(points).chunks(2).all(|at| inside(at[0], at[1])),
                        "{}: {points}",
                        trace.id
                    );
                }
                None => {
                    let (x, y) = (number("x").expect("x"), number("y").expect("y"));
                    let (w, h) = (number("width").unwrap_or(0.0), number("height").unwrap_or(0.0));
                    assert!(inside(x, y) && inside(x + w, y + h), "{}: {x} {y} {w} {h}", trace.id);
                }
            }
        }
    }
}

#[test]
fn a_narrow_figure_fits_a_telephone_and_says_the_same() {
    let record = fixture::measured();
    for trace in &record.traces {
        let [wide, narrow] = forms(&record, &trace.id);
        let xml = Document::parse(&narrow).expect("well-formed");
        let width: f64 = xml.root_element().attribute("width").and_then(|w| w.parse().ok()).expect("a width");
        assert!(width <= 360.0, "{}: {width}", trace.id);
        assert_eq!(words(&wide), words(&narrow), "{}", trace.id);
    }
}

#[test]
fn texts_of_a_narrow_figure_do_not_run_into_each_other() {
    let record = fixture::measured();
    for trace in &record.traces {
        for svg in forms(&record, &trace.id) {
            let spans = spans(&svg);
            for (n, (one, a)) in spans.iter().enumerate() {
                let other = spans[..n].iter().find(|(_, b)| a.0 < b.1 && b.0 < a.1 && a.2 < b.3 && b.2 < a.3);
                assert!(other.is_none(), "{}: {one} and {}", trace.id, other.expect("found").0);
            }
        }
    }
}

/// Texts with their left, right, upper and lower ends, as narrow as the narrowest of the usual faces sets them.
fn spans(svg: &str) -> Vec<(String, (f64, f64, f64, f64))> {
    let xml = Document::parse(svg).expect("well-formed");
    let texts = xml.descendants().filter(|node| node.has_tag_name("text"));
    let span = |node: roxmltree::Node<'_, '_>| {
        let number = |name: &str| node.attribute(name).and_then(|n| n.parse::<f64>().ok()).expect("a number");
        let text = node.text().unwrap_or_default().trim().to_owned();
        let (x, y, size) = (number("x"), number("y"), number("font-size"));
        let width = 0.5 * size * text.chars().count() as f64;
        let left = match node.attribute("text-anchor") {
            Some("middle") => x - width / 2.0,
            Some("end") => x - width,
            _ => x,
        };
        (text, (left, left + width, y - 0.35 * size, y + 0.35 * size))
    };
    texts.map(span).filter(|(text, _)| !text.is_empty()).collect()
}

#[test]
fn what_was_counted_is_said() {
    let record = fixture::measured();
    let said = |id: &str| words(&drawn(&record, id)).replace('\u{a0}', " ");
    for counted in [
        "8 requests of up to 4 lanes; 16 sectors, looked up for 4 lanes at a time. 32 lanes read 32 different texels of 4 bytes, in 16 sectors.",
        "24 sectors, looked up for 4 lanes at a time. 32 lanes read 67 different texels of 4 bytes, in 16 sectors.",
        "32 lanes read 1 texel of 4 bytes, in 1 sector.",
        "8 lanes read 8 different texels of 4 bytes, in 8 sectors. 24 lanes get the border.",
    ] {
        assert!(said("texels").contains(counted), "{}", said("texels"));
    }
    assert!(
        said("replays")
            .contains("Counted: 1 instruction and 31 replays: 32 broadcasts for 32 different addresses.")
    );
    assert!(said("sectors").contains(
        "Counted: 1 request, 5 sectors in 2 lines: 160 bytes moved, for 128 asked for by 32 lanes."
    ));
    assert!(
        said("banks").contains(
            "Counted: 32 wavefronts, 31 of them bank conflicts: a bank must give 32 different words"
        )
    );
    assert!(said("halo").contains("the left halo: 4 elements, row 0, columns 0 to 3"));
    assert!(said("tiles").contains("step 3, line 30: 16 warp instructions, 64 sectors"), "{}", said("tiles"));
    assert!(said("pitch").contains("even rows: 45 elements, rows 0 to 4, columns 0 to 14"));
}

#[test]
fn a_lane_has_a_line_and_a_replay_another_colour() {
    let record = changed("replays", |t| t.panels.truncate(2));
    let svg = drawn(&record, "replays");
    let lines = |paint: &str| svg.matches(&format!("stroke=\"var(--wp-{paint}, ")).count();
    // Of 64 lanes 32 + 16 are in the first broadcast, 16 in a replay; each colour has a swatch's rim too.
    assert_eq!((lines("1"), lines("2")), (48 + 1, 16 + 1));
}

#[test]
fn a_figure_that_contradicts_its_counters_is_refused() {
    for (id, counter, reported) in [
        ("replays", "const_replays", "and 7\u{a0}replays were counted for 1\u{a0}instruction"),
        ("sectors", "global_load_sectors", "the lanes' addresses are in 1\u{a0}sector, and 7 were counted"),
        ("banks", "shared_load_wavefronts", "do not make the 7\u{a0}wavefronts and 0\u{a0}conflicts"),
    ] {
        let record = changed(id, |t| {
            t.panels[0].accesses[0].cost.insert(counter.into(), 7);
        });
        let error = Figure::new(&record, id, "one").svg().expect_err(id);
        assert!(
            matches!(error, Error::Unexplained { .. }) && error.to_string().contains(reported),
            "{error}"
        );
    }
}

#[test]
fn wide_shared_loads_go_in_parts() {
    // 16 bytes a lane, neighbours: quarters of the warp, each of one wavefront.
    let record = changed("banks", |t| {
        t.panels.truncate(1);
        let access = &mut t.panels[0].accesses[0];
        access.bytes = 16;
        let lanes = (0..32).map(|l| (l, 16 * u64::from(l))).collect();
        access.lanes = [("tile".to_owned(), Lanes::new(lanes).expect("lanes"))].into();
        access.cost = [("shared_load_wavefronts".to_owned(), 4)].into();
    });
    let said = words(&drawn(&record, "banks")).replace('\u{a0}', " ");
    assert!(said.contains("4 wavefronts, no bank conflict: with 16 bytes a lane the warp goes in 4 parts, lanes 0 to 7, 8 to 15"), "{said}");
}

#[test]
fn the_matrices_of_a_product_are_as_they_are_multiplied() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../book/records/h200/lab-4-3.json");
    let record = Record::from_json(&std::fs::read_to_string(file).expect("a record")).expect("a record");
    for svg in forms(&record, "warp-elements") {
        let spans = spans(&svg);
        let all = |name: &str| -> Vec<(f64, f64)> {
            spans
                .iter()
                .filter(|(text, _)| text == name)
                .map(|(_, (left, _, top, _))| (*left, *top))
                .collect()
        };
        let [a, b, c] = ["A", "B", "C"].map(all);
        assert_eq!(c.len(), 2, "one in each panel");
        for ((a, b), c) in a.iter().zip(&b).zip(&c) {
            assert!(a.0 < c.0 && a.1 == c.1, "A {a:?} is to the left of C {c:?}");
            assert!(b.0 == c.0 && b.1 < c.1, "B {b:?} is above C {c:?}");
        }
    }
}

#[test]
fn an_area_that_nothing_touched_is_refused() {
    let record = changed("tiles", |t| {
        if let Draw::Grid { matrices, .. } = &mut t.draw {
            matrices.iter_mut().for_each(|m| m.memory = "c".into());
        }
    });
    let error = Figure::new(&record, "tiles", "one").svg().expect_err("nothing to see").to_string();
    assert_eq!(error, "the trace `tiles` cannot be drawn: no access of `product` touched what is shown");
}

#[test]
fn what_is_not_there_is_refused_with_what_is() {
    let record = fixture::measured();
    let error = Figure::new(&record, "hallo", "one").svg().expect_err("no such trace").to_string();
    assert!(error.starts_with("no trace `hallo` (did you mean `halo`?) in the record of lab-5-5"), "{error}");
}

#[test]
fn huge_memories_and_odd_words_can_be_drawn() {
    let record = changed("tiles", |t| {
        t.title = "<script>&".into();
        t.groups[0] = "</text>".into();
        if let Draw::Grid { matrices, .. } = &mut t.draw {
            for m in matrices {
                (m.row_bytes, m.used_bytes, m.rows) = (4 * 4096, 4 * 4095, 4096);
                m.label = "x".repeat(300);
            }
        }
    });
    let svg = drawn(&record, "tiles");
    let xml = Document::parse(&svg).expect("well-formed");
    assert!(xml.descendants().all(|n| n.tag_name().name() != "script"));
    assert!(svg.len() < 4_000_000, "{} bytes", svg.len());
}

#[test]
fn an_access_alone_is_drawn_as_that_of_a_record() {
    let mut drawn = 0;
    for record in [fixture::measured(), fixture::modelled()] {
        for trace in &record.traces {
            for panel in trace.panels.iter().filter(|_| !matches!(trace.draw, Draw::Grid { .. })) {
                let alone = Record {
                    traces: vec![record::Trace {
                        panels: vec![record::Panel { label: String::new(), ..panel.clone() }],
                        ..trace.clone()
                    }],
                    ..record.clone()
                };
                let single = Single {
                    access: &panel.accesses[0],
                    kernel: &panel.launch.kernel,
                    grid: panel.launch.grid,
                    block: panel.block,
                    title: &trace.title,
                    id: "one",
                };
                let both = [single.svg(), single.narrow_svg()].map(|svg| svg.expect("drawn"));
                assert_eq!(both, forms(&alone, &trace.id));
                drawn += 1;
            }
        }
    }
    assert!(drawn > 2, "{drawn}");
}

#[test]
fn local_memory_is_drawn_word_by_word_with_all_lanes_side_by_side() {
    let record = fixture::measured();
    let panel = &record.traces[0].panels[0];
    // The sectors are those that the device counts; `simt::model::access::local` says why.
    for (bytes, word, requests, sectors, says) in [
        (4, 0, 1, 4, "1 request, 4 sectors in 1 line: 128 bytes moved, for 128 asked for by 32 lanes"),
        (4, 1, 1, 8, "1 request, 8 sectors in 2 lines: 256 bytes moved, for 128 asked for by 32 lanes"),
        (8, 0, 2, 8, "2 requests, 8 sectors in 2 lines: 256 bytes moved, for 256 asked for by 32 lanes"),
        (1, 0, 1, 4, "1 request, 4 sectors in 1 line: 128 bytes moved, for 32 asked for by 32 lanes"),
    ] {
        let lanes = record::Lanes::new((0..32).map(|lane| (lane, u64::from(lane % 2 * 4 * word))).collect());
        let access = record::Access {
            space: record::Space::Local,
            kind: record::AccessKind::Load,
            bytes,
            lanes: [("local".to_owned(), lanes.expect("lanes"))].into(),
            cost: [("local_load_requests", requests), ("local_load_sectors", sectors)]
                .map(|(name, n)| (name.to_owned(), n))
                .into(),
            ..panel.accesses[0].clone()
        };
        let single =
            Single { access: &access, kernel: "", grid: [1; 3], block: [0; 3], title: "", id: "one" };
        let svg = single.svg().expect("drawn").replace('\u{a0}', " ");
        assert!(svg.contains("the same word of all 32 lanes"), "{svg}");
        let text = access_as_text(&access, "local_load_sectors").expect("letters");
        assert!(text.contains(says), "{text}");
    }
}

#[test]
fn texels_that_do_not_explain_the_counted_sectors_are_not_drawn() {
    let record = changed("texels", |trace| {
        let panel = &mut trace.panels[2];
        panel.accesses[0].cost.insert("texture_sectors".to_owned(), 31);
    });
    let error =
        Figure::new(&record, "texels", "one").svg().expect_err("refused").to_string().replace('\u{a0}', " ");
    assert!(
        error.contains(
            "the texels are in 32 sectors of 8 requests, and 31 sectors of 8 requests were counted"
        ),
        "{error}"
    );
}

#[test]
fn texels_of_several_slices_are_drawn_one_below_the_other_up_to_four() {
    let of = |slices: u32| {
        changed("texels", |trace| {
            trace.panels.truncate(1);
            let access = &mut trace.panels[0].accesses[0];
            let fetch = access.fetch.as_mut().expect("a fetch");
            fetch.size = [64, 1, slices];
            for one in &mut fetch.lanes {
                one.texels[0][2] = one.lane / 4 % slices;
            }
        })
    };
    let said = words(&drawn(&of(4), "texels"));
    assert!(said.contains("z = 0. z = 1. z = 2. z = 3."), "{said}");
    assert!(Figure::new(&of(5), "texels", "one").svg().is_err());
}

#[test]
fn a_fetch_of_the_border_alone_is_drawn_without_texels() {
    let record = changed("texels", |trace| {
        trace.panels.truncate(1);
        let access = &mut trace.panels[0].accesses[0];
        access.cost.remove("texture_sectors");
        access.fetch.as_mut().expect("a fetch").lanes.iter_mut().for_each(|one| one.texels.clear());
    });
    let said = words(&drawn(&record, "texels")).replace('\u{a0}', " ");
    assert!(said.ends_with("8 requests of up to 4 lanes; 0 sectors, looked up for 4 lanes at a time. 32 lanes get the border."), "{said}");
}

#[test]
fn a_fetch_in_letters_shows_the_texels_of_each_lane() {
    let record = fixture::measured();
    let trace = record.trace("texels").expect("there");
    let letters =
        |panel: usize| render::access_as_text(&trace.panels[panel].accesses[0], "").expect("explained");
    assert!(letters(0).contains("   b texel 1  lane 1\n"), "{}", letters(0));
    assert!(letters(1).contains("   a texel (3, 2)  lanes 0-31\n"), "{}", letters(1));
    assert!(letters(4).contains("   a texels (3, 4) to (4, 5)  lane 0\n"), "{}", letters(4));
    assert!(letters(5).contains("the border"), "{}", letters(5));
}

#[test]
fn rows_of_elements_can_do_without_their_counts() {
    let record = fixture::measured();
    let figure = Figure { counts: false, ..Figure::new(&record, "tiles", "one") };
    let said = words(&figure.svg().expect("drawn"));
    assert!(said.contains("step 3, line 30"), "{said}");
    assert!(said.contains("Kernel product in "), "{said}");
    assert!(!said.contains("sectors") && !said.contains("instruction"), "{said}");
}
