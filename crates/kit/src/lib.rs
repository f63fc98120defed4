//! Test kit for kinds of games: plays random games and checks what every kind must guarantee.
//!
//! One line in a test file runs all checks on a catalog, each as a test with its own name:
//!
//! ```
//! ludotheque_kit::check_kinds!(ludotheque_rules::catalog::BUILT_IN);
//! ```
//!
//! - [`conformance`]: legal moves can be played and others are refused, states are the same after encoding and
//!   decoding, games replay and end.
//! - [`hiding`]: no viewer learns what they must not know. [`leaks`] makes each kind leak on purpose and expects
//!   [`hiding`] to notice. This shows that [`hiding`] can find leaks at all: if `resample` left the secrets unchanged,
//!   it would only compare equal states.
//! - [`resampling`]: `resample` uses nothing that the viewer can't know. [`leaks`] makes `resample` use a secret on
//!   purpose and expects [`resampling`] to notice.
//! - [`bots`]: bots use nothing that their seat can't know. [`leaks`] makes them use a secret on purpose.
//! - [`schemas`]: options, moves, effects, views and events match their JSON Schemas, and every field has a
//!   description.
//! - [`texts`]: every sentence exists in every language.
//!
//! A check that fails panics with what it found. All checks are built on [`table`], a random game of any kind.

pub mod bots;
pub mod conformance;
pub mod hiding;
pub mod leaks;
pub mod resampling;
pub mod schemas;
pub mod table;
pub mod texts;

/// Runs every check on the kinds of a catalog, each as its own test.
#[macro_export]
macro_rules! check_kinds {
    ($catalog:expr) => {
        $crate::check_kinds! {
            $catalog;
            conformance: every_seat_waited_for_has_a_legal_move,
                every_listed_move_is_playable_and_listed_once,
                a_move_that_is_not_listed_is_refused_and_changes_nothing,
                a_move_reads_back_from_its_notation_and_from_its_json,
                nonsense_is_no_move,
                a_state_survives_the_store,
                two_thousand_games_of_every_kind_end_and_what_must_hold_does_after_every_step,
                a_preview_agrees_with_the_play_as_far_as_it_goes,
                a_game_replays_from_its_seed_to_the_same_bytes,
                a_seat_that_gave_up_acts_no_more_and_ranks_last,
                when_everybody_has_given_up_every_view_says_so;
            hiding: nobody_is_told_what_they_must_not_know,
                nobody_is_told_of_a_piece_that_the_view_does_not_show,
                resampling_changes_what_is_hidden_and_keeps_what_holds;
            leaks: a_leaking_view_turns_the_check_red,
                a_leaking_event_turns_the_check_red,
                a_piece_told_but_not_shown_turns_the_check_red,
                a_leaking_label_turns_the_check_red,
                a_leaking_preview_turns_the_check_red,
                a_leaking_refusal_turns_the_check_red,
                resampling_by_a_secret_turns_the_check_red,
                resampling_to_the_truth_turns_the_check_red,
                a_peeking_bot_turns_the_check_red,
                a_peeking_greedy_player_turns_the_check_red,
                without_a_leak_the_same_check_is_green;
            bots: equal_knowledge_and_equal_dice_give_equal_ratings,
                bots_have_levels_and_rate_every_move_from_a_loss_to_a_win;
            resampling: equal_knowledge_and_equal_dice_are_resampled_to_equal_bytes;
            schemas: views_events_moves_and_effects_fit_their_schemas,
                options_fit_their_schema_and_read_back_as_they_were,
                every_field_of_a_schema_is_described;
            texts: all_languages_have_the_same_keys_with_the_kinds_prefix,
                names_summaries_and_glossaries_are_said_in_every_language,
                labels_and_refusals_are_said_in_every_language_and_labels_differ;
        }
    };
    ($catalog:expr; $($kit:ident: $($check:ident),*;)*) => {
        $(mod $kit {
            #[allow(unused_imports, reason = "`$catalog` may name items of the calling module")]
            use super::*;

            $(#[test]
            fn $check() {
                $crate::$kit::$check($catalog);
            })*
        })*
    };
}
