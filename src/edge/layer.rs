//! Middleware from a function, as the outermost layer of REST and GraphQL. axum's `from_fn` does the same, but takes
//! each request apart to extract the state, and boxes the route once more.

use axum::extract::Request;
use axum::response::Response;
use axum::routing::Route;
use futures::FutureExt;
use futures::future::{BoxFuture, Map};
use std::convert::Infallible;
use std::task::{Context, Poll};
use tower::{Layer, Service};

/// Answers a request, usually by running its route.
pub type Around<T> = fn(T, Request, InnerRoute) -> BoxFuture<'static, Response>;

/// The route of a request.
pub struct InnerRoute(Route);

impl InnerRoute {
    pub fn run(mut self, request: Request) -> impl Future<Output = Response> {
        self.0.call(request).map(|answered| answered.unwrap_or_else(|never| match never {}))
    }
}

/// Wraps routes in a function.
#[derive(Clone)]
pub struct AroundLayer<T> {
    pub state: T,
    pub around: Around<T>,
}

/// A route wrapped in a function.
#[derive(Clone)]
pub struct Surrounded<T> {
    layer: AroundLayer<T>,
    route: Route,
}

impl<T: Clone> Layer<Route> for AroundLayer<T> {
    type Service = Surrounded<T>;

    fn layer(&self, route: Route) -> Surrounded<T> {
        Surrounded { layer: self.clone(), route }
    }
}

impl<T: Clone> Service<Request> for Surrounded<T> {
    type Response = Response;
    type Error = Infallible;
    type Future = Map<BoxFuture<'static, Response>, fn(Response) -> Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        // Routes are always ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        (self.layer.around)(self.layer.state.clone(), request, InnerRoute(self.route.clone())).map(Ok as fn(_) -> _)
    }
}
