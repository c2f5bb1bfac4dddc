//! Every exercise, as the manifest has it: its solution passes, and its skeleton and typical attempts fail for the reason
//! that the manifest gives, with the words that help.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use checker::{Case, Verdict};
use exercise::Task;
use exercise::manifest::{Attempt, CAUSE, FAULTS, WRONG};
use exercise::program;
use interpreter::Interpreter;

const SEEDS: std::ops::Range<u64> = 100..108;

pub(crate) fn check(task: &Task, source: &str, cases: &[Case]) -> Verdict {
    checker::check_with(task, "attempt.cu", source, cases, &Interpreter, None).unwrap()
}

/// The exercise of a name.
fn task(name: &str) -> Task {
    exercise::all().unwrap().into_iter().find(|task| task.exercise.name == name).unwrap()
}

/// The solution with some of its texts replaced, each of which it has.
pub(crate) fn changed(task: &Task, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(task.variants.solution(), |source, (old, new)| {
        assert!(source.contains(old), "{source}");
        source.replace(old, new)
    })
}

/// Shown cases, and the hidden ones of these seeds.
fn cases(task: &Task, seeds: std::ops::Range<u64>) -> Vec<Case> {
    let hidden = seeds.map(|seed| Case::hidden(&task.exercise, seed));
    Case::shown(&task.exercise).into_iter().chain(hidden).collect()
}

pub(crate) fn reported(task: &Task, source: &str, verdict: &Verdict) -> String {
    feedback::feedback(verdict, task, "attempt.cu", source, false)
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn solutions_pass_in_shown_and_hidden_cases() {
    solutions_pass(100..102);
}

fn solutions_pass(seeds: std::ops::Range<u64>) {
    for task in exercise::all().unwrap() {
        let source = task.variants.solution();
        let mut all = cases(&task, seeds.clone());
        // The work that a check may do is bounded, and a hidden case must not be beyond that.
        let largest = task.exercise.hidden.iter();
        let largest = largest.map(|(name, range)| (name.clone(), range.nth(range.count() - 1)));
        all.push(Case { sizes: largest.collect(), seed: 1 });
        let verdict = check(&task, &source, &all);
        assert!(
            verdict.passed(),
            "{}, seeds {seeds:?}:\n{}",
            task.exercise.name,
            reported(&task, &source, &verdict)
        );
        assert!(
            verdict.warnings.is_empty(),
            "{}:\n{}",
            task.exercise.name,
            reported(&task, &source, &verdict)
        );
    }
}

/// With the stride in a variable, the compiler takes four steps of the loop at once and the steps that are left over before
/// them. Lanes with one step more are then a step later than the others of their warp.
#[test]
fn a_grid_stride_is_right_however_its_loop_is_unrolled() {
    let task = task("grid_stride");
    let stride = "gridDim.x * blockDim.x";
    let named = task.variants.solution().replace(stride, "threads");
    let source = named.replace("int thread =", &format!("int threads = {stride};\n    int thread ="));
    let verdict = check(&task, &source, &cases(&task, 0..40));
    assert!(verdict.passed(), "{}", reported(&task, &source, &verdict));
}

/// Four elements a lane are as few sectors as one, though a request takes more of them.
#[test]
fn wider_loads_are_right_where_sectors_count() {
    let four = "int threads = gridDim.x * blockDim.x;
    for (int i = thread; i < n / 4; i += threads) {
        float4 p = ((const float4 *)x)[i], q = ((float4 *)y)[i];
        ((float4 *)y)[i] = make_float4(q.x + a * p.x, q.y + a * p.y, q.z + a * p.z, q.w + a * p.w);
    }
    for (int i = n / 4 * 4 + thread; i < n; i += threads) {";
    let square = "column *= 4;
    if (column >= width || row >= height) return;
    const float *from = (const float *)((const char *)in + row * pitch) + column;
    float *to = (float *)((char *)out + row * pitch) + column;
    if (column + 3 < width) {
        float4 v = *(const float4 *)from;
        *(float4 *)to = make_float4(v.x * v.x, v.y * v.y, v.z * v.z, v.w * v.w);
        return;
    }
    for (int i = 0; column + i < width; i++) to[i] = from[i] * from[i];
    return;";
    for (name, old, new) in [
        ("grid_stride", "for (int i = thread; i < n; i += gridDim.x * blockDim.x) {", four),
        ("exchange_roles", "if (column >= width || row >= height) return;", square),
    ] {
        let task = task(name);
        let source = changed(&task, &[(old, new)]);
        let verdict = check(&task, &source, &cases(&task, SEEDS));
        assert!(verdict.passed(), "{}", reported(&task, &source, &verdict));
    }
}

/// Warps without an element of C, or without a pixel, load as much as the others.
fn threads_to_spare_work(seeds: std::ops::Range<u64>) {
    let clamped = [
        (
            "int row = blockIdx.y * blockDim.y + threadIdx.y;\n    if (row >= rows || column >= columns) return;",
            "int row = blockIdx.y * blockDim.y + threadIdx.y;
    bool is_there = row < rows && column < columns;
    row = min(row, rows - 1);
    column = min(column, columns - 1);",
        ),
        ("c[row * stride + column] = sum;", "if (is_there) c[row * stride + column] = sum;"),
    ];
    let staged = [
        (
            "int i = ",
            "__shared__ float table[256];\n    table[threadIdx.x] = curve[threadIdx.x];\n    __syncthreads();\n    int i = ",
        ),
        ("curve[picture[i]]", "table[picture[i]]"),
    ];
    for (name, changes) in [("transpose_once", clamped), ("table_home", staged)] {
        let task = task(name);
        let source = changed(&task, &changes);
        let verdict = check(&task, &source, &cases(&task, seeds.clone()));
        assert!(verdict.passed(), "{}", reported(&task, &source, &verdict));
    }
}

#[test]
fn threads_to_spare_may_work_where_loads_count() {
    threads_to_spare_work(0..10);
}

mod nightly {
    #[test]
    #[ignore = "nightly: eight seeds"]
    fn solutions_pass_in_shown_and_hidden_cases() {
        super::solutions_pass(super::SEEDS);
    }

    #[test]
    #[ignore = "nightly: eighty seeds"]
    fn threads_to_spare_may_work_where_loads_count() {
        super::threads_to_spare_work(0..80);
    }
}

/// A fence may be each thread's own before the barrier, or one after it; and the last block may read the sum as it likes.
#[test]
fn a_last_block_is_right_however_it_reads_and_resets() {
    let task = task("last_block");
    let last = "if (atomicInc(&done, gridDim.x - 1) == gridDim.x - 1) {
            *out = atomicExch(&total, 0);
        }";
    let fence = "    __threadfence();\n    __syncthreads();";
    let plain = "if (atomicAdd(&done, 1u) == gridDim.x - 1) {
            *out = total;
            total = 0;
            done = 0;
        }";
    let behind = format!("__threadfence();\n        {last}");
    let changes: [&[(&str, &str)]; 3] = [
        &[(last, plain)],
        &[(last, &behind), (fence, "    __syncthreads();")],
        &[(
            last,
            "if (atomicInc(&done, gridDim.x - 1) + 1 == gridDim.x) {
            *out = atomicAdd(&total, 0);
            atomicExch(&total, 0);
        }",
        )],
    ];
    for changes in changes {
        let source = changed(&task, changes);
        let verdict = check(&task, &source, &cases(&task, SEEDS));
        assert!(verdict.passed(), "{}", reported(&task, &source, &verdict));
    }
}

/// After the ticket, or for its own block alone, a fence does not help the last block.
#[test]
fn a_fence_in_the_wrong_place_is_none() {
    let task = task("last_block");
    let fence = "    __threadfence();\n    __syncthreads();";
    let written = "*out = atomicExch(&total, 0);";
    let behind = [
        (fence, "    __syncthreads();"),
        (written, "__threadfence();\n            *out = atomicExch(&total, 0);"),
    ];
    let own = [("__threadfence();", "__threadfence_block();")];
    for changes in [&behind[..], &own[..]] {
        let source = changed(&task, changes);
        let verdict = check(&task, &source, &Case::shown(&task.exercise));
        assert_eq!(verdict.found(), Some("fence"), "{}", reported(&task, &source, &verdict));
    }
}

/// A body that is loaded whole and then changed in one number is still one load.
#[test]
fn a_body_whose_mass_is_taken_away_is_loaded_at_once() {
    let task = task("body_last_tile");
    let old = "tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);";
    let new = "float4 body = bodies[j < n ? j : 0];
        if (j >= n) body.w = 0.0f;
        tile[threadIdx.x] = body;";
    let source = task.variants.solution().replace(old, new);
    assert!(source.contains("body.w"), "{source}");
    let verdict = check(&task, &source, &Case::shown(&task.exercise));
    assert!(verdict.passed(), "{}", reported(&task, &source, &verdict));
}

#[test]
#[ignore = "slow: .ci/run runs it"]
fn attempts_fail_for_their_reason_with_words_that_help() {
    let mut others = vec![];
    for task in exercise::all().unwrap() {
        for attempt in &task.exercise.attempts {
            let source = task.variants.named(&attempt.variant).unwrap();
            let verdict = check(&task, &source, &Case::shown(&task.exercise));
            let text = reported(&task, &source, &verdict);
            let found = verdict.found_closely().unwrap_or_default();
            if !found.split('/').any(|name| name == attempt.finds) || !text.contains(&attempt.says) {
                let Attempt { variant, finds, says } = attempt;
                let which = format!("{}, `{variant}`", task.exercise.name);
                others.push(format!(
                    "{which} finds {found} and not {finds}, or does not say `{says}`:\n{text}"
                ));
            }
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn each_exercise_has_two_typical_attempts_and_three_tiers_of_hints() {
    for task in exercise::all().unwrap() {
        assert!(task.exercise.attempts.len() >= 3, "{}: a skeleton and two attempts", task.exercise.name);
        for hint in &task.exercise.hints {
            assert!(hint.tiers.iter().all(|tier| !tier.is_empty()), "{}: {:?}", task.exercise.name, hint.on);
        }
    }
}

/// Whether what is found in an exercise has hints that are about it: the hints for `any` are about the skeleton.
fn is_hinted_at(task: &Task, found: &str) -> bool {
    let hint = task.exercise.hint(Some(found)).unwrap();
    hint.on.iter().any(|on| found.split('/').any(|name| name == on)) || task.exercise.is_of_skeleton(found)
}

#[test]
fn whatever_is_found_has_hints_about_it() {
    let mut without = vec![];
    for task in exercise::all().unwrap() {
        let conditions = task.exercise.conditions.iter().map(|condition| condition.name.clone());
        let faults = FAULTS.iter().map(|kind| format!("fault/{kind}"));
        let wrong = WRONG.iter().map(|kind| format!("wrong/{kind}"));
        let of_kernels = faults.chain(wrong).chain(["launch".to_owned()]);
        let mistakes = FAULTS.iter().chain(&program::FOUND).map(|kind| format!("mistake/{kind}"));
        let of_programs = mistakes.chain(["exit".to_owned(), "output".to_owned()]);
        let cause = task.exercise.detective.then(|| CAUSE.to_owned());
        let all: Vec<String> = match task.exercise.program {
            Some(_) => conditions.chain(of_programs).chain(["compile".to_owned()]).collect(),
            None => conditions.chain(of_kernels).chain(["compile".to_owned()]).chain(cause).collect(),
        };
        let all = all.into_iter();
        let missing = all.filter(|found| !is_hinted_at(&task, found));
        without.extend(missing.map(|found| format!("{}: {found}", task.exercise.name)));
    }
    assert!(without.is_empty(), "no hints are about\n{}", without.join("\n"));
}

#[test]
fn what_a_student_begins_with_fits_a_page() {
    for task in exercise::all().unwrap() {
        for text in [task.skeleton(), task.variants.solution()] {
            let long = text.lines().find(|line| line.chars().count() > 88);
            assert!(long.is_none(), "{}: {long:?}", task.exercise.name);
        }
    }
}

#[test]
fn every_chapter_lists_its_exercises() {
    let book = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../book/src");
    for task in exercise::all().unwrap() {
        let chapter = &task.exercise.chapter;
        let page = std::fs::read_to_string(book.join(format!("{chapter}.md"))).unwrap();
        assert!(
            page.contains(&format!("{{{{#exercises {chapter}}}}}")),
            "{chapter}.md has no list of its exercises"
        );
    }
}
