//! Each condition of each exercise is missed by an attempt of the manifest, or by a change of the solution that is here: what a
//! text demands, the condition that checks it, and a work that has the right results and must fail.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use crate::equivalent_solutions::{Kernel, with_kernels};
use crate::exercises::{changed, check, reported};
use checker::{Case, Finding};
use std::collections::BTreeSet;

/// Texts of a solution, each with what takes its place.
type Changes = &'static [(&'static str, &'static str)];

/// Changes of solutions, each of which misses the condition that is named, for conditions that no attempt of the manifest misses.
const MISSES: &[(&str, &str, Changes)] = &[
    (
        "last_block",
        "work",
        &[(
            "if (i < n) atomicAdd(&total, in[i]);",
            "if (blockIdx.x == 0) for (int j = i; j < n; j += 256) atomicAdd(&total, in[j]);",
        )],
    ),
    (
        "tile_race",
        "requests",
        &[("left[y][k] * right[k][x]", "a[row * n + start + k] * b[(start + k) * n + column]")],
    ),
    (
        "tile_edges",
        "requests",
        &[
            (
                "sum += left[y][k] * right[k][x];",
                "if (row < rows && column < columns && start + k < inner) sum += ab;",
            ),
            ("ab;", "a[row * inner + start + k] * b[(start + k) * columns + column];"),
        ],
    ),
    (
        "tile_padding",
        "sectors",
        &[(
            "right[y][x] = b[(blockIdx.x * TILE + y) * n + start + x];",
            "right[x][y] = b[(blockIdx.x * TILE + x) * n + start + y];",
        )],
    ),
    ("tile_swizzle", "global loads", &[("int row = threadIdx.y, column = threadIdx.x;", EXCHANGED)]),
    (
        "tile_swizzle",
        "stores",
        &[("int row = threadIdx.y, column = threadIdx.x;", EXCHANGED), ("column ^ row", "column")],
    ),
    (
        "tile_swizzle",
        "global stores",
        &[("row = threadIdx.x;\n    column = threadIdx.y;", "row = threadIdx.y;\n    column = threadIdx.x;")],
    ),
    (
        "uniform_taps",
        "shared copy",
        &[
            (
                "    if (i >= n) return;",
                "    __shared__ float copy[TAPS];\n    FILL\n    if (i >= n) return;",
            ),
            ("tap[k] *", "copy[k] *"),
            (
                "FILL",
                "if (threadIdx.x == 0) for (int k = 0; k < TAPS; k++) copy[k] = tap[k];\n    __syncthreads();",
            ),
        ],
    ),
    (
        "table_home",
        "weights",
        &[
            ("    float sum = 0.0f;", "    float mine = weight[threadIdx.x % 8], sum = 0.0f;"),
            ("weight_c[k]", "__shfl_sync(__activemask(), mine, k)"),
        ],
    ),
    (
        "body_passes",
        "constants",
        &[
            ("    if (i >= n) return;\n    float4 me = bodies[i];", "    float4 me = bodies[min(i, n - 1)];"),
            ("    if (first > 0) a = acceleration[i];", PULLED),
            ("interact(a, me, pass_bodies[j]);", "interact(a, me, from(j < 32 ? low : high, j));"),
            ("    acceleration[i] = a;", ADDED),
        ],
    ),
    (
        "table_home",
        "local copy",
        &[
            (
                "    float sum = 0.0f;",
                "    float copy[8], sum = 0.0f;\n    for (int k = 0; k < 8; k++) copy[k] = weight_c[k];",
            ),
            ("* value + weight_c[k]", "* value + copy[k ^ (n < 0)]"),
        ],
    ),
    (
        "set_per_warp",
        "local copy",
        &[
            (
                "    float4 sum",
                "    float copy[TAPS];\n    for (int k = 0; k < TAPS; k++) copy[k] = coef[0][k];\n    float4 sum",
            ),
            ("coef[0][k] * x.x", "copy[k ^ (n < 0)] * x.x"),
        ],
    ),
    (
        "set_per_warp",
        "shared copy",
        &[
            (
                "    if (i >= n) return;",
                "    __shared__ float copy[TAPS];\n    FILL\n    if (i >= n) return;",
            ),
            ("coef[0][k] * x.x", "copy[k] * x.x"),
            (
                "FILL",
                "if (threadIdx.x == 0) for (int k = 0; k < TAPS; k++) copy[k] = coef[0][k];\n    __syncthreads();",
            ),
        ],
    ),
    ("ray_unrolled", "global", &[("__constant__ Sphere", "__device__ Sphere")]),
    (
        "ray_unrolled",
        "local copy",
        &[
            (
                "    float nearest",
                "    float z[SPHERES];\n    for (int i = 0; i < SPHERES; i++) z[i] = spheres[i].z;\n    float nearest",
            ),
            ("spheres[i].z +", "z[i ^ (count < 0)] +"),
        ],
    ),
    (
        "ray_unrolled",
        "shared copy",
        &[
            ("    if (x >= width", "    __shared__ float z[SPHERES];\n    FILL\n    if (x >= width"),
            ("spheres[i].z +", "z[i] +"),
            (
                "FILL",
                "if (threadIdx.x == 0 && threadIdx.y == 0)\n    #pragma unroll\n        for (int i = 0; i < SPHERES; i++) z[i] = spheres[i].z;\n    \
                 __syncthreads();",
            ),
        ],
    ),
    (
        "body_last_tile",
        "requests",
        &[("interact(a, me, tile[k]);", "if (start + k < n) interact(a, me, bodies[start + k]);")],
    ),
    ("body_passes", "replays", &[("pass_bodies[j]", "pass_bodies[(j + threadIdx.x) % count]")]),
    (
        "body_passes",
        "local copy",
        &[
            (
                "    for (int j = 0; j < count",
                "    float4 copy[PASS];\n    FILL\n    for (int j = 0; j < count",
            ),
            ("pass_bodies[j])", "copy[j])"),
            ("FILL", "for (int k = 0; k < count; k++) copy[k] = pass_bodies[k];"),
        ],
    ),
    (
        "body_passes",
        "shared copy",
        &[
            (
                "    if (i >= n) return;",
                "    __shared__ float4 copy[PASS];\n    FILL\n    if (i >= n) return;",
            ),
            ("pass_bodies[j])", "copy[j])"),
            (
                "FILL",
                "if (threadIdx.x == 0) for (int k = 0; k < count; k++) copy[k] = pass_bodies[k];\n    __syncthreads();",
            ),
        ],
    ),
    (
        "last_block",
        "writes",
        &[
            ("    if (i < n) atomicAdd(&total, in[i]);\n", ""),
            (
                "    if (threadIdx.x == 0) {\n        if (atomicInc",
                "    __shared__ bool last;\n    if (threadIdx.x == 0) last = atomicInc",
            ),
            (
                "== gridDim.x - 1) {\n            *out = atomicExch(&total, 0);\n        }\n    }",
                "== gridDim.x - 1;\n    __syncthreads();\n    SUM",
            ),
            (
                "SUM",
                "if (last) for (int j = threadIdx.x; j < n; j += 256) atomicAdd(&total, in[j]);\n    \
                 __syncthreads();\n    if (last && threadIdx.x == 0) *out = atomicExch(&total, 0);",
            ),
        ],
    ),
    (
        "tile_padding",
        "one by one",
        &[("sum += left", "for (int lane = 0; lane < 32; lane++) if (lane == x) sum += left")],
    ),
    (
        "case_padding",
        "one by one",
        &[("        out[(left", "        for (int lane = 0; lane < 32; lane++) if (lane == x) out[(left")],
    ),
    (
        "tile_swizzle",
        "one by one",
        &[("        out[y", "        for (int lane = 0; lane < 32; lane++) if (lane == row) out[y")],
    ),
    (
        "tile_padding",
        "stored one by one",
        &[(
            "        right[y][x] =",
            "        for (int lane = 0; lane < 32; lane++) if (lane == x) right[y][x] =",
        )],
    ),
    (
        "case_padding",
        "stored one by one",
        &[(
            "        tile[y * STRIDE",
            "        for (int lane = 0; lane < 32; lane++) if (lane == x) tile[y * STRIDE",
        )],
    ),
    (
        "tile_swizzle",
        "stored one by one",
        &[(
            "        tile[row][column ^ row] =",
            "        for (int k = 0; k < 32; k++) if (k == column) tile[row][column ^ row] =",
        )],
    ),
    (
        "two_tiles",
        "size",
        &[("left[2][TILE][TILE], right[2][TILE][TILE];", "left[6][TILE][TILE], right[6][TILE][TILE];")],
    ),
    (
        "table_home",
        "curve",
        &[(
            "float value = curve[picture[i]];",
            "float value = 0.0f;\n    for (int k = 0; k < 256; k++) if (k == picture[i]) value = curve_c[k];",
        )],
    ),
    (
        "body_async",
        "requests",
        &[("interact(a, me, tile[now][k]);", "if (start + k < n) interact(a, me, bodies[start + k]);")],
    ),
    (
        "host_sum",
        "one launch",
        &[("    cudaFree(d_a);", "    add<<<1, 256>>>(d_a, d_b, d_c, 1);\n    cudaFree(d_a);")],
    ),
    (
        "host_sum",
        "of the device",
        &[("    cudaFree(d_a);", "    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];\n    cudaFree(d_a);")],
    ),
    (
        "case_commit",
        "copies",
        &[(
            "__pipeline_memcpy_async(&tile[(k + 2) % 3][t], &from[64 * (k + 2) + t], 4);",
            "tile[(k + 2) % 3][t] = from[64 * (k + 2) + t];",
        )],
    ),
    ("host_sum", "blocks of 256", &[("(n + 255) / 256, 256", "(n + 255) / 256, 512")]),
    ("host_rows", "blocks of 64", &[("grid, 64", "grid, 128")]),
    ("host_mistakes", "of the device", &[("sum += out[i];", "sum += in[i] * in[i];")]),
    (
        "host_errors",
        "of the device",
        &[("for (int one : out) sum += one;", "for (int i = 0; i < n; i++) sum += 3 * i;")],
    ),
    (
        "host_rows",
        "copies back",
        &[
            ("    cudaFree(rows);", "    for (int y = 0; y < height; y++) BACK\n    cudaFree(rows);"),
            ("BACK", "cudaMemcpy(&m[y * width], (char *)rows + y * pitch, bytes, cudaMemcpyDefault);"),
        ],
    ),
    (
        "host_rows",
        "by rows",
        &[
            (
                "    cudaMemcpy2D(m.data(), bytes, rows, pitch, bytes, height, cudaMemcpyDeviceToHost);\n",
                "BACK\n",
            ),
            (
                "BACK",
                "    std::vector<char> all(pitch * height);\n    ALL\n    for (int y = 0; y < height; y++) ROW",
            ),
            ("ALL", "cudaMemcpy(all.data(), rows, pitch * (height - 1) + bytes, cudaMemcpyDeviceToHost);"),
            ("ROW", "std::copy_n(&all[y * pitch], bytes, (char *)&m[y * width]);"),
            ("#include <cstdio>", "#include <algorithm>\n#include <cstdio>"),
        ],
    ),
    (
        "host_rows",
        "of the device",
        &[
            (
                "    cudaFree(rows);",
                "    cudaFree(rows);\n    for (int i = 0; i < width * height; i++) SCALED",
            ),
            ("SCALED", "m[i] = 2.0f * (i % 251) + i / width;"),
        ],
    ),
    (
        "host_volume",
        "of the device",
        &[(
            "for (float one : v) sum += one;",
            "for (size_t i = 0; i < v.size(); i++) sum += v[i] = i % 127 + 1;",
        )],
    ),
    (
        "host_symbol_part",
        "parts",
        &[
            (
                "    cudaMemcpyToSymbol(weight, &table[first], bytes, first * sizeof(int));",
                "    int *there;\n    cudaGetSymbolAddress((void **)&there, weight);\n    EACH",
            ),
            ("EACH", "for (int k = first; bytes > 0; k++, bytes -= 4) COPY"),
            ("COPY", "cudaMemcpy(there + k, &table[k], 4, cudaMemcpyHostToDevice);"),
        ],
    ),
    (
        "host_symbol_part",
        "of the device",
        &[(
            "for (int one : out) sum += one;",
            "for (int i = 0; i < n; i++) sum += out[i] = i * table[i % 256];",
        )],
    ),
    (
        "host_managed",
        "waits of a stream",
        &[("cudaDeviceSynchronize();", "cudaStreamSynchronize(0);\n    cudaStreamSynchronize(0);")],
    ),
    (
        "host_managed",
        "no call",
        &[(
            "    long long",
            "    int first;\n    cudaMemcpy(&first, in, sizeof(int), cudaMemcpyDefault);\n    long long",
        )],
    ),
    ("host_managed", "of the device", &[("sum += out[i];", "sum += in[i] + in[(i + 1) % n];")]),
    (
        "host_events",
        "of the device",
        &[(
            "    printf",
            "    float v = 1.0f;\n    for (int k = 0; k < times; k++) v = v * 0.999f + 0.5f;\n    x[0] = v;\n    printf",
        )],
    ),
    (
        "host_clean_up",
        "memory",
        &[(
            "    cudaFree(d_out);\n    cudaFree(d_in);\n    cudaFreeHost(numbers);",
            "    cudaFreeHost(numbers);\n    cudaDeviceReset();",
        )],
    ),
    ("host_clean_up", "pinned", &[("    cudaFreeHost(numbers);", "    cudaDeviceReset();")]),
    ("host_clean_up", "of the device", &[("numbers[0], numbers[255]);", "255, 0);")]),
    (
        "host_fill",
        "of the device",
        &[("    printf", "    sum = 0;\n    for (int one : in) sum += one;\n    printf")],
    ),
    (
        "host_passes",
        "of the device",
        &[
            ("for (int one : out) sum += one;", "for (int i = 0; i < n; i++) ALL"),
            ("ALL", "for (int k = 0; k < 16 * passes; k++) sum += factors[k] * (i % (k + 1));"),
        ],
    ),
    (
        "host_two_streams",
        "of the device",
        &[
            ("    double sum = 0;", "    for (int i = 0; i < n; i++) STEPPED\n    double sum = 0;"),
            (
                "STEPPED",
                "{\n        float v = i % 100;\n        for (int k = 0; k < 16; k++) v = fmaf(0.01f, 1.0f - v, v);\n        x[i] = v;\n    }",
            ),
        ],
    ),
];

/// Two requests bring the bodies of a pass, of which each lane has two.
const PULLED: &str = "    float4 low = bodies[min(first + threadIdx.x % 32, n - 1)];
    float4 high = bodies[min(first + 32 + threadIdx.x % 32, n - 1)];
    auto from = [](float4 b, int lane) {
        return make_float4(__shfl_sync(~0u, b.x, lane), __shfl_sync(~0u, b.y, lane),
                           __shfl_sync(~0u, b.z, lane), __shfl_sync(~0u, b.w, lane));
    };";
/// Atomic additions take three requests where a load and a store take six.
const ADDED: &str = "    if (i >= n) return;
    if (first == 0) acceleration[i] = a;
    else {
        atomicAdd(&acceleration[i].x, a.x);
        atomicAdd(&acceleration[i].y, a.y);
        atomicAdd(&acceleration[i].z, a.z);
    }";
const EXCHANGED: &str = "int row = threadIdx.x, column = threadIdx.y;";

/// A kernel, written otherwise.
type Change = fn(&Kernel<'_>) -> String;

/// Conditions that a change of any solution misses, with that change of a kernel.
const GENERATED: &[(&str, Change)] =
    &[("work", one_block), ("one by one", one_by_one), ("requests", one_by_one), ("stored once", one_by_one)];

/// A kernel of which the first block does the work of all.
fn one_block(kernel: &Kernel<'_>) -> String {
    let Kernel { name, parameters, body, .. } = kernel;
    let arguments = kernel.arguments();
    // Copies of one part may not be under way into the next.
    let ends = if body.contains("__pipeline") { "__pipeline_wait_prior(0); " } else { "" };
    format!(
        "__device__ void part_of_{name}({parameters}, dim3 blockIdx)\n{body}\n\n__global__ void {name}({parameters})\n{{\n    \
         if (blockIdx.x + blockIdx.y > 0) return;\n    for (unsigned y = 0; y < gridDim.y; y++)\n        \
         for (unsigned x = 0; x < gridDim.x; x++) {{\n            part_of_{name}({arguments}, dim3(x, y));\n            \
         {ends}__syncthreads();\n        }}\n}}"
    )
}

/// A kernel without barriers whose lanes run one after the other.
fn one_by_one(kernel: &Kernel<'_>) -> String {
    let Kernel { name, parameters, body, .. } = kernel;
    let arguments = kernel.arguments();
    format!(
        "__device__ void part_of_{name}({parameters})\n{body}\n\n__global__ void {name}({parameters})\n{{\n    \
         for (int lane = 0; lane < 32; lane++)\n        if (threadIdx.x % 32 == lane) part_of_{name}({arguments});\n}}"
    )
}

/// A demand of a text is a condition, and a condition that no attempt misses shows nothing.
#[test]
#[ignore = "slow: .ci/run runs it"]
fn every_condition_is_missed_by_an_attempt() {
    let mut held = vec![];
    for task in exercise::all().unwrap() {
        let all: BTreeSet<_> = task.exercise.conditions.iter().map(|one| one.name.as_str()).collect();
        let mut left = all.clone();
        let missed = |source: &str| {
            let verdict = check(&task, source, &Case::shown(&task.exercise));
            let names = match &verdict.finding {
                Some(Finding::Missed(missed)) => missed.iter().map(|one| one.measured.name.clone()).collect(),
                _ => vec![],
            };
            (names, reported(&task, source, &verdict))
        };
        // The others fail for another reason, as the test above finds.
        for attempt in task.exercise.attempts.iter().filter(|one| all.contains(one.finds.as_str())) {
            for name in missed(&task.variants.named(&attempt.variant).unwrap()).0 {
                left.remove(name.as_str());
            }
        }
        for (_, name, changes) in MISSES.iter().filter(|(of, ..)| *of == task.exercise.name) {
            let (names, text) = missed(&changed(&task, changes));
            assert!(names.iter().any(|one| one == name), "{}, {name}: {names:?}\n{text}", task.exercise.name);
            left.remove(name);
        }
        for (name, change) in GENERATED.iter().filter(|(name, _)| left.contains(name)).collect::<Vec<_>>() {
            let source = with_kernels(&task.variants.solution(), change);
            let (names, text) = missed(&source);
            let which = &task.exercise.name;
            assert!(names.iter().any(|one| one == name), "{which}, {name}: {names:?}\n{text}\n{source}");
            left.remove(name);
        }
        held.extend(left.into_iter().map(|name| format!("{}: {name}", task.exercise.name)));
    }
    assert!(held.is_empty(), "nothing misses\n{}", held.join("\n"));
}

/// Lanes that go one after the other have no conflict and no replay: a limit on these shows nothing without one on the accesses.
#[test]
fn limits_on_what_lanes_cost_each_other_come_with_limits_on_accesses() {
    for task in exercise::all().unwrap() {
        let limits =
            |count: &str| task.exercise.conditions.iter().any(|one| one.count == count && one.most.is_some());
        for (each, all) in [
            ("shared_read_conflicts", "shared_reads"),
            ("shared_write_conflicts", "shared_writes"),
            ("const_replays", "constant_reads"),
            ("global_read_wavefronts", "global_reads"),
        ] {
            // A check ends a kernel that does as much as the lanes of this one would, one after the other.
            let ended = (task.exercise.name.as_str(), each) == ("one_pass", "const_replays");
            assert!(
                !limits(each) || limits(all) || ended,
                "{}: `{each}` without `{all}`",
                task.exercise.name
            );
        }
    }
}
