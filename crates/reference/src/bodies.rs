//! Gravitating bodies: accelerations by direct summation, and the quantities that a leapfrog integration conserves.
//!
//! A body is four floats: its position, and its mass (times the constant of gravity). With ρ² = r² + ε², where ε² is
//! the softening, body j gives body i the acceleration m_j·r/ρ³, and the pair has the energy −m_i·m_j/ρ.

use rayon::prelude::*;

/// Half a unit in the last place of single precision, relative.
const U: f64 = 1.0 / (1 << 24) as f64;

/// Bodies that are computed together: their sums are adjacent in vector registers.
const LANES: usize = 8;

/// Largest error of one component of an acceleration that single precision may make, relative to Σ|m_j·r/ρ³|, for sums
/// of `terms` bodies one after the other.
///
/// A term, with u = 2⁻²⁴: the difference of two positions is off by u, r² by at most 2u + 4u with its sums, fused or
/// not, so ρ⁻¹ by 3u and the 2⁻²²·⁹ (2.2u) that the PTX manual allows `rsqrt.approx`; its third power by three times
/// that, the four products by 4u, and the difference by u once more: less than 21u. The additions: each is off by at
/// most u of the sum before it, so by terms·u in all. Roundings do not conspire, though: if they are independent with
/// mean zero, the sum is off by less than λ·√terms·u except with probability 2·terms·exp(−λ²/2) (Higham and Mary, A new
/// approach to probabilistic rounding error analysis, 2019), which is below 10⁻⁷ for λ = 8 and a quarter of a million
/// terms. The smaller one is taken.
pub fn bound(terms: usize) -> f64 {
    let n = terms as f64;
    (21.0 + n.min(8.0 * n.sqrt())) * U
}

/// Accelerations of some of the bodies, in double precision.
pub struct Accelerations {
    /// Indices of the bodies.
    targets: Vec<usize>,
    /// Sums of the terms, three components for each body.
    sums: Vec<[f64; 3]>,
    /// Sums of the terms' magnitudes, likewise.
    magnitudes: Vec<[f64; 3]>,
}

/// The component with the largest error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worst {
    /// Error relative to the sum of the terms' magnitudes; infinite for a NaN.
    pub error: f64,
    /// Index of the body.
    pub body: usize,
    /// Component: 0, 1, 2 for x, y, z.
    pub component: usize,
    /// Value found.
    pub found: f32,
    /// Value in double precision.
    pub expected: f64,
}

impl Accelerations {
    /// Accelerations of all bodies where there are at most `most`, or else of `most` of them, evenly spread from the first to
    /// the last.
    pub fn new(bodies: &[f32], softening_squared: f32, most: usize) -> Self {
        let n = bodies.len() / 4;
        let targets: Vec<usize> = match most {
            0 | 1 => (0..n.min(most)).collect(),
            _ if n <= most => (0..n).collect(),
            _ => (0..most).map(|at| (at as u128 * (n - 1) as u128 / (most - 1) as u128) as usize).collect(),
        };
        let pulls: Vec<[f64; 6]> = targets
            .par_chunks(LANES)
            .flat_map_iter(|chunk| pulls(bodies, softening_squared, chunk).into_iter().take(chunk.len()))
            .collect();
        let (sums, magnitudes) = pulls.iter().map(|&[x, y, z, a, b, c]| ([x, y, z], [a, b, c])).unzip();
        Accelerations { targets, sums, magnitudes }
    }

    /// Number of bodies whose accelerations these are.
    pub fn count(&self) -> usize {
        self.targets.len()
    }

    /// Compares with accelerations of all bodies, three floats each; `None` if there are none.
    ///
    /// # Panics
    /// If there are fewer than three floats a body.
    pub fn worst(&self, found: &[f32]) -> Option<Worst> {
        let of = |(at, &body): (usize, &usize)| {
            let component = |component: usize| {
                let (found, expected) = (found[3 * body + component], self.sums[at][component]);
                let off = (f64::from(found) - expected).abs();
                let error = match off / self.magnitudes[at][component] {
                    _ if off == 0.0 => 0.0,
                    error if error.is_nan() => f64::INFINITY,
                    error => error,
                };
                Worst { error, body, component, found, expected }
            };
            (1..3).map(component).fold(component(0), worse)
        };
        self.targets.par_iter().enumerate().map(of).reduce_with(worse)
    }
}

/// The worse of two; of equals the first, since bodies are compared in their order.
fn worse(a: Worst, b: Worst) -> Worst {
    let earlier = (b.body, b.component) < (a.body, a.component);
    if b.error > a.error || (b.error == a.error && earlier) { b } else { a }
}

/// Sums of the terms and of their magnitudes for up to [`LANES`] bodies.
fn pulls(bodies: &[f32], softening_squared: f32, targets: &[usize]) -> [[f64; 6]; LANES] {
    let mut me = [[0.0; LANES]; 3];
    for (lane, &target) in targets.iter().enumerate() {
        for (k, me) in me.iter_mut().enumerate() {
            me[lane] = f64::from(bodies[4 * target + k]);
        }
    }
    let softening = f64::from(softening_squared);
    let mut sums = [[0.0; LANES]; 6];
    for other in bodies.chunks_exact(4) {
        let [x, y, z, mass] = [0, 1, 2, 3].map(|k| f64::from(other[k]));
        for lane in 0..LANES {
            let (dx, dy, dz) = (x - me[0][lane], y - me[1][lane], z - me[2][lane]);
            let rho2 = dx * dx + dy * dy + dz * dz + softening;
            let pull = mass / (rho2 * rho2.sqrt());
            for (k, d) in [dx, dy, dz].into_iter().enumerate() {
                sums[k][lane] += pull * d;
                sums[k + 3][lane] += (pull * d).abs();
            }
        }
    }
    std::array::from_fn(|lane| sums.map(|of| of[lane]))
}

/// A system at one moment: its conserved quantities, and bounds on how well a leapfrog can conserve them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moment {
    /// Kinetic energy, Σ ½·m·v².
    pub kinetic: f64,
    /// Potential energy, −Σ m_i·m_j/ρ over all pairs.
    pub potential: f64,
    /// Momentum, Σ m·v.
    pub momentum: [f64; 3],
    /// The energy's next term in powers of the step, without the step's square: see [`Drift`].
    second_order: f64,
    /// The second-order term with the absolute values of its parts.
    second_order_size: f64,
    /// Upper bound of the eigenvalues of the matrix of second derivatives of the potential, by mass.
    stiffness: f64,
    /// Σ m·|v|·(2|v|) + m·|a|·|x|, all by components: change of the energy by one step's roundings of velocity and
    /// position, in u.
    of_rounding: f64,
    /// Σ m·|v|·A by components, where A is the sum of the magnitudes of the terms of a.
    of_pulls: f64,
    /// Σ m·2|v|, the most of the three components.
    momentum_of_rounding: f64,
    /// Σ m·A, the most of the three components.
    momentum_of_pulls: f64,
}

impl Moment {
    /// The moment of bodies (four floats each) with velocities (three floats each).
    ///
    /// # Panics
    /// If the slices are not of the same number of bodies.
    pub fn new(bodies: &[f32], velocities: &[f32], softening_squared: f32) -> Self {
        let n = bodies.len() / 4;
        assert!(bodies.len() == 4 * n && velocities.len() == 3 * n, "four and three floats a body");
        let parts = (0..n).into_par_iter().map(|i| of_body(bodies, velocities, softening_squared, i));
        // Collected first: the order of the additions, and so the sums' bits, are those of every run.
        parts.collect::<Vec<_>>().into_iter().fold(Moment::default(), Moment::plus)
    }

    /// Kinetic and potential energy.
    pub fn energy(&self) -> f64 {
        self.kinetic + self.potential
    }

    fn plus(self, other: Moment) -> Moment {
        Moment {
            kinetic: self.kinetic + other.kinetic,
            potential: self.potential + other.potential,
            momentum: std::array::from_fn(|k| self.momentum[k] + other.momentum[k]),
            second_order: self.second_order + other.second_order,
            second_order_size: self.second_order_size + other.second_order_size,
            stiffness: self.stiffness.max(other.stiffness),
            of_rounding: self.of_rounding + other.of_rounding,
            of_pulls: self.of_pulls + other.of_pulls,
            momentum_of_rounding: self.momentum_of_rounding + other.momentum_of_rounding,
            momentum_of_pulls: self.momentum_of_pulls + other.momentum_of_pulls,
        }
    }
}

/// Contribution of one body.
fn of_body(bodies: &[f32], velocities: &[f32], softening_squared: f32, i: usize) -> Moment {
    let vector = |of: &[f32], at: usize| [0, 1, 2].map(|k| f64::from(of[at + k]));
    let dot = |a: [f64; 3], b: [f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    let (place, velocity, mass) =
        (vector(bodies, 4 * i), vector(velocities, 3 * i), f64::from(bodies[4 * i + 3]));
    let softening = f64::from(softening_squared);
    let (mut potential, mut curvature, mut stiffness) = (0.0, 0.0, 0.0);
    let (mut curvature_size, mut sum, mut magnitude) = (0.0, [0.0; 3], [0.0; 3]);
    for (j, other) in bodies.chunks_exact(4).enumerate() {
        if j == i {
            continue;
        }
        let d: [f64; 3] = std::array::from_fn(|k| f64::from(other[k]) - place[k]);
        let w: [f64; 3] = std::array::from_fn(|k| f64::from(velocities[3 * j + k]) - velocity[k]);
        let rho2 = dot(d, d) + softening;
        let (rho, mass) = (rho2.sqrt(), f64::from(other[3]));
        let pull = mass / (rho2 * rho);
        potential -= mass / rho;
        let (along, across) = (3.0 * dot(d, w).powi(2) / rho2, dot(w, w));
        curvature += pull * (across - along);
        curvature_size += pull * (across + along);
        stiffness += pull;
        for k in 0..3 {
            sum[k] += pull * d[k];
            magnitude[k] += (pull * d[k]).abs();
        }
    }
    let by_component = |of: &dyn Fn(usize) -> f64| mass * (of(0) + of(1) + of(2));
    let most = |of: &dyn Fn(usize) -> f64| mass * of(0).max(of(1)).max(of(2));
    Moment {
        kinetic: 0.5 * mass * dot(velocity, velocity),
        potential: 0.5 * mass * potential,
        momentum: velocity.map(|v| mass * v),
        // Each pair is met twice.
        second_order: 0.5 * mass * curvature / 12.0 - mass * dot(sum, sum) / 24.0,
        second_order_size: 0.5 * mass * curvature_size / 12.0 + mass * dot(sum, sum) / 24.0,
        // A pair's matrix has eigenvalues of at most 2·m/ρ³, and is in two places of a row (Gershgorin).
        stiffness: 4.0 * stiffness,
        of_rounding: by_component(&|k| 2.0 * velocity[k] * velocity[k] + sum[k].abs() * place[k].abs()),
        of_pulls: by_component(&|k| velocity[k].abs() * magnitude[k]),
        momentum_of_rounding: most(&|k| 2.0 * velocity[k].abs()),
        momentum_of_pulls: most(&|k| magnitude[k]),
    }
}

/// Change of energy and momentum in a leapfrog integration (kick, drift, kick), with bounds on both.
///
/// The leapfrog keeps H + h²·H₂ + O(h⁴) with the step h, where H is the energy and H₂ = v·V″·v/12 − Σ m·a²/24 (Hairer,
/// Lubich and Wanner, Geometric Numerical Integration, IX.8). So the energy moves by h²·(H₂ before − H₂ after): that is
/// [`Drift::predicted`]. The rest is less than (h·ω)² of these terms, ω the largest frequency, and the rounding errors:
/// in each step two roundings of a velocity and one of a position, and errors of two accelerations, each with its
/// effect on the energy, which stays from then on. The bounds are evaluated at both moments and the larger one is
/// doubled, since nothing is known of the moments between.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drift {
    /// Energy after, less energy before.
    pub energy: f64,
    /// Change of the energy that follows from the step's length.
    pub predicted: f64,
    /// Largest difference allowed between these two.
    pub tolerance: f64,
    /// Sum of the absolute changes of the momentum's components.
    pub momentum: f64,
    /// Largest value allowed for that sum.
    pub momentum_tolerance: f64,
}

impl Drift {
    /// The drift over `steps` steps of length `step`, with accelerations that are sums of `terms` bodies.
    pub fn new(before: &Moment, after: &Moment, step: f64, steps: u32, terms: usize) -> Self {
        let most = |of: fn(&Moment) -> f64| 2.0 * of(before).max(of(after)) * f64::from(steps);
        let pulls = step * bound(terms);
        let rest = step.powi(2) * before.stiffness.max(after.stiffness);
        let size = step.powi(2) * (before.second_order_size + after.second_order_size);
        let change = |k: usize| (after.momentum[k] - before.momentum[k]).abs();
        Drift {
            energy: after.energy() - before.energy(),
            predicted: step.powi(2) * (before.second_order - after.second_order),
            tolerance: rest * size + most(|m| m.of_rounding) * U + most(|m| m.of_pulls) * pulls,
            // Not `max`, which would lose a NaN.
            momentum: change(0) + change(1) + change(2),
            momentum_tolerance: 3.0
                * (most(|m| m.momentum_of_rounding) * U + most(|m| m.momentum_of_pulls) * pulls),
        }
    }

    /// Whether energy and momentum are within their tolerances.
    pub fn holds(&self) -> bool {
        (self.energy - self.predicted).abs() <= self.tolerance && self.momentum <= self.momentum_tolerance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::uniform;

    const SOFTENING: f32 = 0.01;

    fn bodies(n: usize) -> Vec<f32> {
        let mut bodies = uniform(4 * n, 7).to_vec();
        bodies.chunks_exact_mut(4).for_each(|body| body[3] = (1.5 + body[3]) / n as f32);
        bodies
    }

    /// Accelerations as a kernel computes them.
    fn single(bodies: &[f32]) -> Vec<f32> {
        let mut found = Vec::new();
        for me in bodies.chunks_exact(4) {
            let mut a = [0.0f32; 3];
            for other in bodies.chunks_exact(4) {
                let d: [f32; 3] = std::array::from_fn(|k| other[k] - me[k]);
                let inverse = 1.0 / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + SOFTENING).sqrt();
                let pull = other[3] * inverse * inverse * inverse;
                (0..3).for_each(|k| a[k] += d[k] * pull);
            }
            found.extend(a);
        }
        found
    }

    #[test]
    fn two_bodies_pull_as_newton_says() {
        let two = [0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 3.0];
        let of = Accelerations::new(&two, 0.0, 1);
        // A body pulls at itself with 0/0 where nothing is softened; here only one of them is checked.
        assert!(of.sums[0][0].is_nan());
        let of = Accelerations::new(&two, 1e-30, 9);
        assert!(
            (of.sums[0][0] - 0.75).abs() < 1e-12 && (of.sums[1][0] + 0.25).abs() < 1e-12,
            "{:?}",
            of.sums
        );
        assert_eq!(of.count(), 2);
    }

    #[test]
    fn single_precision_stays_within_the_bound_and_nothing_else_does() {
        let bodies = bodies(300);
        let of = Accelerations::new(&bodies, SOFTENING, 1000);
        let mut found = single(&bodies);
        let worst = of.worst(&found).unwrap();
        assert!(worst.error < bound(300) && worst.error > 0.0, "{worst:?}");
        for wrong in [1.001, f32::NAN] {
            found[3 * 123 + 1] *= wrong;
            let worst = of.worst(&found).unwrap();
            assert!(worst.error > bound(300) && (worst.body, worst.component) == (123, 1), "{worst:?}");
        }
    }

    #[test]
    fn a_body_that_was_left_out_shows() {
        let bodies = bodies(300);
        let mut fewer = bodies.clone();
        fewer[4 * 299 + 3] = 0.0;
        let worst = Accelerations::new(&bodies, SOFTENING, 1000).worst(&single(&fewer)).unwrap();
        assert!(worst.error > bound(300), "{worst:?}");
    }

    #[test]
    fn where_there_are_many_bodies_some_are_looked_at_from_the_first_to_the_last() {
        let bodies = bodies(300);
        let some = Accelerations::new(&bodies, SOFTENING, 20);
        assert_eq!((some.targets[0], some.targets[19], some.count()), (0, 299, 20));
        let all = Accelerations::new(&bodies, SOFTENING, 300);
        assert!(some.targets.iter().zip(&some.sums).all(|(&at, sum)| all.sums[at] == *sum));
        assert!(Accelerations::new(&[], SOFTENING, 20).worst(&[]).is_none());
    }

    /// `steps` steps of `kick, drift, kick`, or of the Euler method.
    fn integrate(bodies: &mut [f32], velocities: &mut [f32], step: f32, steps: u32, leapfrog: bool) {
        let kick = |bodies: &[f32], velocities: &mut [f32], by: f32| {
            velocities.iter_mut().zip(single(bodies)).for_each(|(v, a)| *v += by * a);
        };
        for _ in 0..steps {
            let euler = velocities.to_vec();
            kick(bodies, velocities, if leapfrog { step / 2.0 } else { step });
            let moving = if leapfrog { velocities.to_vec() } else { euler };
            for (body, v) in bodies.chunks_exact_mut(4).zip(moving.chunks_exact(3)) {
                (0..3).for_each(|k| body[k] += step * v[k]);
            }
            if leapfrog {
                kick(bodies, velocities, step / 2.0);
            }
        }
    }

    fn drift(step: f32, steps: u32, leapfrog: bool) -> (Drift, Moment) {
        let (mut bodies, mut velocities) = (bodies(200), vec![0.0; 600]);
        let before = Moment::new(&bodies, &velocities, SOFTENING);
        integrate(&mut bodies, &mut velocities, step, steps, leapfrog);
        let after = Moment::new(&bodies, &velocities, SOFTENING);
        (Drift::new(&before, &after, f64::from(step), steps, 200), after)
    }

    #[test]
    fn a_leapfrog_drifts_as_predicted() {
        let (drift, after) = drift(1.0 / 32.0, 16, true);
        assert!(drift.holds(), "{drift:?}");
        // Neither the kinetic energy, which is large, nor the tolerance is compared.
        assert!(after.kinetic > 100.0 * drift.energy.abs(), "{after:?} {drift:?}");
        assert!(drift.tolerance < drift.predicted.abs(), "{drift:?}");
    }

    #[test]
    fn another_method_does_not() {
        let (drift, _) = drift(1.0 / 32.0, 16, false);
        assert!(!drift.holds() && drift.momentum <= drift.momentum_tolerance, "{drift:?}");
    }

    #[test]
    fn half_the_step_is_a_quarter_of_the_drift() {
        let (whole, half) = (drift(1.0 / 16.0, 8, true).0, drift(1.0 / 32.0, 16, true).0);
        let ratio = whole.energy / half.energy;
        assert!((3.0..5.5).contains(&ratio), "{ratio}");
    }
}
