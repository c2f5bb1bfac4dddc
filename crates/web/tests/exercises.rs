//! Exercises in the page: what is given, and what is reported of solutions, skeletons and attempts.

use checker::Case;
use exercise::Packed;
use serde_json::{Value, json};
use web::Session;

fn ask(session: &mut Session, request: &Value) -> Value {
    serde_json::from_str(&session.respond(&request.to_string())).expect("JSON")
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn every_solution_passes_and_every_skeleton_fails_as_in_the_terminal() {
    let mut session = Session::default();
    let each = Packed::of_workbook().expect("well-formed").each();
    let tasks = exercise::all().expect("well-formed").into_iter();
    for task in tasks.filter(|task| task.exercise.program.is_none()) {
        let name = &task.exercise.name;
        let given = ask(&mut session, &json!({ "do": "exercise", "exercise": each[name] }));
        assert_eq!((&given["ok"], &given["skeleton"]), (&json!(true), &json!(task.skeleton())), "{name}");
        assert_eq!(given["file"], format!("{name}.cu"));
        for (text, passes) in [(task.variants.solution(), true), (task.skeleton(), false)] {
            let reported = ask(
                &mut session,
                &json!({ "do": "check", "exercise": each[name], "text": text, "language": "cuda" }),
            );
            assert_eq!(
                (&reported["ok"], &reported["passed"]),
                (&json!(true), &json!(passes)),
                "{name}: {reported}"
            );
            let file = format!("{name}.cu");
            let verdict = checker::check(&task, &file, &text, &Case::shown(&task.exercise)).expect("checked");
            assert_eq!(reported["text"], feedback::feedback(&verdict, &task, &file, &text, false), "{name}");
            assert_eq!(reported["found"], json!(verdict.found_closely()), "{name}");
            let hints = task.exercise.hint(verdict.found_closely().as_deref()).expect("hints");
            let none: [String; 0] = [];
            assert_eq!(reported["hints"], if passes { json!(none) } else { json!(hints.tiers) }, "{name}");
            let holds = |one: &Value| one["holds"] == true;
            assert!(
                !passes || reported["measured"].as_array().is_some_and(|all| all.iter().all(holds)),
                "{name}"
            );
        }
    }
}

#[test]
fn a_program_is_given_and_not_checked_where_nothing_executes_its_host_side() {
    let mut session = Session::default();
    let exercise = &Packed::of_workbook().expect("well-formed").each()["host_sum"];
    let given = ask(&mut session, &json!({ "do": "exercise", "exercise": exercise }));
    assert_eq!(given["title"], "Write the host's side of a sum");
    let request = json!({ "do": "check", "exercise": exercise, "text": given["skeleton"] });
    let response = ask(&mut session, &request);
    assert_eq!(response["error"], "nothing here executes the host side of programs");
}

#[test]
fn the_solution_is_given_with_what_it_and_a_text_that_has_passed_cost() {
    let mut session = Session::default();
    let each = Packed::of_workbook().expect("well-formed").each();
    let mut compare = |name: &str, text: &str| {
        ask(&mut session, &json!({ "do": "compare", "exercise": each[name], "text": text }))
    };
    let tasks = exercise::all().expect("well-formed");
    for task in tasks.iter().filter(|task| task.exercise.program.is_none()) {
        let (name, solution) = (&task.exercise.name, task.variants.solution());
        let compared = compare(name, &solution);
        assert_eq!((&compared["solution"], &compared["yours"]), (&json!(solution), &compared["solutions"]));
        let rows = compared["rows"].as_array().unwrap_or_else(|| panic!("{name}: {compared}"));
        assert!(rows.iter().all(|row| row["yours"] == row["solutions"]), "{name}: {compared}");
        assert!(compared["yours"]["time"].is_string() && rows.len() >= task.exercise.conditions.len().min(1));
    }
    // Each element is stored twice, which the exercise allows.
    let task = tasks.iter().find(|task| task.exercise.name == "vector_sum").expect("there");
    let twice = task.variants.solution().replace("c[i] =", "((volatile float *)c)[i] = 0.0f, c[i] =");
    assert!(checker::check(task, "a.cu", &twice, &Case::shown(&task.exercise)).expect("checked").passed());
    let compared = compare("vector_sum", &twice);
    let rows = compared["rows"].as_array().expect("rows");
    let stores = rows.iter().find(|row| row["name"] == "global_store_requests").expect("a counter");
    assert_eq!((&stores["yours"], &stores["solutions"]), (&json!(64), &json!(32)), "{compared}");
    assert_eq!(compared["case"], "n = 1000");
    assert_eq!(compare("vector_sum", "no kernel")["error"], "it does not run to its end");
    let program = compare("host_sum", "int main() {}");
    assert_eq!(program["error"], "nothing here executes the host side of programs");
}

#[test]
fn with_a_seed_other_numbers_are_checked_as_well() {
    let mut session = Session::default();
    let exercise = &Packed::of_workbook().expect("well-formed").each()["vector_sum"];
    let tasks = exercise::all().expect("well-formed");
    let task = tasks.iter().find(|task| task.exercise.name == "vector_sum").expect("there");
    let mut check = |text: &str, seed: Value| {
        ask(&mut session, &json!({ "do": "check", "exercise": exercise, "text": text, "seed": seed }))
    };
    let solution = task.variants.solution();
    // Right for the sizes that are shown, and for no others.
    let shown = solution.replace("if (i < n)", "if (i < n && (n == 1000 || n == 512 || n == 77))");
    assert_ne!(shown, solution);
    for seed in [1, 2, u64::from(u32::MAX)] {
        assert_eq!(check(&solution, json!(seed))["passed"], true);
        assert_eq!(check(&shown, json!(seed))["passed"], false);
    }
    assert_eq!(check(&shown, Value::Null)["passed"], true);
    assert_eq!(check(&shown, json!(7))["text"], check(&shown, json!(7))["text"]);
    assert_eq!(check(&shown, json!(-1))["error"], "`seed` is not a whole number from 0 on");
}

#[test]
fn what_is_wrong_has_its_place_and_its_picture() {
    let mut session = Session::default();
    let exercise = &Packed::of_workbook().expect("well-formed").each()["uniform_taps"];
    let given = ask(&mut session, &json!({ "do": "exercise", "exercise": exercise }));
    let check = |session: &mut Session, text: &str| {
        ask(session, &json!({ "do": "check", "exercise": exercise, "text": text }))
    };
    let skeleton = given["skeleton"].as_str().expect("a text");
    let missed = check(&mut session, skeleton);
    assert!(missed["svg"].as_str().is_some_and(|svg| svg.starts_with("<svg")), "{missed}");
    assert_eq!(missed["measured"][0]["holds"], false);
    let broken = check(&mut session, &skeleton.replacen("__global__", "__globl__", 1));
    assert_eq!((&broken["passed"], &broken["found"]), (&json!(false), &json!("compile")));
    assert!(broken["messages"][0]["line"].as_u64().is_some_and(|line| line > 1), "{broken}");
}

#[test]
fn what_is_not_an_exercise_is_reported() {
    let mut session = Session::default();
    for kind in ["exercise", "check", "compare"] {
        for (exercise, says) in [
            (json!("none"), "`exercise`: invalid type: string \"none\""),
            (json!({ "manifest": { "exercise": [] }, "sources": {} }), "`exercise` has none"),
        ] {
            let refused = ask(&mut session, &json!({ "do": kind, "exercise": exercise, "text": "" }));
            assert!(refused["error"].as_str().is_some_and(|error| error.contains(says)), "{refused}");
        }
    }
}
