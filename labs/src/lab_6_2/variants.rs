//! The kernels, with their pictures and sizes.

use super::oracle::{Form, Oracle, Picture};
use super::picture;
use super::scene::{MOST, MOST_PACKED, SPHERES, Scene};
use crate::lab::Host;
use crate::plan::{
    Allocation, Arg, BufferId, Closing, Expectation, Experiment, Launch, Plan, Point, Quantity, Series,
    Target, Trial, Workload,
};
use crate::request::Scope;
use record::{Axis, Parameter, Scale};
use reference::rays::View;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The blocks of the source: a warp has two rows of 16 pixels.
const BLOCK: u32 = 16;

/// Memory from which a kernel reads the spheres.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SphereMemory {
    /// The symbol of its module.
    Symbol,
    /// A list that is its last argument.
    List,
}

/// Properties that distinguish kernels.
struct Variant {
    id: &'static str,
    label: &'static str,
    kernel: &'static str,
    from: SphereMemory,
    /// Whether the number of spheres is an argument, rather than [`SPHERES`] and known at compile time.
    counted: bool,
    form: Form,
}

impl Variant {
    const fn of(id: &'static str, label: &'static str, kernel: &'static str, from: SphereMemory) -> Self {
        Variant { id, label, kernel, from, counted: true, form: Form::Fused }
    }

    const fn compiled(self) -> Self {
        Variant { counted: false, ..self }
    }

    const fn of_the_source(self) -> Self {
        Variant { form: Form::Source, ..self }
    }

    fn packed(&self) -> bool {
        self.kernel.starts_with("packed")
    }

    /// The most spheres that it can be asked for.
    fn most(&self) -> usize {
        if self.packed() { MOST_PACKED } else { MOST }
    }
}

use SphereMemory::{List, Symbol};

/// Pictures of [`SPHERES`].
const FEW: [Variant; 9] = [
    Variant::of("source-constant", "source's kernel, constant memory", "source_constant", Symbol)
        .compiled()
        .of_the_source(),
    Variant::of("source-global", "source's kernel, global memory", "source_global", List)
        .compiled()
        .of_the_source(),
    Variant::of("constant-20", "constant memory, loop to 20", "rays_constant_20", Symbol).compiled(),
    Variant::of("global-20", "global memory, loop to 20", "rays_global_20", List).compiled(),
    Variant::of("constant-unrolled", "constant memory, unrolled", "rays_constant_unrolled", Symbol)
        .compiled(),
    Variant::of("global-unrolled", "global memory, unrolled", "rays_global_unrolled", List).compiled(),
    Variant::of("constant", "constant memory, any number", "rays_constant", Symbol),
    Variant::of("global", "global memory, any number", "rays_global", List),
    Variant::of("restrict", "__restrict__, any number", "rays_restrict", List),
];

/// Pictures of more and more.
const MANY: [Variant; 6] = [
    Variant::of("constant", "constant memory", "rays_constant", Symbol),
    Variant::of("global", "global memory", "rays_global", List),
    Variant::of("shared", "shared memory", "rays_shared", List),
    Variant::of("packed-constant", "constant memory, two float4", "packed_constant", Symbol),
    Variant::of("packed-global", "global memory, two float4", "packed_global", List),
    Variant::of("packed-shared", "shared memory, two float4", "packed_shared", List),
];

/// Adds the experiments, the trials and the checks over all.
pub(super) fn plan(plan: &mut Plan, scene: &Scene, host: Host, scope: Scope, side: u32, sweep_side: u32) {
    let quick = scope == Scope::Quick;
    let oracle = Arc::new(Oracle::new(Arc::clone(&scene.spheres)));
    let mut maker = Maker { scene, oracle: Arc::clone(&oracle), images: BTreeMap::new(), plan };

    let sides = sides(side, quick, host.measured);
    let series = FEW.iter().map(|variant| {
        let point = |&s: &u32| Point {
            // The largest, too: there the chip is full from the first to nearly the last cycle.
            profiled: s == side || sides.last() == Some(&s),
            ..maker.point("picture", variant, s, SPHERES, f64::from(s))
        };
        Series::new(variant.id, variant.label, sides.iter().map(point).collect())
    });
    let series = series.collect();
    maker.plan.experiments.push(Experiment {
        id: "picture",
        title: "20 spheres: rate by where they lie and by what the compiler knows",
        x: Axis::new("side", "pixels", Scale::Log2),
        y: rate(),
        series,
    });

    if host.measured && !quick {
        // Ten times the tests of all the rest.
        maker.plan.uncounted.push("spheres");
    }
    let most = counts(sweep_side, Scope::Full, host.measured).last().copied();
    if let (false, Some(last)) = (host.measured, most)
        && !quick
        && last < EMBEDDED[EMBEDDED.len() - 1]
    {
        maker.plan.notes.push(format!(
            "more than {last} spheres are left out: pictures of {sweep_side} × {sweep_side} pixels of them take long on the embedded device"
        ));
    }
    let counts = counts(sweep_side, scope, host.measured);
    let series = MANY.iter().map(|variant| {
        let point = |&count: &usize| Point {
            profiled: EMBEDDED.contains(&count),
            ..maker.point("spheres", variant, sweep_side, count, count as f64)
        };
        Series::new(variant.id, variant.label, counts.iter().map(point).collect())
    });
    let series = series.collect();
    maker.plan.experiments.push(Experiment {
        id: "spheres",
        title: "Rate against the number of spheres",
        x: Axis::new("spheres", "", Scale::Log10),
        y: rate(),
        series,
    });

    for (nth, variant) in FEW.iter().chain(&MANY).enumerate() {
        // A kernel of both experiments is tried once.
        if FEW.iter().chain(&MANY).take(nth).all(|v| v.kernel != variant.kernel) {
            maker.trials(variant);
        }
    }

    let pictured = Picture { form: Form::Fused, count: SPHERES, view: view(side, side, side) };
    maker.plan.artifacts.push(picture::artifact(&oracle, pictured));
    for check in [Oracle::identical, Oracle::contested] {
        let oracle = Arc::clone(&oracle);
        maker.plan.closing.push(Closing(Arc::new(move || check(&oracle))));
    }
    maker.plan.closing.push(Closing(Arc::new(move || picture::check(&oracle, pictured))));

    let integers = |values: Vec<u64>| Parameter::Integers(values);
    let parameters = &mut maker.plan.parameters;
    parameters.insert("sides".to_owned(), integers(sides.into_iter().map(u64::from).collect()));
    parameters.insert("counts".to_owned(), integers(counts.iter().map(|&c| c as u64).collect()));
    parameters.insert("most_spheres".to_owned(), Parameter::Integer(MOST as u64));
    parameters.insert("most_packed_spheres".to_owned(), Parameter::Integer(MOST_PACKED as u64));
}

/// The numbers of spheres on a GPU.
const GPU: [usize; 7] = [20, 50, 100, 200, 500, 1000, 2000];
/// Numbers of spheres on the embedded device, few enough for its speed.
const EMBEDDED: [usize; 4] = [20, 100, 500, 2000];
/// The most tests of rays against spheres in one picture there: in a full run, and in a short one. The pictures of 500
/// spheres already rank the memories as those of 2,000 do.
const PATIENCE: u64 = 600_000_000;
const SHORT_PATIENCE: u64 = 150_000_000;

/// The numbers of spheres, rising; 20 are always among them.
fn counts(side: u32, scope: Scope, measured: bool) -> Vec<usize> {
    let tests = |count: usize| u64::from(side).pow(2) * count as u64;
    let up_to =
        |most: u64| EMBEDDED.into_iter().filter(|&count| count == SPHERES || tests(count) <= most).collect();
    match (scope, measured) {
        (Scope::Quick, _) => vec![20, 100],
        (Scope::Short, _) => up_to(SHORT_PATIENCE),
        (Scope::Full, false) => up_to(PATIENCE),
        (Scope::Full, true) => GPU.to_vec(),
    }
}

/// Tests of a ray against a sphere, of which there are pixels times spheres.
fn rate() -> record::Axis {
    Axis::new("tests of a ray against a sphere", "billion/s", Scale::Linear)
}

/// The sides of the pictures, rising: `side`, smaller ones, and larger ones where they take no time.
fn sides(side: u32, quick: bool, measured: bool) -> Vec<u32> {
    let mut sides = if quick { vec![side / 2, side] } else { vec![side / 4, side / 2, side] };
    if measured && !quick {
        sides.extend([2 * side, 4 * side]);
    }
    sides.retain(|&s| s > 0);
    sides
}

/// The scene is 1,000 wide; a picture of `side` pixels shows 1,024 of it.
fn view(width: u32, height: u32, side: u32) -> View {
    View { width: width as usize, height: height as usize, scale: 1024.0 / side as f32 }
}

/// Makes launches and what is expected of them.
struct Maker<'a> {
    plan: &'a mut Plan,
    scene: &'a Scene,
    oracle: Arc<Oracle>,
    /// Buffers by the side of the picture.
    images: BTreeMap<u32, BufferId>,
}

impl Maker<'_> {
    fn point(&mut self, experiment: &str, variant: &Variant, side: u32, count: usize, x: f64) -> Point {
        let image = self.image(side);
        let pictured = Picture { form: variant.form, count, view: view(side, side, side) };
        Point {
            x,
            writes: vec![],
            work: Workload::Launch(self.launch(variant, image, pictured)),
            quantity: Quantity::Rate { units: f64::from(side).powi(2) * count as f64 },
            check: Some(self.expectation(format!("{experiment}/{}", variant.id), image, pictured)),
            profiled: false,
        }
    }

    /// Pictures that no block divides; as many spheres as there can be, and none.
    fn trials(&mut self, variant: &Variant) {
        let counts: &[(&str, usize)] = if variant.counted {
            &[("odd-size", 33), ("most", variant.most()), ("none", 0)]
        } else {
            &[("odd-size", SPHERES)]
        };
        for &(id, count) in counts {
            let image = self.image(128);
            let pictured = Picture { form: variant.form, count, view: view(123, 101, 128) };
            let launch = self.launch(variant, image, pictured);
            let check =
                self.expectation(format!("{id}/{}", variant.kernel.replace('_', "-")), image, pictured);
            self.plan.trials.push(Trial { writes: vec![], work: Workload::Launch(launch), check });
        }
    }

    /// The buffer for pictures of up to `side` × `side`, and one more row that no kernel should write.
    fn image(&mut self, side: u32) -> BufferId {
        let plan = &mut *self.plan;
        let bytes = 4 * u64::from(side) * (u64::from(side) + 1);
        *self.images.entry(side).or_insert_with(|| plan.buffer("image", Allocation::Linear { bytes }, None))
    }

    fn launch(&self, variant: &Variant, image: BufferId, Picture { count, view, .. }: Picture) -> Launch {
        // At most 2^14 pixels along a side, and 2,340 spheres.
        let (width, height) = (view.width as u32, view.height as u32);
        let mut args = vec![
            Arg::Buffer { buffer: image, offset: 0 },
            Arg::I32(width as i32),
            Arg::I32(height as i32),
            Arg::F32(view.scale),
        ];
        if variant.counted {
            args.push(Arg::I32(count as i32));
        }
        if variant.from == List {
            let buffer = if variant.packed() { self.scene.packed } else { self.scene.list };
            args.push(Arg::Buffer { buffer, offset: 0 });
        }
        Launch::new(
            if variant.packed() { &kernels::PACKED_RAYS } else { &kernels::RAYS },
            variant.kernel,
            [width.div_ceil(BLOCK), height.div_ceil(BLOCK), 1],
            [BLOCK, BLOCK, 1],
            args,
        )
    }

    fn expectation(&self, id: String, image: BufferId, pictured: Picture) -> Expectation {
        let oracle = Arc::clone(&self.oracle);
        Expectation {
            id,
            what: "all pixels are written, nothing else is, each in a colour that a double-precision reference admits"
                .to_owned(),
            of: Target::Buffer(image),
            judge: Arc::new(move |words| oracle.judge(pictured, words)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_rise_and_none_is_zero() {
        assert_eq!(sides(1024, false, true), [256, 512, 1024, 2048, 4096]);
        assert_eq!(sides(1024, false, false), [256, 512, 1024]);
        assert_eq!(sides(512, true, true), [256, 512]);
        assert_eq!(sides(1, false, false), [1]);
    }

    #[test]
    fn the_embedded_device_is_asked_for_no_more_than_it_does_soon() {
        assert_eq!(counts(512, Scope::Full, false), EMBEDDED);
        assert_eq!(counts(1024, Scope::Full, false), [20, 100, 500]);
        assert_eq!(counts(4096, Scope::Full, false), [20]);
        assert_eq!(counts(1024, Scope::Full, true), GPU);
        assert_eq!(counts(512, Scope::Short, false), [20, 100, 500]);
        assert_eq!(planned(true, Scope::Full).uncounted, ["spheres"]);
        assert!(planned(true, Scope::Quick).uncounted.is_empty());
        assert!(planned(false, Scope::Full).uncounted.is_empty());
    }

    fn planned(measured: bool, scope: Scope) -> Plan {
        let host = Host { multiprocessors: 1, measured };
        let mut plan = Plan { sources: vec![&kernels::RAYS, &kernels::PACKED_RAYS], ..Plan::default() };
        let scene = super::super::scene::plan(&mut plan, 5);
        super::plan(&mut plan, &scene, host, scope, 1024, 1024);
        plan
    }

    #[test]
    fn every_count_fits_where_it_is_asked_for() {
        let plan = planned(true, Scope::Full);
        for launch in plan.launches() {
            let count =
                launch.args.iter().skip(3).find_map(|a| if let Arg::I32(c) = a { Some(*c) } else { None });
            let most = if launch.module.file == kernels::PACKED_RAYS.file { MOST_PACKED } else { MOST };
            assert!(count.is_none_or(|c| c as usize <= most), "{launch:?}");
        }
    }
}
