//! Players and sign-ins.

use crate::fixture::Fixture;
use crate::samples::{family, player};
use futures::future::join_all;
use ludotheque::ids::{FamilyId, PlayerId};
use ludotheque::players::ports::{Family, Player, PlayerStore, Written};
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
    Family { generation: family.generation + 1, token_hash: [2; 32], ..family.clone() }
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
