//! Feedback as a student sees it, on changes of solutions that are typical mistakes.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use checker::{Case, Verdict};
use device::Embedded;
use exercise::Task;

fn task(name: &str) -> Task {
    exercise::all().unwrap().into_iter().find(|task| task.exercise.name == name).unwrap()
}

/// A solution with some of its text replaced.
fn changed(task: &Task, changes: &[(&str, &str)]) -> String {
    changes.iter().fold(task.variants.solution(), |source, (old, new)| {
        assert!(source.contains(old), "{old}");
        source.replace(old, new)
    })
}

fn reported(task: &Task, source: &str, verdict: &Verdict) -> String {
    feedback::feedback(verdict, task, "a.cu", source, false)
}

/// The feedback on an exercise's solution with such changes.
fn feedback(name: &str, changes: &[(&str, &str)]) -> String {
    let task = task(name);
    let source = changed(&task, changes);
    let verdict = checker::check(&task, "a.cu", &source, &Case::shown(&task.exercise)).unwrap();
    reported(&task, &source, &verdict)
}

#[test]
fn an_element_of_a_matrix_has_its_row_and_column() {
    insta::assert_snapshot!(feedback("edges_of_product", &[(" || column >= columns", "")]), @r#"
error: 220 of the 1,280 elements of `c` are wrong (columns = 37, inner = 13, rows = 20)
  --> a.cu:22:5
   |
22 |     c[row * stride + column] = sum;
   |     ^^^^^^^^^^^^^^^^^^^^^^^^ wrote `c[37]`: thread 5 of block 2

    c[37] is -0.362289, but should be -1, as it was before  (row 0, column 37, which is padding)
    c[38] is -0.371287, but should be -1, as it was before  (row 0, column 38, which is padding)
    c[39] is 2.413732, but should be -1, as it was before  (row 0, column 39, which is padding)
    c[40] is 0.400713, but should be -1, as it was before  (row 0, column 40, which is padding)
    c[41] is -1.188344, but should be -1, as it was before  (row 0, column 41, which is padding)
    … and 215 more, up to c[1263]
"#);
}

#[test]
fn a_fault_names_the_element_and_where_the_buffer_ends() {
    insta::assert_snapshot!(feedback("edges_of_product", &[("k < inner; k++", "k <= inner; k++")]), @r#"
error: `b[832]` (row 13, column 0) is read, and `b` ends at `b[831]`, row 12, column 63 (columns = 37, inner = 13, rows = 20)
  --> a.cu:20:38
   |
20 |         sum += a[row * stride + k] * b[k * stride + column];
   |                                      ^^^^^^^^^^^^^^^^^^^^^^ thread 0 of block 0
"#);
}

#[test]
fn a_fault_in_constant_memory_names_the_variable() {
    insta::assert_snapshot!(feedback("uniform_taps", &[("k < TAPS", "k < TAPS + 1")]), @r#"
error: `tap[16]` is read, and `tap` has 16 elements, up to `tap[15]` (n = 1000)
  --> a.cu:22:16
   |
22 |         sum += tap[k] * in[i + k];
   |                ^^^^^^ thread 0 of block 0


warning[out-of-bounds]: the loop accesses `tap` past its end: it has 16 elements
  --> a.cu:22:20
   |
21 |     for (int k = 0; k < TAPS + 1; k++) {
   |                     ------------ the loop continues while this is true
22 |         sum += tap[k] * in[i + k];
   |                    ^ the last index is 16
   |
help: the last element has index 15: compare with `< 16`
"#);
}

#[test]
fn a_fault_in_shared_memory_names_the_variable() {
    insta::assert_snapshot!(feedback("tile_padding", &[("right[TILE][TILE + 1]", "right[TILE - 1][TILE]")]), @r#"
error: `right[31][0]` is written, and `right` ends at `right[30][31]` (n = 64)
  --> a.cu:24:9
   |
24 |         right[y][x] = b[(blockIdx.x * TILE + y) * n + start + x];
   |         ^^^^^^^^^^^ thread (0, 31) of block (0, 0)


warning[bank-conflict]: bank conflict: neighbouring threads along x access `right` 32 words apart
  --> a.cu:27:33
   |
27 |             sum += left[y][k] * right[x][k];
   |                                 ^^^^^^^^^^^ the words of several threads of a warp are in one bank
"#);
}

#[test]
fn a_fault_of_a_struct_names_its_place_in_the_list() {
    insta::assert_snapshot!(feedback("ray_unrolled", &[("i < SPHERES; i++", "i < SPHERES + 1; i++")]), @r#"
error: `spheres[20].x` is read, and `spheres` has 20 elements, up to `spheres[19]` (height = 16, width = 32)
  --> a.cu:28:24
   |
28 |         float dx = x - spheres[i].x, dy = y - spheres[i].y;
   |                        ^^^^^^^^^^^^ thread 0 of block 0


warning[out-of-bounds]: the loop accesses `spheres` past its end: it has 20 elements
  --> a.cu:28:32
   |
27 |     for (int i = 0; i < SPHERES + 1; i++) {
   |                     --------------- the loop continues while this is true
28 |         float dx = x - spheres[i].x, dy = y - spheres[i].y;
   |                                ^ the last index is 20
   |
help: the last element has index 19: compare with `< 20`
"#);
}

#[test]
fn a_write_far_away_is_not_blamed_on_another_buffer() {
    insta::assert_snapshot!(feedback("structure_of_arrays", &[("axis * length + i", "4 * (axis * length + i)")]), @r#"
error: `data[4032]` is written, and `data` has 3,072 elements, up to `data[3071]` (n = 1001)
  --> a.cu:24:5
   |
24 |     data[place(1, i, n)] = y[i];
   |     ^^^^^^^^^^^^^^^^^^^^ thread 0 of block 0
"#);
}

#[test]
fn wavefronts_of_l1_s_data_are_shown_by_banks() {
    insta::assert_snapshot!(feedback("odd_pitch", &[("width | 1", "(width + 15) / 16 * 16")]), @r#"
error: wavefronts of reads of global memory: 2,550, at most 342 allowed (height = 100, width = 48)
  --> a.cu:30:16
   |
21 |     data[i / width * stride_of(width) + i % width] = in[i];
   |                                                      ----- 150 here
...
30 |         sum += data[row * stride_of(width) + i];
   |                ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 2,400 of them here
   |
help: A line has 32 places, and a word is in the bank of its place. 32 lanes take one wavefront if their words have 32 different places.


Line 30, ld.global.f32, warp 0:
  lane 0        8        16       24
       abababab abababab abababab abababab
     a bank 0: 16 words   lanes 0, 2, 4, 6, 8, 10, …
     b bank 16: 16 words  lanes 1, 3, 5, 7, 9, 11, …
  Counted: 16 wavefronts of L1's data: a bank must give 16 different words, one a wavefront.
  ✗ wavefronts of reads of global memory = 2,550  (at most 342; height = 100, width = 48)
  ✓ requests that read global memory = 342  (at most 342; height = 100, width = 48)
"#);
}

#[test]
fn what_wrote_a_wrong_element_is_underlined() {
    insta::assert_snapshot!(feedback("transpose_once", &[("= b[column * stride + k]", "= 2 * b[column * stride + k]")]), @r#"
error: 2,000 of the 2,560 elements of `c` are wrong (columns = 50, inner = 19, rows = 40)
  --> a.cu:31:5
   |
31 |     c[row * stride + column] = sum;
   |     ^^^^^^^^^^^^^^^^^^^^^^^^ wrote `c[0]`: thread 0 of block 0

    c[0] is 5.105836, but should be 2.552918  (row 0, column 0)
    c[1] is 1.480441, but should be 0.740221  (row 0, column 1)
    c[2] is -0.170993, but should be -0.085497  (row 0, column 2)
    c[3] is -1.832328, but should be -0.916164  (row 0, column 3)
    c[4] is 3.288989, but should be 1.644495  (row 0, column 4)
    … and 1,995 more, up to c[2545]
"#);
}

#[test]
fn where_nothing_was_written_nothing_is_underlined() {
    insta::assert_snapshot!(feedback("four_at_once", &[(" else {\n", " else if (false) {\n")]), @r#"
error: 1 of the 1,001 elements of `c` is wrong (n = 1001)

    c[1000] was never written, but should be 0.314586
"#);
}

#[test]
fn threads_that_write_one_element_are_named() {
    insta::assert_snapshot!(feedback("last_block", &[("if (i < n) atomicAdd(&total, in[i]);", "if (i < n) total += in[i];")]), @r#"
error: all 3 elements of `out` are wrong (launches = 3, n = 1000)
  --> a.cu:30:13
   |
30 |             *out = atomicExch(&total, 0);
   |             ^^^^ wrote `out[0]`: thread 0 of block 3

    out[0] is 379, but should be 1092
    out[1] is 11, but should be 1508
    out[2] is -176, but should be -1122

warning[global-race]: thread 1 of block 0 writes `total`, which thread 0 wrote in line 25; nothing orders the two: a barrier between them is missing, or they have to be one atomic operation
  --> a.cu:25:16
   |
25 |     if (i < n) total += in[i];
   |                ^^^^^ thread 1 of block 0 writes it here
   |
help: give each thread its own elements; where several threads must change the same element, use an atomic operation
"#);
}

#[test]
fn a_neighbour_that_was_overwritten_is_a_race() {
    insta::assert_snapshot!(feedback("swap_pointers", &[("to[i] = 0.5f", "to[i] = from[i] = 0.5f")]), @r#"
error: 155 of the 1,000 elements of `out` are wrong (n = 1000)
  --> a.cu:40:16
   |
40 |     if (i < n) out[i] = from[i];
   |                ^^^^^^ wrote `out[30]`: thread 30 of block 0

    out[30] is -0.207352, but should be -0.211238
    out[31] is -0.13314, but should be -0.148032
    out[32] is -0.006705, but should be -0.030654
    out[33] is 0.012244, but should be -0.002648
    out[34] is -0.058195, but should be -0.062081
    … and 150 more, up to out[994]

warning[global-race]: thread 32 of block 0 reads `in[31]`, which thread 31 wrote in line 34; nothing orders the two: a barrier between them is missing, or they have to be one atomic operation
  --> a.cu:33:18
   |
33 |     float left = from[max(i - 1, 0)], right = from[min(i + 1, n - 1)];
   |                  ^^^^^^^^^^^^^^^^^^^ thread 32 of block 0 reads it here
34 |     to[i] = from[i] = 0.5f * from[i] + 0.25f * (left + right);
   |             ------- thread 31 of block 0 writes it here
   |
help: a barrier orders the threads of one block, and only the end of a launch orders threads of different blocks; or write to an array that no thread reads in this launch
"#);
}

#[test]
fn an_element_that_was_never_written_is_named_where_it_is_read() {
    insta::assert_snapshot!(feedback("swap_pointers", &[("to[i] = 0.5f", "from[i] = 0.5f")]), @r#"
error: `other[0]` is read, and nothing has written it (n = 1000)
  --> a.cu:33:18
   |
33 |     float left = from[max(i - 1, 0)], right = from[min(i + 1, n - 1)];
   |                  ^^^^^^^^^^^^^^^^^^^ thread 0 of block 0
"#);
}

#[test]
fn a_loop_that_does_not_end_says_so() {
    insta::assert_snapshot!(feedback("grid_stride", &[("i += gridDim.x * blockDim.x", "i += gridDim.x * blockDim.x * 0")]), @r#"
error: the kernel does not end: more than 4194304 warp instructions in one block, slow ones counted as several, and no proof that it never ends (blocks = 3, n = 1000, threads = 96)
  --> a.cu:16:26
   |
16 |     for (int i = thread; i < n; i += gridDim.x * blockDim.x * 0) {
   |                          ^^^^^ thread 0 of block 0
"#);
}

#[test]
fn a_race_that_came_out_right_is_found() {
    // The last thread swaps the pointers that all others read: here it comes last, on a GPU it may not.
    const SWAP: &str =
        "if (i == n - 1) { float *old = from; from = to; to = old; }\n}\n\n__global__ void result";
    let changes = [("if (i == 0)", "if (i < 0)"), ("}\n\n__global__ void result", SWAP)];
    insta::assert_snapshot!(feedback("swap_pointers", &changes), @r#"
error: thread 231 of block 3 writes `from`, which thread 0 of block 0 read in line 33; nothing orders the blocks of a launch: it takes atomic operations, or a second launch (n = 1000)
  --> a.cu:35:38
   |
33 |     float left = from[max(i - 1, 0)], right = from[min(i + 1, n - 1)];
   |                  ---- thread 0 of block 0 reads it here
34 |     to[i] = 0.5f * from[i] + 0.25f * (left + right);
35 | if (i == n - 1) { float *old = from; from = to; to = old; }
   |                                      ^^^^ thread 231 of block 3 writes it here
   |
help: in this run it came out right; on a GPU it depends on chance: a barrier orders the threads of one block, and only the end of a launch orders threads of different blocks; or write to an array that no thread reads in this launch
"#);
}

#[test]
fn a_second_device_must_have_the_right_results_too() {
    let task = task("vector_sum");
    let cases = Case::shown(&task.exercise);
    let mut second = Embedded::new("t4").unwrap();
    let right = task.variants.solution();
    assert!(checker::check_on(&task, "a.cu", &right, &cases, Some(&mut second)).unwrap().passed());
    let right = right.replace("] + b[", "] OP b[");
    let source = format!("#if __CUDA_ARCH__ < 800\n#define OP -\n#else\n#define OP +\n#endif\n{right}");
    let verdict = checker::check_on(&task, "a.cu", &source, &cases, Some(&mut second)).unwrap();
    insta::assert_snapshot!(reported(&task, &source, &verdict), @r#"
error: all 1,000 elements of `c` are wrong (n = 1000; on the NVIDIA T4)

    c[0] is 0.193073, but should be 1.341667
    c[1] is -0.160208, but should be -1.823118
    c[2] is 0.149733, but should be 1.152062
    c[3] is -1.204575, but should be -0.614566
    c[4] is -0.287984, but should be 0.454269
    … and 995 more, up to c[999]
"#);
}

#[test]
fn without_a_gpu_the_error_is_that_of_the_labs() {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_workbook"))
        .args(["--device", "gpu", "list"])
        .env("CUDA_VISIBLE_DEVICES", "")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && text.contains("no NVIDIA GPU can be used"), "{text}");
}

#[test]
fn a_variable_that_leaves_no_room_is_reported_as_such() {
    let huge = ("__constant__", "__device__ char huge[1ll << 40];\n__constant__");
    let said = feedback("guard_edges", &[huge]);
    assert!(said.contains("out of device memory: 1099511627776 bytes asked for"), "{said}");
    assert!(said.contains("help: the exercise finds its kernels and variables by name"), "{said}");
    assert!(said.contains("and needs room for its data"), "{said}");
}

/// The feedback on a variant of an exercise.
fn feedback_on(name: &str, variant: &str) -> String {
    let task = task(name);
    let source = task.variants.named(variant).unwrap();
    let verdict = checker::check(&task, "a.cu", &source, &Case::shown(&task.exercise)).unwrap();
    reported(&task, &source, &verdict)
}

#[test]
fn a_warning_and_a_diagram_do_not_count_one_access_differently() {
    let said = feedback_on("tile_padding", "skeleton");
    assert!(said.contains("Counted: 32 wavefronts, 31 of them bank conflicts"), "{said}");
    assert!(said.contains("the words of several threads of a warp are in one bank"), "{said}");
    assert!(!said.contains("-way"), "{said}");
}

#[test]
fn an_element_that_nothing_was_stored_to_was_never_written_whatever_it_held() {
    let said = feedback("exchange_roles", &[("((float *)((char *)out", "if (false) ((float *)((char *)out")]);
    assert!(said.contains("out[0] was never written, but should be"), "{said}");
    assert!(!said.contains("is -1, but should be"), "{said}");
    // A store of the previous number counts as a store.
    let said = feedback("warp_along_row", &[("] = sum;", "] = -1.0f;")]);
    assert!(said.contains("c[0] is -1, but should be") && !said.contains("never written"), "{said}");
}

#[test]
fn an_atomic_operation_without_its_old_value_is_distinguished_from_one_with_it() {
    let said = feedback_on("last_block", "the block of the highest number");
    assert!(said.contains("whose old value the kernel does not use is a reduction"), "{said}");
}

#[test]
fn a_race_in_shared_memory_begins_with_the_thread() {
    let said = feedback_on("tile_race", "skeleton");
    assert!(
        said.starts_with("error: thread 0 of block 0 writes `left[0][0]`, which thread 15 read in line 29;"),
        "{said}"
    );
}

/// The remainder of a negative number is negative, so that rows overlap: no barrier helps.
#[test]
fn two_threads_that_store_to_one_element_may_need_another_index_and_no_barrier() {
    let said = feedback("tile_swizzle", &[("column ^ row", "(column - row) % TILE")]);
    let words = "writes `tile[0][31]`, which thread (31, 0) wrote in line 21; a barrier between them is missing, or one of the \
                 two writes the wrong element";
    assert!(said.contains(words), "{said}");
}

#[test]
fn an_element_of_shared_memory_that_was_never_written_is_named() {
    let guard = "if (x < height && y < width) out";
    let said = feedback("tile_sectors", &[(guard, "if (x < width && y < height) out")]);
    assert!(
        said.starts_with("error: `tile[13][0]` is read, and no thread of the block has written it"),
        "{said}"
    );
    let said = feedback("body_async", &[("from, 16,", "from, 8,")]);
    assert!(said.starts_with("error: read of 16 bytes of `tile[1][56]`, of which no thread"), "{said}");
}

/// The limit may be spent in several places, and the one that spends most need not be the wrong one.
/// Of code that counts alike, the code that moves more memory comes first.
#[test]
fn all_code_that_counts_is_underlined() {
    let halves = "float2 y = *(const float2 *)(b + k * stride + column);
        float2 z = *(const float2 *)(b + k * stride + column + 2);";
    let changes = [
        ("float4 y = *(const float4 *)(b + k * stride + column);", halves),
        ("x * y.z", "x * z.x"),
        ("x * y.w", "x * z.y"),
    ];
    insta::assert_snapshot!(feedback("four_columns", &changes), @r#"
error: requests that read global memory: 570, at most 380 allowed (columns = 150, inner = 19, rows = 5)
  --> a.cu:20:20
   |
19 |         float x = a[row * stride + k];
   |                   ------------------- 190 here
20 |         float2 y = *(const float2 *)(b + k * stride + column);
   |                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ 190 of them here
21 |         float2 z = *(const float2 *)(b + k * stride + column + 2);
   |                    ---------------------------------------------- 190 here
   |
help: Each row begins at a multiple of 16 bytes, and so does every fourth column: four neighbours are one load, of a float4.


Line 20, ld.global.v2.f32, warp 0:
  lane 0        8        16       24
       aabbccdd eeffgghh iijjkkll mmnnoopp
     a sector at b + 0    lanes 0-1
     b sector at b + 32   lanes 2-3
     c sector at b + 64   lanes 4-5
     d sector at b + 96   lanes 6-7
     e sector at b + 128  lanes 8-9
     f sector at b + 160  lanes 10-11
     … and 10 more
  Counted: 1 request, 16 sectors in 4 lines: 512 bytes moved, for 256 asked for by 32 lanes.
  ✗ requests that read global memory = 570  (at most 380; columns = 150, inner = 19, rows = 5)
  ✓ accesses of the busiest warp to global memory = 61  (at most 126; columns = 150, inner = 19, rows = 5)
"#);
}

#[test]
fn a_loop_that_waits_for_ever_says_for_what() {
    let spin =
        "atomicAdd(&done, 1u);\n        while (*(volatile unsigned *)&done < 99) {}\n        if (done > 0)";
    let said = feedback("last_block", &[("if (atomicInc(&done, gridDim.x - 1) == gridDim.x - 1)", spin)]);
    assert!(
        said.starts_with(
            "error: the kernel never ends: the loop waits for this value to change, and no thread"
        ),
        "{said}"
    );
}

#[test]
fn a_function_of_a_kernels_name_is_distinguished_from_a_kernel() {
    for (declared, help) in [
        ("void add", "a kernel is declared with `__global__`"),
        ("__device__ void add", "a kernel is declared with `__global__`"),
        ("template <class T> __global__ void add", "this template is never instantiated"),
        ("template <class T>\n__global__ void add", "this template is never instantiated"),
        ("__global__ void sum", "the exercise finds its kernels and variables by name"),
    ] {
        let said = feedback("vector_sum", &[("__global__ void add", declared)]);
        assert!(said.contains(&format!("help: {help}")), "{declared}: {said}");
        assert_eq!(said.contains("add("), declared.contains("add"), "{said}");
    }
}

#[test]
fn dynamic_shared_memory_is_not_given() {
    let dynamic = "extern __shared__ float left[][TILE];\n    __shared__ float right[TILE][TILE + 1];";
    let declared = "__shared__ float left[TILE][TILE], right[TILE][TILE + 1];";
    let said = feedback("tile_padding", &[(declared, dynamic)]);
    let there = "error: `left[y][x]` is written, at `right[32][0]`, and `right` ends at `right[31][32]`";
    assert!(said.starts_with(there), "{said}");
    let alone = "extern __shared__ float all[]; float (*left)[TILE] = (float (*)[TILE])all, (*right)[TILE] = left + TILE;";
    let said = feedback("tile_padding", &[(declared, alone)]);
    assert!(
        said.starts_with(
            "error: `left[y][x]` is written, and the block has no shared memory: neither an array"
        ),
        "{said}"
    );
}

#[test]
fn a_variable_that_is_missing_has_no_place() {
    let said = feedback_on("device_time", "skeleton");
    assert!(
        said.starts_with("error: no constant or global variable `now` in a.cu; it has: none\n"),
        "{said}"
    );
    let error = said.split("\nwarning").next().unwrap();
    assert!(!error.contains("-->"), "{said}");
}

#[test]
fn the_indices_of_one_message_have_one_form() {
    let said = feedback("warp_along_row", &[("blockIdx.y * 32 + threadIdx.x / 32", "threadIdx.x / 32")]);
    assert!(said.contains("thread (0, 0) of block (0, 1) writes `"), "{said}");
    assert!(said.contains("`, which thread (0, 0) of block (0, 0) wrote in line "), "{said}");
    assert!(said.contains("thread (0, 0) of block (0, 1) writes it here"), "{said}");
}

#[test]
fn the_access_that_costs_most_is_drawn_as_in_the_book() {
    let task = task("uniform_taps");
    let verdict = |source: &str| checker::check(&task, "a.cu", source, &Case::shown(&task.exercise)).unwrap();
    let svg = feedback::picture(&verdict(&task.skeleton()), &task, "verdict", false).unwrap();
    let narrow = feedback::picture(&verdict(&task.skeleton()), &task, "verdict", true).unwrap();
    assert_ne!(svg, narrow);
    assert!(svg.starts_with("<svg class=\"lab-plot\"") && svg.contains("id=\"verdict-desc\""), "{svg}");
    assert!(svg.contains("for 16\u{a0}different addresses"), "{svg}");
    assert_eq!(feedback::picture(&verdict(&task.variants.solution()), &task, "verdict", false), None);
}

#[test]
fn what_a_kernel_prints_is_shown_as_far_as_one_reads() {
    let guard = "if (i < n) c[i] = a[i] + b[i];";
    let one = format!("if (i == 70) printf(\"thread %d\\x1b\\n\", i);\n    {guard}");
    let reported = feedback("vector_sum", &[(guard, &one)]);
    assert!(reported.contains("printed (n = 77):\n    thread 70\\u{1b}\n✓"), "{reported}");
    let all = format!("printf(\"thread %d\\n\", i);\n    {guard}");
    let reported = feedback("vector_sum", &[(guard, &all)]);
    assert!(reported.contains("    thread 19\n    … and 236 more lines"), "{reported}");
}

#[test]
fn output_of_a_kernel_until_its_fault_is_shown_with_it() {
    let guard = "if (i < n) c[i] = a[i] + b[i];";
    let wrong = "if (i > 998) printf(\"thread %d\\n\", i);\n    if (i <= n) c[i] = a[i] + b[i];\n    if (i == 1001) printf(\"later\\n\");";
    let reported = feedback("vector_sum", &[(guard, wrong)]);
    assert!(reported.contains("error: `a[1000]` is read"), "{reported}");
    assert!(reported.contains("printed (n = 1000):\n    thread 999\n    thread 1000\n"), "{reported}");
    assert!(!reported.contains("    later\n"), "{reported}");
}

#[test]
fn what_the_device_refuses_is_underlined_where_it_is() {
    let sum = "c[i] = a[i] + b[i]";
    for (instruction, why) in [
        ("wgmma.fence.sync.aligned;", "the embedded device does not support `wgmma.fence.sync.aligned`"),
        ("add.f32 %0", "this is not valid PTX: "),
    ] {
        let reported = feedback("vector_sum", &[(sum, &format!("asm(\"{instruction}\" :: \"f\"(a[i]))"))]);
        assert!(reported.starts_with(&format!("error: {why}")), "{reported}");
        assert!(reported.contains("--> a.cu:14:16") && !reported.contains("help"), "{reported}");
    }
}

#[test]
fn memory_without_a_name_is_reported_by_its_size() {
    let reported = feedback(
        "vector_sum",
        &[("int i = ", "float *t = (float *)malloc(4);\n    t[1] = 2;\n    int i = ")],
    );
    assert!(
        reported
            .starts_with("error: `t[1]` is written, 0 bytes past the end of 4 bytes that malloc returned"),
        "{reported}"
    );
}

#[test]
fn what_needs_a_header_is_not_called_the_hosts() {
    let swap = [("float *old = from;\n        from = to;\n        to = old;", "std::swap(from, to);")];
    let reported = feedback("swap_pointers", &swap);
    assert!(reported.starts_with("error: `std::swap` is not known without its header"), "{reported}");
    let with = [("__device__ float *from", "#include <utility>\n\n__device__ float *from"), swap[0]];
    assert!(feedback("swap_pointers", &with).starts_with('✓'));
}

#[test]
fn parameters_that_do_not_fit_are_reported_in_the_words_of_c() {
    let said = feedback("vector_sum", &[("float *c", "double *c")]);
    assert!(
        said.starts_with("error: parameter 3 of `add` is `double *`, but is given `float *`\n"),
        "{said}"
    );
    assert!(
        said.contains("^^^") && said.contains("passes the arguments that the skeleton's kernels take"),
        "{said}"
    );
    let said = feedback("vector_sum", &[(", int n", ""), ("i < n", "i < 1000")]);
    let few = "error: `add` has 3 parameters, but is given 4: `float *`, `float *`, `float *`, `int`\n";
    assert!(said.starts_with(few), "{said}");
    let said = feedback("vector_sum", &[("void add(", "void sum(")]);
    let there = "no kernel named `add`; the source has: sum(const float *, const float *, float *, int)";
    assert!(said.contains(there), "{said}");
}

#[test]
fn a_single_variable_has_no_index() {
    let said = feedback("device_time", &[("now = 0.0f;", "now = 1.0f;")]);
    assert!(said.contains("wrote `now`: thread 0 of block 0"), "{said}");
    assert!(said.contains("now is 2, but should be 1") && !said.contains("now["), "{said}");
}

#[test]
fn volatile_elements_that_threads_race_for_are_a_race() {
    let volatile = ("__shared__ float", "__shared__ volatile float");
    let (first, second) = ("        __syncthreads();\n        for", "        }\n        __syncthreads();");
    for without in [(first, "        for"), (second, "        }")] {
        let said = feedback("tile_race", &[volatile, without]);
        assert!(said.contains("a barrier between them is missing"), "{said}");
    }
}

/// Far enough past the end of its buffer that another one is nearer.
#[test]
fn what_the_code_names_is_beyond_its_end_whatever_is_nearest() {
    let place = "(b + k * stride + column)";
    let text = feedback("four_columns", &[(place, "(b + column * stride + k)")]);
    assert!(text.starts_with("error: `b` is read at row "), "{text}");
    let text = feedback("four_columns", &[(place, "(b + 100000)")]);
    assert!(text.starts_with("error: `b` is read at row "), "{text}");
}
