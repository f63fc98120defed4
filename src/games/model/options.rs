//! Options of a game: those that every kind has, and those of the kind itself.

use super::step::Text;
use crate::games::error::GameError;
use crate::games::time_zones;
use crate::rules::any::AnyRules;
use crate::rules::{Fault, Message, reader};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Maximum of `moveSeconds`: thirty days.
const LONGEST: u32 = 30 * 24 * 60 * 60;

/// Field name of the move time.
pub(in crate::games) const MOVE_SECONDS: &str = "moveSeconds";

/// Options that every kind has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", default)]
pub struct TableOptions {
    /// Seconds that a seat may take for a move, up to 30 days; 0, the default, for no limit. Once they have passed, any
    /// seated player may make the late seats resign.
    #[schemars(range(max = LONGEST))]
    pub move_seconds: u32,
}

impl TableOptions {
    /// Separates the options of every game from those of the kind.
    pub fn split(options: &Value) -> Result<(Self, Value), GameError> {
        let unreadable = |fault: Fault| GameError::unreadable_options(&fault.within("options"));
        let Value::Object(all) = options else { return Err(unreadable(Fault::not_an_object())) };
        let known = Self::default().as_map();
        let (own, rest): (Map<_, _>, Map<_, _>) =
            all.clone().into_iter().partition(|(name, _)| known.contains_key(name));
        let out_of_range = || Fault::out_of_range(MOVE_SECONDS, 0, LONGEST as usize);
        let own: Self = reader::read(&Value::Object(own))
            .map_err(|fault| unreadable(if fault.field() == MOVE_SECONDS { out_of_range() } else { fault }))?;
        if own.move_seconds > LONGEST {
            return Err(unreadable(out_of_range()));
        }
        Ok((own, Value::Object(rest)))
    }

    fn as_map(self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }
}

/// Field that names the kind.
const KIND: &str = "kind";

/// Options as shown to clients: with their kind.
pub fn with_kind(mut options: Value, rules: &dyn AnyRules) -> Value {
    if let Value::Object(options) = &mut options {
        options.insert(KIND.to_owned(), rules.info().kind.into());
    }
    options
}

/// Options as stored: without their kind, which clients may include.
fn without_kind(options: &Value, rules: &dyn AnyRules) -> Result<Value, GameError> {
    let mut options = options.clone();
    let said = options.as_object_mut().and_then(|options| options.remove(KIND));
    match said {
        Some(kind) if kind != rules.info().kind => {
            let of = kind.as_str().unwrap_or_default().to_owned();
            let why = Message::new("request-options-of-another-kind").with("of", of).with("kind", rules.info().kind);
            Err(GameError::invalid_options("options.kind", why))
        }
        _ => Ok(options),
    }
}

/// The options with defaults filled in, if the kind can be played with them by this number of seats.
pub fn read_options(rules: &dyn AnyRules, options: &Value, seats: u8) -> Result<Text, GameError> {
    let (table, mut all) = read(rules, &without_kind(options, rules)?, seats)?;
    if let Some(zone) = rules.time_zone(&all).filter(|zone| !time_zones::is_known(zone)) {
        let why = Message::new("game-no-such-time-zone").with("zone", zone);
        return Err(GameError::invalid_options("options", why));
    }
    if let Value::Object(all) = &mut all {
        all.extend(table.as_map());
    }
    Ok(Text(all))
}

/// Checks the options of a stored game. Its time zone is not checked: this build's database may no longer know it.
pub(in crate::games) fn check_stored(rules: &dyn AnyRules, options: &Value, seats: u8) -> Result<(), GameError> {
    read(rules, options, seats).map(|_| ())
}

/// The options of every game, and those of the kind.
fn read(rules: &dyn AnyRules, options: &Value, seats: u8) -> Result<(TableOptions, Value), GameError> {
    let allowed = &rules.info().seats;
    if !allowed.contains(&seats) {
        let (least, most) = (*allowed.start(), *allowed.end());
        let why = Message::new("game-seats-out-of-range").with("seats", seats).with("least", least).with("most", most);
        return Err(GameError::invalid_options("seats", why));
    }
    let (table, kind) = TableOptions::split(options)?;
    Ok((table, rules.read_options(&kind, seats).map_err(GameError::bad_options)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::catalog;
    use serde_json::json;

    #[test]
    fn every_kind_takes_the_time_to_move_beside_its_own_options() {
        for rules in catalog::BUILT_IN.newest_of_all() {
            let seats = *rules.info().seats.start();
            let Text(options) =
                read_options(rules, &json!({MOVE_SECONDS: 30}), seats).expect("an option of every kind");
            assert_eq!(options[MOVE_SECONDS], 30);
            let Text(options) = read_options(rules, &json!({}), seats).expect("no option is needed");
            assert_eq!(options[MOVE_SECONDS], 0, "off by default");
            for wrong in [json!({MOVE_SECONDS: -1}), json!({MOVE_SECONDS: "30"}), json!({MOVE_SECONDS: LONGEST + 1})] {
                assert!(read_options(rules, &wrong, seats).is_err(), "{wrong}");
            }
        }
    }
}
