//! Time zones, from the database that is built in: rules know none, and a container may have none.

use crate::rules::Instant;
use jiff::civil::Date;
use jiff::tz::TimeZone;

/// Whether there is a time zone of that name: `Europe/Paris`.
pub(super) fn is_known(zone: &str) -> bool {
    find(zone).is_some()
}

/// The moment a day begins there; nothing if there is no such day or zone.
pub(super) fn midnight(zone: &str, year: i16, month: i8, day: i8) -> Option<Instant> {
    let date = Date::new(year, month, day).ok()?;
    let begins = date.to_zoned(find(zone)?).ok()?;
    Some(Instant(begins.timestamp().as_millisecond()))
}

/// The year at a moment there.
pub(super) fn year(zone: &str, at: Instant) -> Option<i16> {
    let moment = jiff::Timestamp::from_millisecond(at.0).ok()?;
    Some(moment.to_zoned(find(zone)?).year())
}

fn find(zone: &str) -> Option<TimeZone> {
    TimeZone::get(zone).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_begins_at_another_moment_in_every_zone() {
        let begins = |zone| midnight(zone, 2026, 12, 5).map(|at| at.to_string());
        assert_eq!(begins("UTC").as_deref(), Some("2026-12-05T00:00:00.000Z"));
        assert_eq!(begins("Europe/Paris").as_deref(), Some("2026-12-04T23:00:00.000Z"));
        assert_eq!(begins("Pacific/Kiritimati").as_deref(), Some("2026-12-04T10:00:00.000Z"));
        assert_eq!(begins("Middle/Earth"), None);
        assert_eq!(midnight("UTC", 2026, 2, 30), None);
    }

    #[test]
    fn the_year_turns_with_the_zone() {
        let at = midnight("UTC", 2027, 1, 1).expect("a day");
        assert_eq!(year("UTC", at), Some(2027));
        assert_eq!(year("America/New_York", at), Some(2026));
    }
}
