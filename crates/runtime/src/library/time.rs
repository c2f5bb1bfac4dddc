//! `time.h` and `sys/time.h`: moments, durations, dates; waiting, which lets the clock advance.
//!
//! Enters: addresses of the structures. Leaves: what the clock says, in them.

use super::{
    Library, Place, Row,
    calendar::Date,
    errno::Errno,
    memory::{arguments, get, get_u64, int, put_text, put_u64},
    row,
};
use crate::guest::{Guest, Signal};
use std::time::Duration;

pub(super) const ROWS: &[Row] = &[
    row("time", "lp", |library, guest, given| {
        let [place] = arguments(given);
        let now = library.clock.now().as_secs();
        if place != 0 {
            put_u64(guest, place, now)?;
        }
        Ok(now)
    }),
    row("clock", "l", |library, _, _| Ok(library.clock.processor().as_micros() as u64)),
    row("difftime", "dll", |_, _, given| {
        let [after, before] = arguments(given).map(u64::cast_signed);
        Ok(((i128::from(after) - i128::from(before)) as f64).to_bits())
    }),
    row("gettimeofday", "ipp", |library, guest, given| {
        let [place, zone] = arguments(given);
        let now = library.clock.now();
        put_pair(guest, place, now.as_secs(), u64::from(now.subsec_micros()))?;
        if zone != 0 {
            put_u64(guest, zone, 0)?;
        }
        Ok(0)
    }),
    row("clock_gettime", "iip", clock_gettime),
    row("clock_getres", "iip", |_, guest, given| {
        let [_, place] = arguments(given);
        if place != 0 {
            put_pair(guest, place, 0, 1)?;
        }
        Ok(0)
    }),
    row("timespec_get", "ipi", |library, guest, given| {
        let [place, base] = arguments(given);
        let now = library.clock.now();
        put_pair(guest, place, now.as_secs(), u64::from(now.subsec_nanos()))?;
        Ok(if int(base) == 1 { base & 0xFFFF_FFFF } else { 0 })
    }),
    row("gmtime", "pp", |library, guest, given| {
        let place = library.place(guest, Place::Date, DATE_BYTES)?;
        library.date(guest, given, place)
    }),
    row("localtime", "pp", |library, guest, given| {
        let place = library.place(guest, Place::Date, DATE_BYTES)?;
        library.date(guest, given, place)
    }),
    row("gmtime_r", "ppp", |library, guest, given| {
        let [_, place] = arguments(given);
        library.date(guest, given, place)
    }),
    row("localtime_r", "ppp", |library, guest, given| {
        let [_, place] = arguments(given);
        library.date(guest, given, place)
    }),
    row("mktime", "lp", seconds),
    row("timegm", "lp", seconds),
    row("asctime", "pp", |library, guest, given| {
        let [date] = arguments(given);
        let text = get_date(guest, date)?.text();
        library.date_text(guest, &text)
    }),
    row("ctime", "pp", |library, guest, given| {
        let [place] = arguments(given);
        match Date::of(get_u64(guest, place)?.cast_signed()) {
            Some(date) => library.date_text(guest, &date.text()),
            None => library.null(guest, Errno::EOVERFLOW),
        }
    }),
    row("strftime", "lplpp", |_, guest, given| {
        let [to, size, template, date] = arguments(given);
        let text = get_date(guest, date)?.formatted(&guest.read_text(template)?);
        if text.len() as u64 >= size {
            return Ok(0);
        }
        put_text(guest, to, &text)?;
        Ok(text.len() as u64)
    }),
    row("nanosleep", "ipp", |library, guest, given| {
        let [place, rest] = arguments(given);
        let [seconds, nanoseconds] = [get_u64(guest, place)?, get_u64(guest, place.wrapping_add(8))?];
        if seconds.cast_signed() < 0 || nanoseconds >= 1_000_000_000 {
            return library.fail(guest, Errno::EINVAL, -1);
        }
        library.clock.wait(Duration::new(seconds, nanoseconds as u32));
        if rest != 0 {
            put_pair(guest, rest, 0, 0)?;
        }
        Ok(0)
    }),
    row("usleep", "ii", |library, _, given| {
        let [microseconds] = arguments(given);
        library.clock.wait(Duration::from_micros(microseconds & 0xFFFF_FFFF));
        Ok(0)
    }),
    row("sleep", "ii", |library, _, given| {
        let [seconds] = arguments(given);
        library.clock.wait(Duration::from_secs(seconds & 0xFFFF_FFFF));
        Ok(0)
    }),
];

/// Bytes of a `struct tm`: nine `int`, the offset from UTC and the zone's name.
const DATE_BYTES: u64 = 56;

fn put_pair(guest: &mut dyn Guest, place: u64, first: u64, second: u64) -> Result<(), Signal> {
    put_u64(guest, place, first)?;
    put_u64(guest, place.wrapping_add(8), second)
}

fn clock_gettime(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [which, place] = arguments(given);
    let time = match int(which) {
        0 | 5 => library.clock.now(),             // CLOCK_REALTIME
        1 | 4 | 6 | 7 => library.clock.elapsed(), // CLOCK_MONOTONIC, CLOCK_BOOTTIME
        2 | 3 => library.clock.processor(),       // CLOCK_PROCESS_CPUTIME_ID, CLOCK_THREAD_CPUTIME_ID
        _ => return library.fail(guest, Errno::EINVAL, -1),
    };
    put_pair(guest, place, time.as_secs(), u64::from(time.subsec_nanos()))?;
    Ok(0)
}

/// A date in memory.
fn get_date(guest: &dyn Guest, place: u64) -> Result<Date, Signal> {
    let bytes: [u8; 32] = get(guest, place)?;
    let field = |at: usize| {
        i32::from_le_bytes([bytes[4 * at], bytes[4 * at + 1], bytes[4 * at + 2], bytes[4 * at + 3]])
    };
    Ok(Date {
        second: field(0),
        minute: field(1),
        hour: field(2),
        day: field(3),
        month: field(4),
        year: field(5),
        week_day: field(6),
        year_day: field(7),
    })
}

/// Seconds of a date in memory, whose fields are brought into their ranges.
fn seconds(library: &mut Library, guest: &mut dyn Guest, given: &[u64]) -> Result<u64, Signal> {
    let [place] = arguments(given);
    let seconds = get_date(guest, place)?.seconds();
    let Some(date) = Date::of(seconds) else { return library.fail_long(guest, Errno::EOVERFLOW) };
    library.put_date(guest, place, &date)?;
    Ok(seconds.cast_unsigned())
}

impl Library {
    fn put_date(&mut self, guest: &mut dyn Guest, place: u64, date: &Date) -> Result<(), Signal> {
        let zone = self.place(guest, Place::Zone, 4)?;
        put_text(guest, zone, b"UTC")?;
        let Date { second, minute, hour, day, month, year, week_day, year_day } = *date;
        let fields = [second, minute, hour, day, month, year, week_day, year_day, 0, 0];
        let mut bytes: Vec<u8> = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
        bytes.extend(0u64.to_le_bytes());
        bytes.extend(zone.to_le_bytes());
        guest.write(place, &bytes)
    }

    /// Puts the date of a moment in memory to a place.
    fn date(&mut self, guest: &mut dyn Guest, given: &[u64], place: u64) -> Result<u64, Signal> {
        let [seconds] = arguments(given);
        match Date::of(get_u64(guest, seconds)?.cast_signed()) {
            Some(date) => {
                self.put_date(guest, place, &date)?;
                Ok(place)
            }
            None => self.null(guest, Errno::EOVERFLOW),
        }
    }

    fn date_text(&mut self, guest: &mut dyn Guest, text: &str) -> Result<u64, Signal> {
        let place = self.place(guest, Place::DateText, 64)?;
        put_text(guest, place, text.as_bytes())?;
        Ok(place)
    }
}
