use super::*;

const ONE: &str = r#"
[[exercise]]
name = "twice"
chapter = "linear-memory"
title = "Double every element"
points = 1
cases = [{ n = 100 }, { n = 33 }]
hidden.n = { from = 1, to = 5000 }
buffers = [
    { name = "data", type = "f32", len = "n", init = { uniform = [-1, 1] } },
    { name = "out", type = "f32", len = "n" },
    { name = "expected", type = "f64", len = "n" },
]
steps = [{ launch = { kernel = "twice", grid = ["ceil(n, 64)"], block = [64], args = ["data", "out", "int n"] } }]
reference = { threads = "n", args = ["data", "expected", "int n"] }
compare = [{ buffer = "out", with = "expected" }]
conditions = [{ name = "sectors", count = "global_load_sectors", most = "4 * global_load_requests", says = "…" }]
hints = [{ on = "any", tiers = ["a", "b", "c"] }]
attempts = []
"#;

fn with(old: &str, new: &str) -> Result<Manifest, String> {
    assert!(ONE.contains(old), "{old}");
    Manifest::parse(&ONE.replacen(old, new, 1)).map_err(|error| error.to_string())
}

#[test]
fn an_exercise_is_read() {
    let manifest = Manifest::parse(ONE).expect("well-formed");
    let CaseStep::Launch(launch) = &manifest.exercises[0].steps[0] else { panic!("a launch") };
    assert_eq!(launch.args[2], Argument::Int(Expression::parse("n").expect("a formula")));
}

#[test]
fn a_hint_is_the_most_particular_one_and_the_exercise_s_own_before_those_of_all() {
    const COMMON: &str = r#"
[[hint]]
on = ["fault", "shared-race"]
tiers = ["of all faults", "b", "c"]
[[hint]]
on = "wrong"
tiers = ["of all wrong results", "b", "c"]
"#;
    const OWN: &str = r#"hints = [
    { on = "any", tiers = ["of the skeleton", "b", "c"] },
    { on = "not-a-number", tiers = ["own", "b", "c"] },
    { on = "sectors", tiers = ["of sectors", "b", "c"] },
]
attempts = [{ variant = "skeleton", finds = "unwritten", says = "" }]"#;
    let own = ONE.replace("hints = [{ on = \"any\", tiers = [\"a\", \"b\", \"c\"] }]\nattempts = []", OWN);
    let manifest = Manifest::parse(&format!("{own}{COMMON}")).expect("well-formed");
    for (found, hint) in [
        (None, "of the skeleton"),
        (Some("wrong/unwritten"), "of the skeleton"),
        (Some("wrong/not-a-number"), "own"),
        (Some("wrong/value"), "of all wrong results"),
        (Some("fault/shared-race"), "of all faults"),
        (Some("sectors"), "of sectors"),
        (Some("compile"), "of the skeleton"),
    ] {
        assert_eq!(manifest.exercises[0].hint(found).expect("a hint").tiers[0], hint, "{found:?}");
    }
    let twice = COMMON.replace("\"wrong\"", "\"fault\"");
    let error = Manifest::parse(&format!("{own}{twice}")).map(|_| ()).expect_err("two");
    assert_eq!(error.to_string(), "two hints are for `fault`");
}

#[test]
fn what_is_named_must_be_there() {
    for (old, new, said) in [
        ("\"twice\"", "\"a b\"", "exercise `a b`: its name is not a word of letters, digits and `_`"),
        ("ceil(n, 64)", "ceil(m, 64)", "exercise `twice`: `ceil(m, 64)`: `m` is not defined"),
        ("\"data\", \"out\"", "\"date\", \"out\"", "exercise `twice`: no buffer named `date`"),
        ("{ n = 33 }", "{ m = 33 }", "exercise `twice`: its cases have different names"),
        ("hidden.n", "hidden.m", "exercise `twice`: `hidden` and its cases have different names"),
        ("to = 5000", "to = 0", "exercise `twice`: the range of `n` is empty"),
        (
            "global_load_sectors",
            "sectors",
            "exercise `twice`: the condition `sectors` counts `sectors`, which is not a counter",
        ),
        ("most =", "least_of =", "unknown field `least_of`"),
        (
            "len = \"n\" }",
            "len = \"n\", axes = [{ name = \"row\", len = \"rows\" }] }",
            "exercise `twice`: `rows`: `rows` is not defined",
        ),
        ("on = \"any\"", "on = \"full\"", "exercise `twice`: a hint is for `full`, which is never found"),
        ("on = \"any\"", "on = \"wrong\"", "exercise `twice`: it has no hint for `any`"),
        (
            "block = [64]",
            "block = []",
            "exercise `twice`: a launch of `twice` does not have one to three dimensions",
        ),
    ] {
        let error = with(old, new).map(|_| ()).expect_err(new);
        assert!(error.contains(said), "{error}");
    }
}

#[test]
fn a_range_counts_its_multiples() {
    let range = |from, to, multiple| Range { from, to, multiple };
    assert_eq!(range(1, 100, 1).count(), 100);
    assert_eq!((range(5, 40, 8).count(), range(5, 40, 8).nth(0), range(5, 40, 8).nth(4)), (5, 8, 40));
    assert_eq!(range(9, 15, 8).count(), 0);
}
