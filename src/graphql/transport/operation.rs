//! Execution of one operation: the guard, the caches, charging, `async_graphql`, metrics and the log.

use super::document_cache::{DocumentHash, Parsed, hash_request};
use super::operation_cost::Price;
use super::request_error::{Protocol, RequestError};
use super::response::Answer;
use super::subscription::RunningSubscription;
use super::validation::Validated;
use super::{Graphql, Transport};
use crate::auth::sha256;
use crate::codes::Code;
use crate::edge::log;
use crate::graphql::field_merge;
use crate::graphql::guard::{self, DocumentLimits, Passed};
use crate::graphql::kinds::Data;
use crate::graphql::request_context::RequestContext;
use crate::quota::prices;
use crate::rules::Message;
use async_graphql::parser::types::{ExecutableDocument, OperationDefinition, OperationType, Selection};
use async_graphql::{Name, Positioned, Request, Response, Variables};
use futures::{FutureExt, Stream, StreamExt, stream};
use serde_json::value::to_raw_value;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Instant;
use tracing::{Instrument, Span};

/// Copying this many bytes of text takes about as long as copying one value.
const BYTES_LIKE_A_VALUE: usize = 256;

/// Nodes that a request may still use, over all items of a batch.
pub struct Budget(usize);

/// An operation that passed the guard.
#[derive(Clone)]
pub struct Operation {
    pub ty: OperationType,
    name: Option<String>,
    pub(super) hash: DocumentHash,
    variables: Variables,
    parsed: Arc<Parsed>,
    /// The price, if the same request was found valid before.
    pub(super) price: Option<Price>,
    /// The size of the variables, in values: they are copied for each use of a variable.
    to_copy: usize,
    /// Points that were charged for parsing the document in this request.
    parsing_points: u32,
}

impl Operation {
    /// The request for execution: the document without its selections of kinds' values, and those selections as data.
    pub(super) fn to_request(&self, context: &Arc<RequestContext>) -> Request {
        self.request(context, self.parsed.split.document.clone()).data(self.parsed.split.clone())
    }

    /// The request for validation: the whole document, and the place for the result.
    pub(super) fn to_validation(&self, context: &Arc<RequestContext>) -> (Request, Arc<Validated>) {
        let validated = Arc::new(Validated::new(self.parsed.clone()));
        let mut document = self.document().clone();
        field_merge::state_conditions(&mut document);
        (self.request(context, document).data(validated.clone()), validated)
    }

    fn request(&self, context: &Arc<RequestContext>, document: ExecutableDocument) -> Request {
        let mut request = Request::new("").variables(self.variables.clone()).data(context.clone());
        request.operation_name.clone_from(&self.name);
        // The library applies the defaults of variables everywhere but in `@skip` and `@include`.
        for definition in &self.definition().variable_definitions {
            if let Some(default) = &definition.node.default_value {
                let variable = request.variables.entry(definition.node.name.node.clone());
                variable.or_insert_with(|| default.node.clone());
            }
        }
        request.set_parsed_query(document);
        request
    }

    pub(super) fn document(&self) -> &ExecutableDocument {
        &self.parsed.passed.document
    }

    /// The price of validation in points, for a request that is not in the cache: by the document's length and by the
    /// values that are copied, less the points that were charged for parsing.
    pub(super) fn validation_points(&self) -> u32 {
        let Passed { work, variable_uses, default_values, .. } = &self.parsed.passed;
        let copies = self.to_copy.saturating_add(*default_values).saturating_mul(*variable_uses);
        let points = prices::of_new_document(work.bytes).saturating_add(prices::of_copied_values(copies));
        points.saturating_sub(prices::DOCUMENT).saturating_sub(self.parsing_points)
    }

    /// The selected operation of the document.
    pub(super) fn definition(&self) -> &OperationDefinition {
        let selected = select(self.document(), self.name.as_deref());
        &selected.expect("`prepare` selected it").1.node
    }
}

impl Graphql {
    /// The budget of nodes for one request or one batch.
    pub fn budget(&self) -> Budget {
        Budget(self.settings.limits.nodes)
    }

    /// Finds, checks and parses a document, and selects its operation. Parsing is charged in advance, also for
    /// documents that turn out invalid.
    pub fn prepare(
        &self,
        mut request: Request,
        budget: &mut Budget,
        context: &RequestContext,
    ) -> Result<Operation, RequestError> {
        let (text, hash) = self.documents.find(&mut request)?;
        let limits = DocumentLimits { nodes: budget.0, ..self.settings.limits };
        let values = guard::check_variables(&request.variables, &limits)?;
        let document = sha256(text.as_bytes());
        let mut parsing_points = 0;
        let check = || {
            // A document that is too long is refused without being scanned, so it costs nothing.
            if text.len() <= limits.bytes {
                parsing_points = prices::of_new_document(text.len()).saturating_sub(prices::DOCUMENT);
                context.charge_new_document(parsing_points)?;
            }
            guard::check(&text, &limits).map_err(|refused| RequestError::from(refused.why))
        };
        let parsed = self.document_cache.parsed(document, limits.nodes, check)?;
        budget.0 -= parsed.passed.nodes;
        if parsed.passed.introspects && !self.settings.introspection {
            let message = Message::new("document-introspection-disabled");
            return Err(RequestError::protocol(Protocol::IntrospectionDisabled, message));
        }
        if let Some(hash) = hash {
            self.documents.remember(hash, text);
        }
        let name = request.operation_name.as_deref().filter(|name| !name.is_empty());
        let (name, operation) = select(&parsed.passed.document, name)?;
        let (ty, name) = (operation.node.ty, name.map(str::to_owned));
        if ty == OperationType::Subscription {
            is_one_field(operation)?;
        }
        let (hash, length) = hash_request(document, name.as_deref(), &request.variables);
        let price = self.document_cache.price(&hash);
        let (variables, to_copy) = (request.variables, values + length / BYTES_LIKE_A_VALUE);
        Ok(Operation { ty, name, hash, variables, parsed, price, to_copy, parsing_points })
    }

    /// Executes a query or a mutation.
    pub async fn execute(&self, operation: Operation, context: &Arc<RequestContext>, over: Transport) -> Answer {
        let (span, start) = (begin(&operation, context, over), Instant::now());
        let answer = self.look_up_or_execute(operation, context).instrument(span.clone()).await;
        done(&span, start, answer.errors().len());
        answer
    }

    async fn look_up_or_execute(&self, operation: Operation, context: &Arc<RequestContext>) -> Answer {
        let Operation { hash, price, .. } = operation;
        let charged = match self.charge(&operation, context).await {
            Ok(charged) => charged,
            Err(refused) => return refused,
        };
        let cost = context.cost(charged.of_operation());
        // A request is cached from the second time on: many are never repeated.
        let is_cacheable = price.is_some() && operation.ty == OperationType::Query;
        if is_cacheable && let Some(data) = self.response_cache.get(hash, context).await {
            return Answer::Cached(data, cost);
        }
        // Boxed: see docs/performance.md.
        let executed = Box::pin(self.trusting.execute(operation.to_request(context)));
        let Ok(response) = AssertUnwindSafe(executed).catch_unwind().await else { return panicked(context) };
        let response = coded(response, context);
        if is_cacheable && response.errors.is_empty() {
            self.response_cache
                .insert(hash, context, || to_raw_value(&Data(&response.data)).expect("an answer is plain data"));
        }
        Answer::Executed(Box::new(response), cost)
    }

    /// Executes a subscription and returns its answers.
    pub fn subscribe(
        self: &Arc<Self>,
        operation: Operation,
        context: &Arc<RequestContext>,
        over: Transport,
    ) -> impl Stream<Item = Answer> + Send + use<> {
        let log_entry = OperationLog { span: begin(&operation, context, over), start: Instant::now() };
        let mut answers = RunningSubscription::new(self.clone(), context.clone(), operation);
        stream::poll_fn(move |cx| {
            let _within = log_entry.span.enter();
            answers.poll_next_unpin(cx)
        })
    }
}

/// Adds a code and a translated message to errors of the library. At execution it refuses arguments that validation
/// could not check, because a variable in them was left out.
pub(super) fn coded(mut response: Response, context: &RequestContext) -> Response {
    for error in &mut response.errors {
        let extensions = error.extensions.get_or_insert_default();
        if extensions.get("code").is_none() {
            extensions.set("code", Code::Malformed.name());
            error.message = context.texts().render(&Message::new("document-argument-unfit"), context.language);
        }
    }
    response
}

fn begin(operation: &Operation, context: &RequestContext, over: Transport) -> Span {
    let ty = type_name(operation.ty);
    context.metrics().count_operation(ty, over.name());
    log::operation(ty, operation.name.as_deref(), context.caller.map(|caller| caller.player))
}

fn type_name(ty: OperationType) -> &'static str {
    match ty {
        OperationType::Query => "query",
        OperationType::Mutation => "mutation",
        OperationType::Subscription => "subscription",
    }
}

/// Finds an operation by its name; without a name, the only operation.
fn select<'a>(
    document: &'a ExecutableDocument,
    wanted: Option<&str>,
) -> Result<(Option<&'a str>, &'a Positioned<OperationDefinition>), RequestError> {
    let unresolved = |key| RequestError::protocol(Protocol::OperationUnresolved, Message::new(key));
    let mut operations = document.operations.iter().map(|(name, operation)| (name.map(Name::as_str), operation));
    match wanted {
        Some(_) => operations.find(|(name, _)| *name == wanted).ok_or_else(|| unresolved("document-operation-unknown")),
        None => match (operations.next(), operations.next()) {
            (Some(only), None) => Ok(only),
            _ => Err(unresolved("document-operation-name-needed")),
        },
    }
}

/// Checks that a subscription has exactly one field, outside fragments. The library would accept several fields, and
/// would find none in a fragment.
fn is_one_field(operation: &Positioned<OperationDefinition>) -> Result<(), RequestError> {
    match &operation.node.selection_set.node.items[..] {
        [only] if matches!(&only.node, Selection::Field(field) if field.node.directives.is_empty()) => Ok(()),
        _ => Err(RequestError::protocol(Protocol::ValidationFailed, Message::new("document-subscription-one-field"))),
    }
}

pub(super) fn panicked(context: &RequestContext) -> Answer {
    let refusal = RequestError::protocol(Protocol::InternalError, Message::new("error-unavailable-detail"));
    Answer::refused(&refusal, context.untracked_app(), context.language)
}

/// Logs the end of a subscription when it is dropped.
struct OperationLog {
    span: Span,
    start: Instant,
}

impl Drop for OperationLog {
    fn drop(&mut self) {
        done(&self.span, self.start, 0);
    }
}

fn done(span: &Span, start: Instant, errors: usize) {
    tracing::info!(parent: span, ms = start.elapsed().as_secs_f64() * 1000.0, errors, "executed");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::App;
    use crate::auth::{self, Caller, Keys, Session};
    use crate::graphql::schema;
    use crate::graphql::transport::Settings;
    use crate::ids::{FamilyId, GameId, PlayerId};
    use crate::rules::Instant;
    use crate::store::sled::{self, SledStore};
    use crate::texts::Language;
    use async_graphql::async_trait::async_trait;
    use async_graphql::extensions::{Extension, ExtensionContext, ExtensionFactory, NextExecute, NextSubscribe};
    use futures::stream::BoxStream;
    use serde_json::json;

    /// Panics while it executes the operation `Broken`, and in every subscription.
    struct Breaks;

    impl ExtensionFactory for Breaks {
        fn create(&self) -> Arc<dyn Extension> {
            Arc::new(Self)
        }
    }

    #[async_trait]
    impl Extension for Breaks {
        fn subscribe<'s>(
            &self,
            _: &ExtensionContext<'_>,
            _: BoxStream<'s, Response>,
            _: NextSubscribe<'_>,
        ) -> BoxStream<'s, Response> {
            stream::poll_fn(|_| panic!("a panic on purpose")).boxed()
        }

        async fn execute(&self, ctx: &ExtensionContext<'_>, name: Option<&str>, next: NextExecute<'_>) -> Response {
            assert_ne!(name, Some("Broken"), "a panic on purpose");
            next.run(ctx, name).await
        }
    }

    fn app() -> (tempfile::TempDir, Arc<App>) {
        let folder = tempfile::tempdir().expect("a folder");
        let store = SledStore::open(&folder.path().join("store"), &sled::Settings::default()).expect("a store");
        let keys = Keys::open(folder.path()).expect("keys");
        (folder, App::new(store.clone(), store, keys, auth::Settings::default()))
    }

    #[tokio::test]
    async fn an_answer_is_kept_from_the_second_time_on_if_only_games_and_names_are_in_it() {
        let (_folder, app) = app();
        let graphql = Graphql::new(&Settings::default());
        let game = GameId::new();
        let session = Session::Family(FamilyId::new());
        let caller = Caller { player: PlayerId::new(), session, expires_at: Instant(i64::MAX) };
        let questions = [
            (format!("{{ game(id: \"{game}\") {{ version }} }}"), true),
            (format!("{{ node(id: \"{game}\") {{ id }} }}"), true),
            (format!("{{ game(id: \"{game}\") {{ version }} games {{ edges {{ node {{ id }} }} }} }}"), false),
            (format!("{{ game(id: \"{game}\", at: 1) {{ version }} }}"), false),
            ("mutation { resignGame(input: {gameId: \"none\"}) { userErrors { code } } }".to_owned(), false),
        ];
        for (query, is_cacheable) in questions {
            let mut kept = Vec::new();
            for _ in 0..4 {
                let context = RequestContext::new(app.clone(), Some(caller), Language::En, Arc::default());
                let operation =
                    graphql.prepare(query.as_str().into(), &mut graphql.budget(), &context).expect("it is sound");
                let answer = graphql.execute(operation, &context, Transport::Http).await;
                kept.push(matches!(answer, Answer::Cached(..)));
            }
            assert_eq!(kept, [false, false, is_cacheable, is_cacheable], "{query}");
        }
    }

    /// The price of an operation, or the limit that it exceeds.
    async fn price(query: &str) -> Result<Price, String> {
        let (_folder, app) = app();
        let graphql = Graphql::new(&Settings::default());
        let context = RequestContext::new(app, None, Language::En, Arc::default());
        let operation = graphql.prepare(query.into(), &mut graphql.budget(), &context).expect("it is sound");
        let charged = graphql.charge(&operation, &context).await;
        charged.map_err(|refused| json!(refused)["errors"][0]["extensions"]["limit"].as_str().unwrap().to_owned())
    }

    fn aliases(count: usize, field: &str) -> String {
        let aliases: Vec<_> = (0..count).map(|number| format!("a{number}: {field}")).collect();
        aliases.join(" ")
    }

    #[tokio::test]
    async fn complexity_counts_fields_and_a_price_counts_work_as_well() {
        let positions = format!("{{ {} }}", aliases(90, "game(id: \"x\", at: 1) { version view { kind } }"));
        let one = prices::UNIT + prices::OLD_POSITION + prices::VIEW + 4;
        assert_eq!(price(&positions).await.unwrap().of_operation(), 90 * one, "work is no complexity");
        let schemas = format!("{{ {} }}", aliases(90, "kind(id: CHIPS) { schemas { view } }"));
        assert_eq!(price(&schemas).await.unwrap().of_operation(), 90 * (prices::UNIT + prices::SCHEMAS + 22));

        let list = |fields| format!("{{ games(first: 100) {{ nodes {{ {} }} }} }}", aliases(fields, "version"));
        let fields = 1 + 100 * 26;
        let listed = prices::UNIT + 100 * prices::LISTED_GAME + fields;
        assert_eq!(price(&list(25)).await.unwrap().of_operation(), listed, "an ordinary list fits");
        assert_eq!(price(&list(50)).await, Err("complexity".to_owned()));
        let longer = "{ games(first: 2147483647) { nodes { legalMoves { moves { id } } } } }";
        assert!(price(longer).await.is_ok(), "no page is longer than the longest");
    }

    #[tokio::test]
    async fn legal_moves_within_a_game_cost_as_much_as_by_themselves() {
        let alone = price("{ legalMoves(gameId: \"x\") { version } }").await.unwrap().of_operation();
        let game = price("{ game(id: \"x\") { version } }").await.unwrap().of_operation();
        let both = price("{ game(id: \"x\") { version legalMoves { version } } }").await.unwrap().of_operation();
        assert_eq!(both - game, alone);
    }

    #[tokio::test]
    async fn an_event_costs_what_it_takes_to_write_it_and_not_what_opening_did() {
        let events = price("subscription { gameEvents(gameId: \"x\") { version at } }").await.unwrap();
        assert_eq!(events.of_operation(), prices::of_root_field("gameEvents") + 3);
        assert_eq!(events.of_event(), prices::STREAMED_EVENT + 3);
        let games = price("subscription { myGames { game { version view { kind } } } }").await.unwrap();
        assert_eq!(games.of_event(), prices::STREAMED_EVENT + prices::VIEW + 5);
    }

    #[tokio::test]
    async fn an_operation_that_panics_is_answered_and_breaks_nothing_else() {
        let (_folder, app) = app();
        let trusting = schema().extension(Breaks).finish();
        let graphql = Arc::new(Graphql { trusting, ..Graphql::new(&Settings::default()) });
        let context = RequestContext::new(app, None, Language::En, Arc::default());
        let prepare =
            |query: &str| graphql.prepare(query.into(), &mut graphql.budget(), &context).expect("it is sound");
        let broken = graphql.execute(prepare("query Broken { kinds { id } }"), &context, Transport::Http).await;
        let written = json!(broken);
        assert_eq!(written["errors"][0]["extensions"]["code"], "INTERNAL_SERVER_ERROR", "{written}");
        assert_eq!(written.get("data"), None);
        let whole = graphql.execute(prepare("query Whole { kinds { id } }"), &context, Transport::Http).await;
        assert!(matches!(whole, Answer::Executed(response, _) if response.is_ok()));

        let answers = graphql.subscribe(prepare("subscription { myGames { waitingForMe } }"), &context, Transport::Sse);
        let answers: Vec<_> = answers.map(|answer| json!(answer)).collect().await;
        assert_eq!(answers.len(), 1, "a stream that panics ends with an error: {answers:?}");
        assert_eq!(answers[0]["errors"][0]["extensions"]["code"], "INTERNAL_SERVER_ERROR");
    }
}
