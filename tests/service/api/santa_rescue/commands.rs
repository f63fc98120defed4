//! The command line: solutions as the sheet would be filled in, and generated campaigns.

use test_support::program::{ludotheque_unlimited, run};

/// What a command says, and whether it went well.
fn says(args: &[&str]) -> (String, bool) {
    let data = tempfile::tempdir().expect("a folder");
    let mut command = ludotheque_unlimited(data.path());
    command.args(args);
    let output = run(command);
    (String::from_utf8(output.stdout).expect("text"), output.status.success())
}

#[test]
fn solve_prints_every_solution_as_the_sheet_would_be_filled_in() {
    let (text, well) = says(&["solve", "24"]);
    assert!(well);
    assert!(text.contains("      bcCBSCHh\n      bcCBSCHs   elf 2 power 1 at 7: change heart star\n"), "{text}");
    assert!(text.contains("\nday 24: 2 of 2085 play-outs win, in 2 orders of powers\n"), "{text}");
    assert_eq!(text.matches("K.O.  ggCBgCSH").count(), 2, "both end in the required row");
    assert_ne!(says(&["solve", "24", "--seed", "7"]).0, text, "another campaign has other puzzles");
    assert!(!says(&["solve", "25"]).1);
}

#[test]
fn content_prints_a_campaign_that_is_the_same_every_time() {
    let (ours, well) = says(&["content", "santa-rescue", "--seed", "24"]);
    assert!(well);
    assert_eq!(ours, include_str!("../../../../crates/rules/content/santa_rescue/campaign.json"));
    let (other, _) = says(&["content", "santa-rescue", "--seed", "7"]);
    assert_ne!(other, ours);
}

#[test]
fn content_checks_as_many_campaigns_as_one_likes() {
    assert_eq!(
        says(&["content", "santa-rescue", "--seed", "40", "--check", "2"]),
        ("2 campaigns checked: all are good\n".into(), true)
    );
}
