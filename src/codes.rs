//! The codes by which programs tell one refusal from another: a closed list, the same on every face.

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

            /// The HTTP status that goes with it.
            pub fn status(self) -> u16 {
                match self { $(Code::$name => $status),* }
            }
        }
    };
}

codes! {
    /// The request can't be read: bad JSON, a field that is missing, unknown or of the wrong sort.
    Malformed = 400,
    /// A cursor or version that this list never handed out.
    BadCursor = 400,
    /// This needs a token, and there was none; or the credentials are wrong.
    Unauthenticated = 401,
    /// The token is forged, expired or signed out.
    InvalidToken = 401,
    /// Only a player seated at this game may do this.
    NotSeated = 403,
    /// Only the host of this game may do this.
    NotHost = 403,
    /// There is no such thing, or the caller may not know of it.
    NotFound = 404,
    /// The address is right, the method is not.
    MethodNotAllowed = 405,
    /// The body took too long to arrive.
    RequestTimeout = 408,
    /// A rule forbids the move; the problem says which and lists the legal ones.
    IllegalMove = 409,
    /// The game waits for somebody else, or the choice was made already.
    NotYourTurn = 409,
    /// The game is over.
    GameOver = 409,
    /// The game is still in its lobby.
    NotStarted = 409,
    /// The game has left its lobby.
    AlreadyStarted = 409,
    /// Some seats are still free.
    SeatsFree = 409,
    /// The game is not over yet.
    NotOver = 409,
    /// Nobody's time to move has passed.
    NotLate = 409,
    /// The game has moved on from the version that the request was pinned to.
    VersionConflict = 409,
    /// The seat belongs to somebody else.
    SeatTaken = 409,
    /// The player sits at this game already.
    AlreadySeated = 409,
    /// The username belongs to somebody else.
    UsernameTaken = 409,
    /// The caller, or the game, has as many of something as there may be; the problem says of what, and how many.
    LimitReached = 409,
    /// The request is longer than any that makes sense.
    PayloadTooLarge = 413,
    /// The body is not in a format that is read here.
    UnsupportedMediaType = 415,
    /// The kind can't be played with these options, or by so many.
    InvalidOptions = 422,
    /// The idempotency key was used before, for another request.
    IdempotencyMismatch = 422,
    /// The player, or the address, has used up its budget of work; `Retry-After` says when to come back.
    RateLimited = 429,
    /// The service can't do this now; trying again later is safe.
    Unavailable = 503,
}

impl Code {
    /// As it is written everywhere: `ILLEGAL_MOVE`.
    pub fn name(self) -> String {
        let name = serde_json::to_value(self).expect("a code is a text");
        name.as_str().unwrap_or_default().to_owned()
    }

    /// `ILLEGAL_MOVE` as `illegal-move`: in keys of texts and in addresses.
    pub fn kebab(self) -> String {
        self.name().to_lowercase().replace('_', "-")
    }
}
