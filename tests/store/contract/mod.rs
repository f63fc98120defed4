//! What the ports promise, sentence by sentence. `contract_of!` runs all of it on one kind of store.

pub mod games;
pub mod history;
pub mod lists;
pub mod players;
pub mod retention;
pub mod sweep;

/// The contract, as tests of the store that `$open` opens.
macro_rules! contract_of {
    ($open:path) => {
        contract_of!($open, games:
            a_stored_step_is_read_back,
            a_game_nobody_stored_is_not_there,
            a_step_that_does_not_follow_is_a_conflict_and_changes_nothing,
            an_append_at_odds_with_itself_is_refused,
            appends_are_queued_when_called_and_carried_out_in_that_order,
            what_was_queued_behind_a_refused_step_falls_with_it,
            in_a_new_epoch_the_next_step_fits_again,
            of_many_steps_to_one_version_one_is_stored,
            a_command_is_carried_out_once_however_often_it_is_sent,
            a_command_is_looked_up_before_the_version,
            a_command_holds_in_its_scope_only,
            a_command_is_forgotten_after_a_day,
            a_refused_command_is_not_remembered,
            the_newest_snapshot_comes_with_the_steps_after_it,
            steps_are_read_in_order_from_any_version_on,
            readers_see_a_game_as_of_one_moment,
            a_store_that_can_be_written_to_is_healthy,
            a_game_with_as_many_members_as_ever_fitted_goes_on,
            a_game_that_let_more_players_in_than_it_may_now_is_played_on,
        );
        contract_of!($open, history:
            an_old_position_is_less_than_128_steps_away_from_a_snapshot,
            a_version_that_a_game_has_not_had_is_not_there,
            without_snapshots_a_read_ends_after_256_steps,
            a_game_looks_at_every_version_as_it_did_then,
            a_snapshot_of_another_layout_is_passed_over,
        );
        contract_of!($open, lists:
            a_list_is_newest_first_and_goes_on_before_any_game,
            the_public_list_has_listed_games_only,
            lists_follow_the_head,
            a_list_can_be_of_one_kind_and_one_status,
            a_text_that_no_database_takes_is_the_kind_of_no_game,
            a_member_finds_the_game_and_others_do_not,
            whoever_is_waited_for_finds_the_game,
            pages_of_those_who_wait_are_full_however_many_rows_lie_between,
            games_of_a_player_are_counted_by_status_and_not_beyond_a_bound,
            an_invite_leads_to_its_game_as_long_as_it_has_it,
            an_invite_code_is_of_one_game,
        );
        contract_of!($open, players:
            a_player_is_read_back_with_the_first_sign_in,
            players_are_found_by_id_whatever_else_is_asked_for,
            two_usernames_that_differ_in_case_are_one,
            of_many_players_with_one_username_one_is_created,
            a_player_is_replaced_by_the_next_revision_only,
            a_username_given_up_is_free_again,
            a_username_of_somebody_else_can_not_be_taken,
            a_family_is_replaced_by_the_next_generation_only,
            of_many_rotations_of_one_generation_one_is_done,
            a_revoked_family_stays_revoked,
            ending_a_sign_in_twice_or_an_unknown_one_is_fine,
            a_family_is_not_created_twice,
            a_newcomer_is_found_by_issuer_and_sub,
            of_many_newcomers_with_one_subject_one_is_admitted,
            subjects_are_told_apart_by_where_the_issuer_ends,
            a_deleted_subject_is_free_again_and_its_tokens_are_not,
            a_deletion_that_comes_too_late_ends_nothing,
            tokens_issued_until_a_moment_are_ended_by_their_mark,
            names_that_no_database_takes_as_text_are_names_all_the_same,
        );
        contract_of!($open, retention:
            games_that_are_over_are_found_the_longest_over_first,
            a_removed_game_is_gone_with_all_that_led_to_it,
            a_game_that_is_not_over_or_had_a_step_since_stays,
            a_game_is_removed_once,
        );
        contract_of!($open, sweep:
            guests_who_are_in_no_game_go_and_everybody_else_stays,
            a_guest_goes_once_the_last_game_is_gone,
            a_guest_who_joins_a_game_meanwhile_stays,
            a_token_of_a_guest_who_is_gone_finds_no_session,
            sign_ins_that_have_ended_go_and_live_ones_stay,
            revocations_go_when_the_tokens_have_expired,
            idempotency_keys_go_after_a_day_and_not_before,
            abandoned_games_are_found_in_the_order_of_time_each_once,
        );
    };
    ($open:path, $part:ident: $($sentence:ident),* $(,)?) => {
        mod $part {
            $(#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn $sentence() {
                crate::contract::$part::$sentence(&$open().await).await;
            })*
        }
    };
}
pub(crate) use contract_of;
