//! Every setting is a flag and an environment variable.

use clap::CommandFactory;
use ludotheque::config::Cli;
use std::process::Command;

#[test]
fn every_setting_is_a_flag_and_a_variable_and_is_in_the_help() {
    let help = Command::new(env!("CARGO_BIN_EXE_ludotheque")).arg("--help").output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let command = Cli::command();
    let settings: Vec<_> =
        command.get_arguments().filter(|arg| !["help", "version"].contains(&arg.get_id().as_str())).collect();
    assert!(settings.len() > 15, "{}", settings.len());
    for setting in settings {
        let flag = setting.get_long().unwrap_or_else(|| panic!("{setting} has no flag"));
        let variable = setting.get_env().unwrap_or_else(|| panic!("{setting} has no variable")).to_str().unwrap();
        assert_eq!(variable, format!("LUDOTHEQUE_{}", flag.to_uppercase().replace('-', "_")));
        assert!(help.contains(&format!("--{flag}")) && help.contains(&format!("[env: {variable}")), "{flag} in {help}");
        assert!(setting.get_help().is_some(), "{flag} says nothing");
    }
}

#[test]
fn what_can_not_be_meant_is_refused_at_once() {
    for wrong in [
        ["--trusted-proxies", "10.0.0.0/99"],
        ["--cors-origins", "play.example.org/"],
        ["--proxy-header", "via"],
        ["--log-format", "xml"],
        ["--log", "loud=very"],
        ["--player-rate", "-1"],
    ] {
        let data = test_support::folder();
        let refused = test_support::ludotheque(data.path()).args(wrong).output().unwrap();
        assert!(!refused.status.success(), "{wrong:?}");
        assert!(!refused.stderr.is_empty(), "{wrong:?}");
    }
}
