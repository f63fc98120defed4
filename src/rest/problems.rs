//! Problems in the OpenAPI document: which statuses and codes each operation can answer with, and why. Operations that
//! fail alike share a set; utoipa merges the sets that a handler lists.

use utoipa::openapi::{Content, RefOr, Response, schema::Ref};

/// The media type of every 4xx and 5xx.
const PROBLEM: &str = "application/problem+json";

// Texts that several sets share.
const MALFORMED: &str = "`MALFORMED`: the request can't be read; `field` and `detail` say where and why";
const BAD_TOKEN: &str = "`INVALID_TOKEN`: the token has expired or its session has ended; refresh it, or leave it out";
const TOKEN_NEEDED: &str = "`UNAUTHENTICATED`: the request has no token. \
    `INVALID_TOKEN`: the token has expired or its session has ended; refresh it";
const NO_SEAT: &str = "`NOT_SEATED`: you have no seat at the game";
const NOT_THE_HOST: &str = "`NOT_HOST`: you are not the host of the game";
const NO_GAME: &str = "`NOT_FOUND`: the game does not exist, or you may not see it";
const NO_KIND: &str = "`NOT_FOUND`: the server does not offer this kind; `detail` lists those that it offers";
const LOBBY_LEFT: &str = "`ALREADY_STARTED` or `GAME_OVER`: the game has left its lobby";
const KEY_REUSED: &str = "`IDEMPOTENCY_MISMATCH`: you used the key for another request to this game";
const RATE_LIMITED: &str = "`RATE_LIMITED`: too many requests; `Retry-After` says in how many seconds to try again";
const UNAVAILABLE: &str = "`UNAVAILABLE`: the service can't handle the request now; try again later";

/// Declares sets of problems: each a status and its description.
macro_rules! problems {
    ($($(#[$doc:meta])* $name:ident: $($status:literal $why:expr),*;)*) => {
        $(
            $(#[$doc])*
            pub struct $name;

            impl utoipa::IntoResponses for $name {
                fn responses() -> std::collections::BTreeMap<String, RefOr<Response>> {
                    [$(($status.to_string(), problem($why))),*].into()
                }
            }
        )*
    };
}

problems! {
    /// Problems of reading a game or its events.
    ReadProblems:
        400 "`MALFORMED`: the request can't be read; `field` and `detail` say where and why. `BAD_CURSOR`: the game has no such version; start again from the beginning",
        401 BAD_TOKEN,
        404 NO_GAME,
        429 RATE_LIMITED,
        503 UNAVAILABLE;
    /// Problems of listing games.
    ListProblems:
        400 "`MALFORMED`: the request can't be read; `field` and `detail` say where and why. `BAD_CURSOR`: the list has no such cursor; start again without one",
        401 "`UNAUTHENTICATED`: a list of your own games needs a token. `INVALID_TOKEN`: the token has expired or its session has ended; refresh it, or leave it out",
        429 RATE_LIMITED,
        503 UNAVAILABLE;
    /// Problems of reading a replay.
    ReplayProblems:
        400 MALFORMED,
        401 BAD_TOKEN,
        404 NO_GAME,
        409 "`NOT_OVER`: the game is not over yet",
        429 RATE_LIMITED,
        503 UNAVAILABLE;
    /// Problems of reading a kind.
    KindProblems:
        400 MALFORMED,
        404 NO_KIND,
        429 RATE_LIMITED,
        503 UNAVAILABLE;
    /// Problems of reading legal moves.
    LegalMovesProblems:
        400 MALFORMED,
        401 TOKEN_NEEDED,
        403 NO_SEAT,
        404 NO_GAME,
        429 RATE_LIMITED,
        503 UNAVAILABLE;
    /// Problems of an operation on the caller's own account or session.
    AccountProblems:
        400 MALFORMED,
        401 TOKEN_NEEDED,
        429 RATE_LIMITED,
        503 UNAVAILABLE;
    /// Problems of a new username.
    UsernameProblems:
        409 "`USERNAME_TAKEN`: another player has the username";
    /// Problems of signing in.
    SignInProblems:
        400 MALFORMED,
        401 "`UNAUTHENTICATED`: wrong username or password. `INVALID_TOKEN`: the refresh token was used before, or its session has ended",
        429 "`RATE_LIMITED`: too many requests, or too many wrong passwords; `Retry-After` says in how many seconds to try again",
        503 UNAVAILABLE;
    /// Problems of requests that need no token: registration, kinds, health checks, keys and documents.
    ServiceProblems:
        400 MALFORMED,
        429 RATE_LIMITED,
        503 UNAVAILABLE;
    /// Problems of reading a body, besides `MALFORMED`.
    BodyProblems:
        408 "`REQUEST_TIMEOUT`: the body took too long to arrive",
        413 "`PAYLOAD_TOO_LARGE`: the body is too large",
        415 "`UNSUPPORTED_MEDIA_TYPE`: the body must be JSON, with a `Content-Type` that says so";
    /// Problems of every operation that takes a step of a game. Each adds its own.
    StepProblems:
        400 MALFORMED,
        401 TOKEN_NEEDED,
        429 RATE_LIMITED,
        503 "`UNAVAILABLE`: the service can't handle the request now; try again later, with the same idempotency key";
    CreateGameProblems:
        404 NO_KIND,
        409 "`LIMIT_REACHED`: you host too many lobbies, or are in too many unfinished games; `limit` and `most` say which limit it is",
        422 "`INVALID_OPTIONS`: the kind can't be played with these options or this number of seats. `IDEMPOTENCY_MISMATCH`: you created another game with the key";
    UpdateGameProblems:
        403 NOT_THE_HOST,
        404 NO_GAME,
        409 "`SEAT_TAKEN`: a seat to remove is taken or held. `ALREADY_STARTED` or `GAME_OVER`: the game has left its lobby. `LIMIT_REACHED`: the lobby has changed too often",
        422 "`INVALID_OPTIONS`: the kind can't be played with these options or this number of seats. `IDEMPOTENCY_MISMATCH`: you used the key for another request to this game";
    SitProblems:
        403 "`NOT_HOST`: you asked for a bot and are not the host of the game",
        404 "`NOT_FOUND`: the game or the seat does not exist, or you may not see it; or the server plays no bots",
        409 "`SEAT_TAKEN`: the seat, or every seat, is taken or held for another player. `ALREADY_SEATED`: you have a seat. `LIMIT_REACHED`: you are in too many unfinished games, or the lobby has changed too often. `ALREADY_STARTED` or `GAME_OVER`: the game has left its lobby",
        422 "`INVALID_OPTIONS`: the kind has no bot of this level. `IDEMPOTENCY_MISMATCH`: you used the key for another request to this game";
    LeaveProblems:
        403 "`NOT_SEATED`: you have neither a seat at the game nor one that is held for you",
        404 NO_GAME,
        409 LOBBY_LEFT,
        422 KEY_REUSED;
    ChooseProblems:
        403 NO_SEAT,
        404 "`NOT_FOUND`: the game does not exist, you may not see it, or its kind has no choices",
        409 "`ILLEGAL_MOVE`: the choice conflicts with those of other seats. `ALREADY_STARTED` or `GAME_OVER`: the game has left its lobby. `LIMIT_REACHED`: the lobby has changed too often",
        422 KEY_REUSED;
    RemoveProblems:
        403 NOT_THE_HOST,
        404 "`NOT_FOUND`: the game does not exist, you may not see it, or the seat is free already",
        409 LOBBY_LEFT,
        422 KEY_REUSED;
    StartProblems:
        403 NOT_THE_HOST,
        404 "`NOT_FOUND`: the game does not exist, or you may not see it; or you asked for bots and the server plays none",
        409 "`SEATS_FREE`: a seat is still free. `ALREADY_STARTED` or `GAME_OVER`: the game has left its lobby. `VERSION_CONFLICT`: the options changed at the same moment; start again",
        422 "`INVALID_OPTIONS`: the game can't be started with these options, or the kind has no bots of this level. `IDEMPOTENCY_MISMATCH`: you used the key for another request to this game";
    InviteProblems:
        404 "`NOT_FOUND`: no game has this code",
        409 "`GAME_OVER`: the game is over. `LIMIT_REACHED`: you are in too many unfinished games, or too many players have used the code",
        422 KEY_REUSED;
    RematchProblems:
        403 "`NOT_SEATED`: you had no seat in the old game",
        404 "`NOT_FOUND`: the old game does not exist, or you may not see it or the new one; or the server no longer offers the kind",
        409 "`NOT_OVER`: the old game is not over. `ALREADY_STARTED` or `SEAT_TAKEN`: the new game has started without you, or your seat in it is taken. `LIMIT_REACHED`: you host too many lobbies, or are in too many unfinished games",
        422 "`INVALID_OPTIONS`: the kind can no longer be played with these options. `IDEMPOTENCY_MISMATCH`: you used the key for another request to this game";
    MoveProblems:
        403 NO_SEAT,
        404 NO_GAME,
        409 "`ILLEGAL_MOVE` or `NOT_YOUR_TURN`: `detail` says why, `legalMoves` what is legal. `VERSION_CONFLICT`: the game has moved on since `expectedVersion`. `NOT_STARTED` or `GAME_OVER`: the game is not being played. `LIMIT_REACHED`: the game has too many steps",
        422 KEY_REUSED;
    PreviewProblems:
        403 NO_SEAT,
        404 NO_GAME,
        409 "`ILLEGAL_MOVE` or `NOT_YOUR_TURN`: the first move is not legal; `detail` says why, `legalMoves` what is legal. `NOT_STARTED` or `GAME_OVER`: the game is not being played";
    AsideProblems:
        403 NO_SEAT,
        404 "`NOT_FOUND`: the game does not exist, you may not see it, or its kind has no asides",
        409 "`ILLEGAL_MOVE` or `NOT_YOUR_TURN`: the rules do not allow the aside now; `detail` says why. `NOT_STARTED` or `GAME_OVER`: the game is not being played. `LIMIT_REACHED`: the game has too many steps",
        422 KEY_REUSED;
    ResignProblems:
        403 NO_SEAT,
        404 NO_GAME,
        409 "`NOT_YOUR_TURN`: you have resigned before. `NOT_STARTED` or `GAME_OVER`: the game is not being played",
        422 KEY_REUSED;
    TimeoutProblems:
        403 NO_SEAT,
        404 NO_GAME,
        409 "`NOT_LATE`: no seat is past its deadline, or the game has no time limit. `NOT_STARTED` or `GAME_OVER`: the game is not being played",
        422 KEY_REUSED;
    /// Problems of resuming a replay: its steps may fail like those of any game.
    RestageProblems:
        403 "`NOT_SEATED` or `NOT_HOST`: a player of the replay may not take one of its steps",
        404 "`NOT_FOUND`: what the replay or one of its steps refers to does not exist",
        409 "`ILLEGAL_MOVE`, `NOT_YOUR_TURN` or another code: the rules do not allow a step of the replay; `detail` says why",
        422 "`INVALID_OPTIONS`: the kind can't be played with the options or seats of the replay";
}

fn problem(why: &str) -> RefOr<Response> {
    let body = Ref::from_schema_name("Problem");
    Response::builder().description(why).content(PROBLEM, Content::new(Some(body))).build().into()
}
