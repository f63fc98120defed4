//! GraphQL over real sockets: how questions and answers travel, and what is refused before it is executed. The client here is
//! ours, and does what no well-behaved one would; those of others are in tests/conformance.

mod batches;
mod documents;
mod hostile;
mod http;
mod log_and_metrics;
mod raw_json;
mod sse;
mod ws_lifecycle;
mod ws_operations;
