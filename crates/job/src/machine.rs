//! Where the time of the machine that runs a job went, by its own clock: not what the modelled chip would take.
//!
//! Enters: a report of a profiled run. Leaves: a table. A profiled run takes longer than one without, and so do checks.

use crate::names::shown;
use crate::report::Report;
use anstyle::Style;
use record::text::visible;
use render::format;
use std::time::Duration;

const HEAD: Style = Style::new().bold();
const NOTE: Style = Style::new().dimmed();

/// A row for each phase and for each kernel, in the order in which they ran.
pub(crate) fn table(report: &Report) -> String {
    let host = report.host;
    let mut rows = vec![
        ("reading the PTX".to_owned(), host.reading_ptx),
        ("decoding the kernels".to_owned(), host.decoding),
        ("filling buffers and symbols".to_owned(), host.filling),
    ];
    let mut kernels: Vec<(&str, u64, Duration)> = vec![];
    for launch in &report.launches {
        match kernels.iter_mut().find(|(name, ..)| *name == launch.kernel) {
            Some((_, runs, time)) => {
                *runs += launch.runs;
                *time += launch.host;
            }
            None => kernels.push((&launch.kernel, launch.runs, launch.host)),
        }
    }
    for (name, runs, time) in kernels {
        let times = if runs == 1 { String::new() } else { format!(", {} times", format::count(runs)) };
        rows.push((format!("running {}{times}", visible(&shown(name))), time));
    }
    rows.push(("reading outputs".to_owned(), host.outputs));
    let all: Duration = rows.iter().map(|(_, time)| *time).sum();
    let width = rows.iter().map(|(what, _)| what.chars().count()).max().unwrap_or(0);
    let mut text = format!(
        "\n{HEAD}time of this machine{HEAD:#}{NOTE}, which runs the device, profiling included{NOTE:#}\n"
    );
    for (what, time) in rows {
        let share = if all.is_zero() { 0.0 } else { 100.0 * time.as_secs_f64() / all.as_secs_f64() };
        let time = format::time_ns(time.as_secs_f64() * 1e9).replace('\u{a0}', " ");
        text += &format!("  {what:<width$} {time:>10} {share:>5.1} %\n");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{HostTime, Launched};
    use anstream::adapter::strip_str;

    #[test]
    fn every_phase_and_every_kernel_has_its_share() {
        let ms = Duration::from_millis;
        let launched = |kernel: &str, runs, host| {
            let one = Launched::new(kernel.into(), [1; 3], [1; 3]);
            Launched { runs, host, ..one }
        };
        let host =
            HostTime { reading_ptx: ms(10), decoding: ms(20), filling: ms(0), outputs: Duration::ZERO };
        let launches =
            vec![launched("_ZN2ns1fEv", 1, ms(30)), launched("g", 1, ms(20)), launched("g", 3, ms(20))];
        let text = table(&Report { host, launches, ..Report::default() });
        let text = strip_str(&text).to_string();
        let shares: Vec<(&str, &str)> = text
            .lines()
            .skip(2)
            .filter_map(|line| line.trim().trim_end_matches(" %").rsplit_once(' '))
            .map(|(rest, share)| (rest.split("  ").next().unwrap_or_default(), share))
            .collect();
        let wanted = [
            ("reading the PTX", "10.0"),
            ("decoding the kernels", "20.0"),
            ("filling buffers and symbols", "0.0"),
            ("running ns::f()", "30.0"),
            ("running g, 4 times", "40.0"),
            ("reading outputs", "0.0"),
        ];
        assert_eq!(shares, wanted, "{text}");
        assert!(!table(&Report::default()).contains("NaN"));
    }
}
