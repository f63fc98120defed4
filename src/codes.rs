//! Error codes for programs: a closed list, the same in REST and GraphQL.

use async_graphql::Enum;
use schemars::JsonSchema;
use serde::Serialize;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $status:literal),* $(,)?) => {
        /// Why a request was refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema, Enum)]
        #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
        pub enum Code { $($(#[$doc])* $name),* }

        impl Code {
            pub const ALL: &'static [Code] = &[$(Code::$name),*];

            /// The HTTP status of the code.
            pub fn status(self) -> u16 {
                match self { $(Code::$name => $status),* }
            }
        }
    };
}

codes! {
    /// The request can't be read: invalid JSON, or a field that is missing, unknown or of the wrong type.
    Malformed = 400,
    /// The list or game has no such cursor or version; start again from the beginning.
    BadCursor = 400,
    /// The request needs a token and has none, or the credentials are wrong.
    Unauthenticated = 401,
    /// The token is forged, expired or revoked; refresh it or sign in again.
    InvalidToken = 401,
    /// Only players seated at the game may do this.
    NotSeated = 403,
    /// Only the host of the game may do this.
    NotHost = 403,
    /// It does not exist, or the caller may not see it.
    NotFound = 404,
    /// The address exists, but does not accept this method.
    MethodNotAllowed = 405,
    /// The body took too long to arrive.
    RequestTimeout = 408,
    /// A rule forbids the move, the aside or the choice; the error says which rule. After a move it also lists the
    /// legal moves.
    IllegalMove = 409,
    /// The game does not wait for the caller's seat: it is another player's turn, or the seat has already chosen or
    /// resigned.
    NotYourTurn = 409,
    /// The game is over.
    GameOver = 409,
    /// The game is still in its lobby.
    NotStarted = 409,
    /// The game has already started.
    AlreadyStarted = 409,
    /// Some seats are still free.
    SeatsFree = 409,
    /// The game is not over yet.
    NotOver = 409,
    /// No seat is past its deadline.
    NotLate = 409,
    /// The game no longer has the version that the request expects.
    VersionConflict = 409,
    /// The seat is taken, or held for another player.
    SeatTaken = 409,
    /// The player already has a seat at the game.
    AlreadySeated = 409,
    /// Another player has the username.
    UsernameTaken = 409,
    /// The caller or the game has reached a limit; the error names it and its maximum.
    LimitReached = 409,
    /// The request is larger than the server accepts.
    PayloadTooLarge = 413,
    /// The `Content-Type` of the request does not say that its body is JSON.
    UnsupportedMediaType = 415,
    /// The kind can't be played with these options or this number of seats.
    InvalidOptions = 422,
    /// The idempotency key was used for another request.
    IdempotencyMismatch = 422,
    /// The player or the IP address has sent too many requests; `Retry-After` (in GraphQL `extensions.retryAfter`) says
    /// in how many seconds to try again.
    RateLimited = 429,
    /// The service can't handle the request now; it is safe to try again later.
    Unavailable = 503,
}

impl Code {
    /// The code as clients see it: `ILLEGAL_MOVE`.
    pub fn name(self) -> String {
        let name = serde_json::to_value(self).expect("a code is a text");
        name.as_str().unwrap_or_default().to_owned()
    }

    /// The code in text keys and addresses: `illegal-move`.
    pub fn kebab(self) -> String {
        self.name().to_lowercase().replace('_', "-")
    }
}
