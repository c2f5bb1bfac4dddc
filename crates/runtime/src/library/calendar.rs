//! Days and seconds as dates, in UTC, and dates as text.
//!
//! Enters: seconds since 1970, or the fields of a `struct tm`. Leaves: the other, and what `strftime` makes of it in the locale "C".

/// Fields of a `struct tm`, in its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Date {
    pub(super) second: i32,
    pub(super) minute: i32,
    pub(super) hour: i32,
    /// Day of the month, from 1.
    pub(super) day: i32,
    /// Month, from 0.
    pub(super) month: i32,
    /// Years since 1900.
    pub(super) year: i32,
    /// Day of the week, Sunday is 0.
    pub(super) week_day: i32,
    /// Day of the year, from 0.
    pub(super) year_day: i32,
}

const DAY: i64 = 86_400;
const DAYS: [&str; 7] = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Days from 1970 to a day of the Gregorian calendar; months from 0, those beyond the year counted on.
fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that the leap day is their last.
    let (year, month) = (year + month.div_euclid(12), month.rem_euclid(12));
    let (year, month) = if month < 2 { (year - 1, month + 10) } else { (year, month - 2) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * month + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

impl Date {
    /// The date of a moment; nothing where an `int` does not hold its year.
    pub(super) fn of(seconds: i64) -> Option<Self> {
        let (day, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        let shifted = day.checked_add(719_468)?;
        let (era, of_era) = (shifted.div_euclid(146_097), shifted.rem_euclid(146_097));
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let march = (5 * of_year + 2) / 153;
        let month = (march + 2) % 12;
        let year = era * 400 + year_of_era + i64::from(month < 2);
        Some(Self {
            second: (rest % 60) as i32,
            minute: (rest / 60 % 60) as i32,
            hour: (rest / 3_600) as i32,
            day: (of_year - (153 * march + 2) / 5 + 1) as i32,
            month: month as i32,
            year: i32::try_from(year - 1900).ok()?,
            week_day: (day + 4).rem_euclid(7) as i32,
            year_day: (day - days(year, 0, 1)) as i32,
        })
    }

    /// Seconds since 1970; fields may be out of their ranges.
    pub(super) fn seconds(&self) -> i64 {
        let day = days(i64::from(self.year) + 1900, i64::from(self.month), i64::from(self.day));
        day * DAY + i64::from(self.hour) * 3_600 + i64::from(self.minute) * 60 + i64::from(self.second)
    }

    fn week_day_name(&self) -> &'static str {
        usize::try_from(self.week_day).ok().and_then(|day| DAYS.get(day)).copied().unwrap_or("?")
    }

    fn month_name(&self) -> &'static str {
        usize::try_from(self.month).ok().and_then(|month| MONTHS.get(month)).copied().unwrap_or("?")
    }

    /// What `asctime` makes of it.
    pub(super) fn text(&self) -> String {
        format!(
            "{:.3} {:.3}{:3} {:02}:{:02}:{:02} {}\n",
            self.week_day_name(),
            self.month_name(),
            self.day,
            self.hour,
            self.minute,
            self.second,
            i64::from(self.year) + 1900
        )
    }

    /// What `strftime` makes of it.
    pub(super) fn formatted(&self, template: &[u8]) -> Vec<u8> {
        let mut out = vec![];
        let mut bytes = template.iter().copied();
        while let Some(byte) = bytes.next() {
            if byte != b'%' {
                out.push(byte);
                continue;
            }
            let mut letter = bytes.next();
            if matches!(letter, Some(b'E' | b'O')) {
                letter = bytes.next();
            }
            match letter.map(|letter| (letter, self.field(letter))) {
                Some((_, Some(text))) => out.extend(text.into_bytes()),
                Some((letter, None)) => out.extend([b'%', letter]),
                None => out.push(b'%'),
            }
        }
        out
    }

    fn field(&self, letter: u8) -> Option<String> {
        let year = i64::from(self.year) + 1900;
        let twelve = match self.hour % 12 {
            0 => 12,
            hour => hour,
        };
        let (week_year, week) = self.iso_week();
        let composed =
            |template: &str| Some(String::from_utf8_lossy(&self.formatted(template.as_bytes())).into_owned());
        Some(match letter {
            b'a' => format!("{:.3}", self.week_day_name()),
            b'A' => self.week_day_name().to_owned(),
            b'b' | b'h' => format!("{:.3}", self.month_name()),
            b'B' => self.month_name().to_owned(),
            b'c' => return composed("%a %b %e %H:%M:%S %Y"),
            b'C' => year.div_euclid(100).to_string(),
            b'd' => format!("{:02}", self.day),
            b'D' | b'x' => return composed("%m/%d/%y"),
            b'e' => format!("{:2}", self.day),
            b'F' => return composed("%Y-%m-%d"),
            b'g' => format!("{:02}", week_year.rem_euclid(100)),
            b'G' => week_year.to_string(),
            b'H' => format!("{:02}", self.hour),
            b'I' => format!("{twelve:02}"),
            b'j' => format!("{:03}", i64::from(self.year_day) + 1),
            b'k' => format!("{:2}", self.hour),
            b'l' => format!("{twelve:2}"),
            b'm' => format!("{:02}", i64::from(self.month) + 1),
            b'M' => format!("{:02}", self.minute),
            b'n' => "\n".to_owned(),
            b'p' => if self.hour >= 12 { "PM" } else { "AM" }.to_owned(),
            b'P' => if self.hour >= 12 { "pm" } else { "am" }.to_owned(),
            b'r' => return composed("%I:%M:%S %p"),
            b'R' => return composed("%H:%M"),
            b's' => self.seconds().to_string(),
            b'S' => format!("{:02}", self.second),
            b't' => "\t".to_owned(),
            b'T' | b'X' => return composed("%H:%M:%S"),
            b'u' => if self.week_day == 0 { 7 } else { self.week_day }.to_string(),
            b'U' => format!("{:02}", self.week_from(0)),
            b'V' => format!("{week:02}"),
            b'w' => self.week_day.to_string(),
            b'W' => format!("{:02}", self.week_from(1)),
            b'y' => format!("{:02}", year.rem_euclid(100)),
            b'Y' => year.to_string(),
            b'z' => "+0000".to_owned(),
            b'Z' => "UTC".to_owned(),
            b'%' => "%".to_owned(),
            _ => return None,
        })
    }

    /// Number of the week in the year, where weeks begin on a day.
    fn week_from(&self, first: i64) -> i64 {
        (i64::from(self.year_day) + 7 - (i64::from(self.week_day) - first).rem_euclid(7)) / 7
    }

    /// Year and number of the week by ISO 8601: the first has the year's first Thursday.
    fn iso_week(&self) -> (i64, i64) {
        let year = i64::from(self.year) + 1900;
        let thursday = i64::from(self.year_day) - (i64::from(self.week_day) + 6).rem_euclid(7) + 3;
        let length = |year: i64| days(year + 1, 0, 1) - days(year, 0, 1);
        if thursday < 0 {
            let before = length(year - 1);
            return (year - 1, (thursday + before) / 7 + 1);
        }
        if thursday >= length(year) {
            return (year + 1, 1);
        }
        (year, thursday / 7 + 1)
    }
}
