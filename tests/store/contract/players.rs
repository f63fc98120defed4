//! Players and sign-ins.

use crate::fixture::Fixture;
use crate::samples::{family, later, newcomer, player, revocation};
use futures::future::join_all;
use ludotheque::ids::{FamilyId, PlayerId};
use ludotheque::players::ports::{Family, Player, PlayerStore, Revocation, Subject, Succession, Written};
use std::sync::Arc;

async fn created(store: &Arc<dyn PlayerStore>, username: Option<&str>) -> (Player, Family) {
    let player = player(username);
    let family = family(player.id);
    assert_eq!(store.create_player(player.clone(), family.clone()).await.unwrap(), Written::Done);
    (player, family)
}

fn next(player: &Player, username: Option<&str>) -> Player {
    Player { revision: player.revision + 1, username: username.map(str::to_owned), ..player.clone() }
}

fn rotated(family: &Family) -> Family {
    let succession = Some(Succession { at: later(1), salt: [3; 32], key_tag: Some([4; 32]) });
    Family { generation: family.generation + 1, token_hash: [2; 32], succession, ..family.clone() }
}

pub async fn a_player_is_read_back_with_the_first_sign_in(Fixture { players, .. }: &Fixture) {
    for username in [None, Some("Ann")] {
        let (player, family) = created(players, username).await;
        assert_eq!(players.player(player.id).await.unwrap(), Some(player));
        assert_eq!(players.family(family.id).await.unwrap(), Some(family));
    }
    assert_eq!(players.player(PlayerId::new()).await.unwrap(), None);
    assert_eq!(players.family(FamilyId::new()).await.unwrap(), None);
}

pub async fn players_are_found_by_id_whatever_else_is_asked_for(Fixture { players, .. }: &Fixture) {
    let (ann, _) = created(players, None).await;
    let (bob, _) = created(players, None).await;
    created(players, None).await;
    let mut found = players.players(&[bob.id, PlayerId::new(), ann.id, bob.id]).await.unwrap();
    found.sort_by_key(|player| player.id);
    assert_eq!(found, [ann, bob]);
    assert_eq!(players.players(&[]).await.unwrap(), []);
}

pub async fn two_usernames_that_differ_in_case_are_one(Fixture { players, .. }: &Fixture) {
    let (ann, _) = created(players, Some("Ann")).await;
    let other = player(Some("aNN"));
    let sign_in = family(other.id);
    assert_eq!(players.create_player(other.clone(), sign_in.clone()).await.unwrap(), Written::UsernameTaken);
    assert_eq!(players.player(other.id).await.unwrap(), None);
    assert_eq!(players.family(sign_in.id).await.unwrap(), None);
    assert_eq!(players.player_by_username(&Player::username_key("ANN")).await.unwrap(), Some(ann));
    assert_eq!(players.player_by_username("an").await.unwrap(), None);
}

pub async fn of_many_players_with_one_username_one_is_created(Fixture { players, .. }: &Fixture) {
    let racing = (0..32).map(|_| {
        let player = player(Some("ann"));
        players.create_player(player.clone(), family(player.id))
    });
    let outcomes: Vec<_> = join_all(racing).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Written::Done).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Written::UsernameTaken).count(), 31);
}

pub async fn a_player_is_replaced_by_the_next_revision_only(Fixture { players, .. }: &Fixture) {
    let (ann, _) = created(players, Some("ann")).await;
    let renamed = Player { display_name: "Anna".to_owned(), ..next(&ann, Some("ann")) };
    assert_eq!(players.update_player(renamed.clone()).await.unwrap(), Written::Done);
    for stale in [ann.clone(), renamed.clone(), Player { revision: 4, ..ann }] {
        assert_eq!(players.update_player(stale).await.unwrap(), Written::Conflict);
    }
    assert_eq!(players.player(renamed.id).await.unwrap(), Some(renamed));
    assert_eq!(players.update_player(next(&player(None), None)).await.unwrap(), Written::Conflict);
}

pub async fn a_username_given_up_is_free_again(Fixture { players, .. }: &Fixture) {
    let (ann, _) = created(players, Some("ann")).await;
    let renamed = next(&ann, Some("anna"));
    assert_eq!(players.update_player(renamed.clone()).await.unwrap(), Written::Done);
    let (other, _) = created(players, Some("Ann")).await;
    assert_eq!(players.player_by_username("ann").await.unwrap(), Some(other));
    assert_eq!(players.player_by_username("anna").await.unwrap(), Some(renamed.clone()));
    assert_eq!(players.update_player(next(&renamed, None)).await.unwrap(), Written::Done);
    assert_eq!(players.player_by_username("anna").await.unwrap(), None);
}

pub async fn a_username_of_somebody_else_can_not_be_taken(Fixture { players, .. }: &Fixture) {
    let (ann, _) = created(players, Some("ann")).await;
    let (bob, _) = created(players, Some("bob")).await;
    assert_eq!(players.update_player(next(&bob, Some("ANN"))).await.unwrap(), Written::UsernameTaken);
    assert_eq!(players.player(bob.id).await.unwrap(), Some(bob.clone()));
    assert_eq!(players.player_by_username("bob").await.unwrap(), Some(bob));
    // One's own, spelt differently, is no obstacle.
    assert_eq!(players.update_player(next(&ann, Some("ANN"))).await.unwrap(), Written::Done);
}

pub async fn a_family_is_replaced_by_the_next_generation_only(Fixture { players, .. }: &Fixture) {
    let (_, first) = created(players, None).await;
    let second = rotated(&first);
    assert_eq!(players.rotate_family(second.clone()).await.unwrap(), Written::Done);
    for stale in [first.clone(), second.clone(), Family { generation: 4, ..first }] {
        assert_eq!(players.rotate_family(stale).await.unwrap(), Written::Conflict);
    }
    assert_eq!(players.family(second.id).await.unwrap(), Some(second));
    assert_eq!(players.rotate_family(rotated(&family(PlayerId::new()))).await.unwrap(), Written::Conflict);
}

pub async fn of_many_rotations_of_one_generation_one_is_done(Fixture { players, .. }: &Fixture) {
    let (_, first) = created(players, None).await;
    let racing = (0..32).map(|racer| players.rotate_family(Family { token_hash: [racer; 32], ..rotated(&first) }));
    let outcomes: Vec<_> = join_all(racing).await.into_iter().map(Result::unwrap).collect();
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Written::Done).count(), 1);
    assert_eq!(outcomes.iter().filter(|outcome| **outcome == Written::Conflict).count(), 31);
}

pub async fn a_revoked_family_stays_revoked(Fixture { players, .. }: &Fixture) {
    let (_, first) = created(players, None).await;
    players.revoke_family(first.id).await.unwrap();
    assert_eq!(players.rotate_family(rotated(&first)).await.unwrap(), Written::Conflict);
    assert_eq!(players.family(first.id).await.unwrap(), Some(Family { revoked: true, ..first }));
}

pub async fn ending_a_sign_in_twice_or_an_unknown_one_is_fine(Fixture { players, .. }: &Fixture) {
    let (_, first) = created(players, None).await;
    let unknown = FamilyId::new();
    for id in [first.id, first.id, unknown] {
        players.revoke_family(id).await.unwrap();
    }
    assert_eq!(players.family(unknown).await.unwrap(), None);
}

pub async fn a_family_is_not_created_twice(Fixture { players, .. }: &Fixture) {
    let (ann, first) = created(players, None).await;
    let second = family(ann.id);
    players.create_family(second.clone()).await.unwrap();
    players.revoke_family(second.id).await.unwrap();
    assert!(players.create_family(second.clone()).await.is_err());
    assert!(players.family(second.id).await.unwrap().unwrap().revoked, "it is not brought back to life");
    assert_eq!(players.family(first.id).await.unwrap(), Some(first));
}

fn subject(player: &Player) -> &Subject {
    player.subject.as_ref().unwrap()
}

fn deleted(player: &Player) -> Player {
    Player { deleted: true, subject: None, ..next(player, None) }
}

pub async fn a_newcomer_is_found_by_issuer_and_sub(Fixture { players, .. }: &Fixture) {
    let ann = newcomer("them", "ann");
    assert_eq!(players.player_by_subject(subject(&ann)).await.unwrap(), None);
    assert_eq!(players.admit_player(ann.clone()).await.unwrap(), ann);
    assert_eq!(players.admit_player(newcomer("them", "ann")).await.unwrap(), ann, "who was there before");
    for other in [newcomer("them", "bob"), newcomer("others", "ann")] {
        assert_eq!(players.admit_player(other.clone()).await.unwrap(), other);
    }
    // A name of her own does not take the subject away.
    let account = next(&ann, Some("ann"));
    assert_eq!(players.update_player(account.clone()).await.unwrap(), Written::Done);
    assert_eq!(players.player_by_subject(subject(&ann)).await.unwrap(), Some(account.clone()));
    assert_eq!(players.player_by_username("ann").await.unwrap(), Some(account));
}

pub async fn of_many_newcomers_with_one_subject_one_is_admitted(Fixture { players, .. }: &Fixture) {
    let racing = (0..32).map(|_| players.admit_player(newcomer("them", "ann")));
    let admitted: Vec<_> = join_all(racing).await.into_iter().map(Result::unwrap).collect();
    assert!(admitted.iter().all(|player| *player == admitted[0]));
    assert_eq!(players.player(admitted[0].id).await.unwrap().as_ref(), Some(&admitted[0]));
}

pub async fn subjects_are_told_apart_by_where_the_issuer_ends(Fixture { players, .. }: &Fixture) {
    let mut marks = Vec::new();
    for (issuer, sub) in [("ab", "c"), ("a", "bc"), ("abc", "")] {
        let player = newcomer(issuer, sub);
        assert_eq!(players.admit_player(player.clone()).await.unwrap(), player);
        marks.push(subject(&player).mark());
    }
    marks.dedup();
    assert_eq!(marks.len(), 3);
}

pub async fn a_deleted_subject_is_free_again_and_its_tokens_are_not(Fixture { players, .. }: &Fixture) {
    let ann = newcomer("them", "ann");
    players.admit_player(ann.clone()).await.unwrap();
    let ended = revocation(subject(&ann).mark());
    assert_eq!(players.delete_player(deleted(&ann), Some(ended.clone())).await.unwrap(), Written::Done);
    assert_eq!(players.player_by_subject(subject(&ann)).await.unwrap(), None);
    assert_eq!(players.player(ann.id).await.unwrap(), Some(deleted(&ann)));
    assert!(players.is_revoked(&[ended.mark], later(1)).await.unwrap());
    let again = newcomer("them", "ann");
    assert_eq!(players.admit_player(again.clone()).await.unwrap(), again);
}

pub async fn a_deletion_that_comes_too_late_ends_nothing(Fixture { players, .. }: &Fixture) {
    let ann = newcomer("them", "ann");
    players.admit_player(ann.clone()).await.unwrap();
    let stale = Player { revision: 3, ..deleted(&ann) };
    assert_eq!(players.delete_player(stale, Some(revocation([1; 32]))).await.unwrap(), Written::Conflict);
    assert_eq!(players.player(ann.id).await.unwrap(), Some(ann));
    assert!(!players.is_revoked(&[[1; 32]], later(0)).await.unwrap());
}

pub async fn tokens_issued_until_a_moment_are_ended_by_their_mark(Fixture { players, .. }: &Fixture) {
    players.revoke_tokens(revocation([1; 32])).await.unwrap();
    let revoked = async |marks: &[u8], hours| {
        let marks: Vec<_> = marks.iter().map(|mark| [*mark; 32]).collect();
        players.is_revoked(&marks, later(hours)).await.unwrap()
    };
    assert!(revoked(&[1], 0).await && revoked(&[1], 1).await && revoked(&[2, 1], 1).await);
    assert!(!revoked(&[1], 2).await && !revoked(&[2], 0).await && !revoked(&[], 0).await);
    players.revoke_tokens(Revocation { issued_until: later(2), ..revocation([1; 32]) }).await.unwrap();
    assert!(revoked(&[1], 2).await);
}

pub async fn names_that_no_database_takes_as_text_are_names_all_the_same(Fixture { players, .. }: &Fixture) {
    let ann = newcomer("them\0", "an\0n");
    assert_eq!(players.admit_player(ann.clone()).await.unwrap(), ann);
    assert_eq!(players.player_by_subject(subject(&ann)).await.unwrap(), Some(ann));
    assert_eq!(players.player_by_username("an\0n").await.unwrap(), None);
}
