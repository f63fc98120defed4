//! Schema tests: options, moves, effects, views and events match their JSON Schemas, and every field of every schema
//! has a description.

use crate::table::{Table, every_game, parse, seed};
use jsonschema::Validator;
use ludotheque_rules::{
    Dice, Eyes,
    any::{AnyRules, Part},
    catalog::Catalog,
};
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};

/// A validator for the schema of a part, with all definitions it refers to.
fn validator(rules: &dyn AnyRules, part: Part) -> Validator {
    let settings = SchemaSettings::draft2020_12();
    let settings = if matches!(part, Part::Options | Part::Move | Part::Choice | Part::Aside) {
        settings
    } else {
        settings.for_serialize()
    };
    let mut generator = settings.into_generator();
    let mut schema = rules.schema(part, &mut generator).to_value();
    schema["$defs"] = Value::Object(generator.take_definitions(true));
    jsonschema::draft202012::new(&schema).unwrap_or_else(|why| panic!("no schema: {why}\n{schema:#}"))
}

fn check(validator: &Validator, json: &str) {
    let json = parse(json);
    if let Some(error) = validator.iter_errors(&json).next() {
        panic!("{error} at {}\n{json:#}", error.instance_path());
    }
}

pub fn views_events_moves_and_effects_fit_their_schemas(catalog: Catalog) {
    for (rules, seats, game) in every_game(catalog, 2) {
        let [view, event, mv, effect] =
            [Part::View, Part::Event, Part::Move, Part::Effect].map(|part| validator(rules, part));
        let (mut table, mut events) = Table::start(rules, seats, game);
        let mut chance = Dice::new(seed(5_000 + game));
        loop {
            for eyes in table.all_eyes().into_iter().chain([Eyes::Replay]) {
                check(&view, &table.view(eyes));
                table.told(&events, eyes).iter().for_each(|told| check(&event, told));
            }
            for seat in table.all_seats() {
                for legal in table.legal(seat) {
                    let described = rules.describe(&table.state, seat, &legal);
                    check(&mv, &described.mv.to_json());
                    described.effect.iter().for_each(|json| check(&effect, &json.to_json()));
                }
            }
            let Some((seat, chosen)) = table.any_move(&mut chance) else { break };
            events = table.play(seat, &chosen);
        }
    }
}

pub fn options_fit_their_schema_and_read_back_as_they_were(catalog: Catalog) {
    for rules in catalog.all() {
        let options = validator(rules, Part::Options);
        for seats in rules.info().seats.clone() {
            let filled = rules.read_options(&json!({}), seats).expect("the default options can be played");
            check(&options, &filled.to_string());
            assert_eq!(rules.read_options(&filled, seats).expect("options that were just written"), filled);
        }
        assert!(!options.is_valid(&json!({"nonsense": 1})), "unknown options are refused");
    }
}

pub fn every_field_of_a_schema_is_described(catalog: Catalog) {
    for rules in catalog.all() {
        for part in Part::ALL {
            let mut generator = SchemaSettings::draft2020_12().into_generator();
            let schema = rules.schema(part, &mut generator).to_value();
            let named = generator.take_definitions(true).into_iter().chain([(format!("{part:?}"), schema)]);
            named.for_each(|(name, schema)| describes_its_fields(&name, &schema));
        }
    }
}

fn describes_its_fields(name: &str, schema: &Value) {
    for (field, described) in schema["properties"].as_object().into_iter().flatten() {
        assert!(field == "type" || described["description"].is_string(), "{name}.{field} has no description");
    }
    schema["oneOf"].as_array().into_iter().flatten().for_each(|variant| describes_its_fields(name, variant));
}
