//! The outermost layer of a face: a function that is handed each request with the route it leads to. axum's `from_fn` would
//! do, but takes each request apart to find the state, and puts the route into one more box.

use axum::extract::Request;
use axum::response::Response;
use axum::routing::Route;
use futures::FutureExt;
use futures::future::{BoxFuture, Map};
use std::convert::Infallible;
use std::task::{Context, Poll};
use tower::{Layer, Service};

/// Answers a request, with the help of the route that it leads to.
pub type Around<T> = fn(T, Request, Next) -> BoxFuture<'static, Response>;

/// The route that a request leads to.
pub struct Next(Route);

impl Next {
    pub fn run(mut self, request: Request) -> impl Future<Output = Response> {
        self.0.call(request).map(|answered| answered.unwrap_or_else(|never| match never {}))
    }
}

/// Puts a function around routes.
#[derive(Clone)]
pub struct AroundLayer<T> {
    pub state: T,
    pub around: Around<T>,
}

/// A route with the function around it.
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
        // Routes always are.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        (self.layer.around)(self.layer.state.clone(), request, Next(self.route.clone())).map(Ok as fn(_) -> _)
    }
}
