//! What orders the accesses of a block's threads: a vector clock for each warp, and who of a warp met whom.
//!
//! Enters: meetings, barriers, releases and acquires, each with its time. Leaves: whether an access of that time comes
//! before what a thread does now. What lies before the last barrier of all threads is ordered, and is not looked up here.

use crate::WARP;
use crate::hash::HashMap;
use crate::ir::BARRIERS;
use crate::lanes::lanes;

/// When what a warp's lanes did was ordered among themselves.
#[derive(Clone, Debug, Default)]
pub(super) struct Meetings {
    /// The last time all lanes that had not exited met, or any did.
    pub(super) all_met: u32,
    pub(super) some_met: u32,
    /// For each lane, until when it knows what each other did; there once some have met without the others.
    met: Option<Box<[[u32; WARP]; WARP]>>,
    /// When each lane last let others see what it had done, and when it last looked at what others did.
    released: [u32; WARP],
    acquired: [u32; WARP],
    pub(super) some_released: u32,
    /// For strong stores, by access, the lanes that made them together last.
    pub(super) together: HashMap<u16, u32>,
}

impl Meetings {
    /// Lanes meet, of `live` that there are.
    fn meet(&mut self, mask: u32, live: u32, now: u32) {
        self.some_met = now;
        if mask == live {
            self.all_met = now;
            return;
        }
        let met = self.met.get_or_insert_with(|| Box::new([[0; WARP]; WARP]));
        // Each knows from then on what any of them knew.
        let mut known = [0; WARP];
        for a in lanes(mask) {
            known = std::array::from_fn(|l| known[l].max(met[a][l]));
        }
        for l in lanes(mask) {
            known[l] = now;
        }
        for a in lanes(mask) {
            met[a] = known;
        }
    }

    /// `from` came to a barrier at a time, and `to` waited there for them.
    fn follow(&mut self, to: u32, from: u32, time: u32) {
        let met = self.met.get_or_insert_with(|| Box::new([[0; WARP]; WARP]));
        for a in lanes(to) {
            for b in lanes(from) {
                met[a][b] = met[a][b].max(time);
            }
        }
    }

    /// Whether what lane `other` did at a time comes before what `lane` does now.
    pub(super) fn ordered(&self, other: usize, time: u32, lane: usize) -> bool {
        other == lane
            || self.all_met > time
            || self.met.as_ref().is_some_and(|met| met[lane][other] > time)
            || self.released[other] > time && self.acquired[lane] > time
    }
}

/// Those who have come to a barrier and do not wait there: what they knew then, and lanes of warps with the times at which
/// they came.
#[derive(Debug, Default)]
struct Arrived {
    known: Vec<u32>,
    lanes: Vec<(usize, u32, u32)>,
}

/// What those knew who arrived at an mbarrier: in the phase that goes on, and in the last one of either parity.
#[derive(Debug, Default)]
struct Phases {
    arrived: Vec<u32>,
    complete: [Vec<u32>; 2],
}

/// The clocks of a block's warps.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) warps: Vec<Meetings>,
    /// For each warp, until when it knows what each other did. All lanes of a warp share what one of them learns, and let
    /// others learn what any of them did: a race is missed where that is too much.
    known: Vec<u32>,
    /// What those know who look at what others have let them see.
    released: Vec<u32>,
    arrived: [Option<Box<Arrived>>; BARRIERS],
    /// By barrier, a warp of which lanes came twice without waiting, before it opened.
    again: [Option<usize>; BARRIERS],
    /// By address.
    mbarriers: HashMap<u64, Phases>,
}

fn learn(into: &mut [u32], from: &[u32]) {
    for (into, from) in into.iter_mut().zip(from) {
        *into = (*into).max(*from);
    }
}

impl Order {
    pub(super) fn new(warps: usize) -> Self {
        Order {
            warps: vec![Meetings::default(); warps],
            known: vec![0; warps * warps],
            released: vec![0; warps],
            arrived: Default::default(),
            again: [None; BARRIERS],
            mbarriers: HashMap::default(),
        }
    }

    /// Forgets all times.
    pub(super) fn start_over(&mut self) {
        *self = Order::new(self.warps.len());
    }

    /// A block begins: no thread has come to its barriers.
    pub(super) fn begin_block(&mut self) {
        self.arrived = Default::default();
        self.again = [None; BARRIERS];
        self.mbarriers.clear();
    }

    /// Where a warp's clock is.
    fn row(&self, warp: usize) -> std::ops::Range<usize> {
        let count = self.warps.len();
        warp * count..(warp + 1) * count
    }

    pub(super) fn meet(&mut self, warp: usize, mask: u32, live: u32, now: u32) {
        self.warps[warp].meet(mask, live, now);
    }

    pub(super) fn release(&mut self, warp: usize, mask: u32, now: u32) {
        let row = self.row(warp);
        learn(&mut self.released, &self.known[row]);
        self.released[warp] = now;
        let meetings = &mut self.warps[warp];
        for l in lanes(mask) {
            meetings.released[l] = now;
        }
        meetings.some_released = now;
    }

    pub(super) fn acquire(&mut self, warp: usize, mask: u32, now: u32) {
        let row = self.row(warp);
        learn(&mut self.known[row], &self.released);
        for l in lanes(mask) {
            self.warps[warp].acquired[l] = now;
        }
    }

    /// An mbarrier begins, or is one no more.
    pub(super) fn begin_mbarrier(&mut self, address: u64) {
        self.mbarriers.remove(&address);
    }

    /// Lanes arrive at an mbarrier, or something that they have begun does.
    pub(super) fn arrive_at_mbarrier(&mut self, address: u64, warp: usize, mask: u32, now: u32) {
        let (count, row) = (self.warps.len(), self.row(warp));
        let arrived = &mut self.mbarriers.entry(address).or_default().arrived;
        arrived.resize(count, 0);
        learn(arrived, &self.known[row]);
        arrived[warp] = now;
        let meetings = &mut self.warps[warp];
        for l in lanes(mask) {
            meetings.released[l] = now;
        }
        meetings.some_released = now;
    }

    /// A phase of an mbarrier is complete, an odd one or not.
    pub(super) fn complete_phase(&mut self, address: u64, odd: bool) {
        let phases = self.mbarriers.entry(address).or_default();
        phases.complete[usize::from(odd)] = phases.arrived.clone();
    }

    /// Lanes have seen that a phase is complete.
    pub(super) fn waited_at_mbarrier(&mut self, address: u64, odd: bool, warp: usize, mask: u32, now: u32) {
        let row = self.row(warp);
        if let Some(phases) = self.mbarriers.get(&address) {
            learn(&mut self.known[row], &phases.complete[usize::from(odd)]);
        }
        for l in lanes(mask) {
            self.warps[warp].acquired[l] = now;
        }
    }

    /// Lanes come to a barrier and do not wait there.
    pub(super) fn arrive(&mut self, id: usize, warp: usize, mask: u32, now: u32) {
        let (count, row) = (self.warps.len(), self.row(warp));
        let arrived = self.arrived[id % BARRIERS].get_or_insert_default();
        arrived.known.resize(count, 0);
        learn(&mut arrived.known, &self.known[row]);
        arrived.known[warp] = now;
        if arrived.lanes.iter().any(|(of, lanes, _)| *of == warp && lanes & mask != 0) {
            self.again[id % BARRIERS] = Some(warp);
        }
        arrived.lanes.push((warp, mask, now));
    }

    /// A warp of which lanes came to a barrier twice without waiting, before it opened.
    pub(super) fn arrived_again(&self, id: usize) -> Option<usize> {
        self.again[id % BARRIERS]
    }

    /// A barrier opens for lanes that wait there, each with its warp, the lanes of that and those that live.
    pub(super) fn open(&mut self, id: usize, waiting: &[(usize, u32, u32)], now: u32) {
        let mut arrived = self.arrived[id % BARRIERS].take().unwrap_or_default();
        arrived.known.resize(self.warps.len(), 0);
        for &(warp, ..) in waiting {
            learn(&mut arrived.known, &self.known[self.row(warp)]);
        }
        for &(warp, mask, live) in waiting {
            arrived.known[warp] = now;
            self.meet(warp, mask, live, now);
            for &(_, from, time) in arrived.lanes.iter().filter(|(of, ..)| *of == warp) {
                self.warps[warp].follow(mask, from, time);
            }
        }
        for &(warp, ..) in waiting {
            let row = self.row(warp);
            learn(&mut self.known[row], &arrived.known);
        }
    }

    /// A barrier opens for all threads: what those did who came there is ordered with everything else.
    pub(super) fn open_for_all(&mut self, id: usize) {
        self.arrived[id % BARRIERS] = None;
    }

    /// Whether what a warp did at a time comes before what another one does now.
    pub(super) fn warps_ordered(&self, other: usize, time: u32, warp: usize) -> bool {
        self.known.get(warp * self.warps.len() + other).is_some_and(|known| *known > time)
    }
}
