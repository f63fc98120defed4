//! What was measured: every run as it comes, and at the end one table of figures, each with what it is held against.

use super::Result;
use super::times::Summary;
use serde::Serialize;
use std::error::Error;
use std::fs;
use std::path::Path;

#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Report {
    machine: Machine,
    runs: Vec<Run>,
    figures: Vec<Figure>,
    notes: Vec<String>,
    failures: Vec<String>,
    #[serde(skip)]
    scenario: String,
}

/// What it ran on.
#[derive(Serialize)]
struct Machine {
    at: String,
    cores: usize,
    processor: String,
}

/// One thing measured for a while.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    scenario: String,
    what: String,
    #[serde(flatten)]
    summary: Summary,
    /// Operations per second that the server's processor worked.
    per_cpu_second: Option<f64>,
    bytes_per_event: Option<f64>,
}

/// A figure of ours beside what it is held against.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Figure {
    scenario: String,
    what: String,
    unit: &'static str,
    ours: f64,
    against: Option<String>,
    theirs: Option<f64>,
    ratio: Option<f64>,
    goal: Option<Goal>,
    met: Option<bool>,
}

/// What a ratio, or a figure held against nothing, should be.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Goal {
    AtLeast(f64),
    AtMost(f64),
}

impl Goal {
    fn is_met(self, value: f64) -> bool {
        match self {
            Goal::AtLeast(least) => value >= least,
            Goal::AtMost(most) => value <= most,
        }
    }
}

impl Default for Machine {
    fn default() -> Self {
        let about = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = about.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
        Self {
            at: jiff::Timestamp::now().strftime("%Y-%m-%d %H:%M").to_string(),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            processor: model.unwrap_or("unknown").to_owned(),
        }
    }
}

impl Report {
    pub fn begin(&mut self, scenario: &str) {
        scenario.clone_into(&mut self.scenario);
        println!(
            "\n{:<58}{:>10}{:>10}{:>10}{:>10}{:>12}",
            scenario, "per s", "p50 ms", "p99 ms", "p99.9 ms", "per CPU s"
        );
    }

    /// Something worth knowing that is no figure.
    pub fn note(&mut self, note: &str) {
        println!("    {note}");
        self.notes.push(format!("{}: {note}", self.scenario));
    }

    pub fn fail(&mut self, error: &dyn Error) {
        println!("  failed: {error}");
        self.failures.push(format!("{}: {error}", self.scenario));
    }

    pub fn failed(&self) -> bool {
        !self.failures.is_empty()
    }

    /// A run, as it comes; with the seconds that the server's processor worked, if that is known.
    pub fn run(&mut self, what: impl Into<String>, summary: Summary, per_cpu_second: Option<f64>) {
        self.run_of_events(what, summary, per_cpu_second, None);
    }

    pub fn run_of_events(
        &mut self,
        what: impl Into<String>,
        summary: Summary,
        per_cpu_second: Option<f64>,
        bytes_per_event: Option<f64>,
    ) {
        let (what, Summary { per_second, p50, p99, p999 }) = (what.into(), summary);
        let cpu = per_cpu_second.map_or_else(String::new, |rate| format!("{rate:.0}"));
        let bytes = bytes_per_event.map_or_else(String::new, |bytes| format!("  {bytes:.0} bytes an event"));
        println!("  {what:<56}{per_second:>10.0}{p50:>10.3}{p99:>10.3}{p999:>10.3}{cpu:>12}{bytes}");
        self.runs.push(Run { scenario: self.scenario.clone(), what, summary, per_cpu_second, bytes_per_event });
    }

    /// A figure held against another of the same unit, by their ratio, with what that should be, if anything.
    pub fn compare(
        &mut self,
        what: &str,
        unit: &'static str,
        ours: f64,
        (against, theirs): (&str, f64),
        goal: impl Into<Option<Goal>>,
    ) {
        let (ratio, goal) = (ours / theirs, goal.into());
        self.figures.push(Figure {
            scenario: self.scenario.clone(),
            what: what.to_owned(),
            unit,
            ours,
            against: Some(against.to_owned()),
            theirs: Some(theirs),
            ratio: Some(ratio),
            goal,
            met: goal.map(|goal| goal.is_met(ratio)),
        });
    }

    /// A figure by itself, with what it should be, if anything.
    pub fn state(&mut self, what: &str, unit: &'static str, ours: f64, goal: Option<Goal>) {
        self.figures.push(Figure {
            scenario: self.scenario.clone(),
            what: what.to_owned(),
            unit,
            ours,
            against: None,
            theirs: None,
            ratio: None,
            goal,
            met: goal.map(|goal| goal.is_met(ours)),
        });
    }

    pub fn print(&self) {
        let Machine { at, cores, processor } = &self.machine;
        println!("\n{at}, {cores} cores, {processor}");
        println!("{:<58}{:>11} {:<8}{:<34}{:>10}{:>8}{:>9}", "", "ours", "", "against", "theirs", "ratio", "goal");
        for figure in &self.figures {
            let against = figure.against.as_deref().unwrap_or_default();
            let theirs = figure.theirs.map_or_else(String::new, short);
            let ratio = figure.ratio.map_or_else(String::new, |ratio| format!("{ratio:.2}"));
            let goal = match figure.goal {
                Some(Goal::AtLeast(least)) => format!("≥ {least}"),
                Some(Goal::AtMost(most)) => format!("≤ {most}"),
                None => String::new(),
            };
            let met = match figure.met {
                Some(true) => "met",
                Some(false) => "MISSED",
                None => "",
            };
            let name = format!("{}: {}", figure.scenario, figure.what);
            let (ours, unit) = (short(figure.ours), figure.unit);
            println!("{name:<58}{ours:>11} {unit:<8}{against:<34}{theirs:>10}{ratio:>8}{goal:>9}  {met}");
        }
        self.failures.iter().for_each(|failure| println!("failed: {failure}"));
    }

    pub fn write(&self, file: &Path) -> Result<()> {
        fs::write(file, serde_json::to_string_pretty(self)?)?;
        Ok(())
    }
}

/// Three digits that count.
fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
