//! Our pages in a real browser: Debian's Chromium, without a window, against the real program.
//!
//! With `SCREENSHOTS=folder` in the environment the tests leave pictures of what they saw there.
#![allow(unreachable_pub, reason = "a test binary exports nothing")]
#![allow(clippy::unwrap_used, reason = "the exception for tests does not reach the helpers around them")]

mod chromium;
mod docs;
mod journey;
mod page;
mod playground;
mod served;
