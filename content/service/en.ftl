### Sentences of the service: why a request was refused, and what to do. Each kind keeps its sentences in its own folder.

## Lists

list-comma = { $rest }, { $item }
list-and = { $rest } and { $item }

## Problems: a title, and a detail that says what to do

error-malformed = The request is malformed
error-malformed-detail = A part of the request is missing or has the wrong form. Compare it with the API description and send it again.
error-bad-cursor = There is no such cursor or version
error-bad-cursor-detail = This list or game does not have the cursor or version that you sent. Start again from the beginning.
error-unauthenticated = You are not signed in
error-unauthenticated-detail = This request needs a signed-in player. Sign in, or register as a guest, and send the access token with the request.
error-invalid-token = The token is not valid
error-invalid-token-detail = The token has expired, was revoked, or comes from an issuer that this server does not accept. Refresh it, or sign in again.
error-not-seated = You have no seat at this game
error-not-seated-detail = Only players seated at the game can do this. Take a free seat before the game starts.
error-not-host = You are not the host
error-not-host-detail = Only the host of the game can do this. Ask the host.
error-not-found = Not found
error-not-found-detail = It does not exist, or you may not see it. Check the id or the address.
error-method-not-allowed = This method is not allowed here
error-method-not-allowed-detail = The address exists, but does not accept this method. The Allow header lists the methods that it accepts.
error-illegal-move = That move is against the rules
error-illegal-move-detail = Choose one of the legal moves.
error-not-your-turn = It is not your turn
error-not-your-turn-detail = The game is waiting for another player, or you have chosen already. Wait for the others.
error-game-over = The game is over
error-game-over-detail = No more moves can be played. Get its replay, or ask for a rematch.
error-not-started = The game has not started yet
error-not-started-detail = The game is still in its lobby. The host starts it once every seat is taken.
error-already-started = The game has already started
error-already-started-detail = This can only be done in the lobby. In a game that has started you can play, watch or resign.
error-seats-free = Some seats are still free
error-seats-free-detail = A game starts once every seat is taken. Wait for more players, or lower the number of seats.
error-not-over = The game is not over yet
error-not-over-detail = This is only possible once the game is finished or abandoned.
error-not-late = Nobody is late
error-not-late-detail = Wait until the game's deadline has passed. A game without a deadline waits as long as it takes.
error-version-conflict = The game has moved on
error-version-conflict-detail = The game no longer has the version that the request expects. Look at the game as it is now and decide again.
error-seat-taken = The seat is not free
error-seat-taken-detail = Another player has taken it, it is held for another player, or the game has started. Choose another seat or another game.
error-already-seated = You already have a seat
error-already-seated-detail = A player can have only one seat in a game. Leave yours first if you want a different one.
error-limit-reached = A limit has been reached
error-limit-reached-detail = You have, or this game has, reached the maximum that is allowed. Finish or leave a game first.
error-request-timeout = The request took too long to arrive
error-request-timeout-detail = The server did not receive the whole request in time. Send it again.
error-payload-too-large = The request is too large
error-payload-too-large-detail = The request is larger than the server accepts. Send less.
error-unsupported-media-type = This format is not supported
error-unsupported-media-type-detail = Send JSON, with the header Content-Type: application/json.
error-invalid-options = The game can't be set up like this
error-invalid-options-detail = This kind of game can't be played with these options or this number of seats. The description of the kind says what is possible.
error-idempotency-mismatch = The idempotency key was used for another request
error-idempotency-mismatch-detail = The same Idempotency-Key was sent before with another request. Use a new key for each new request.
error-rate-limited = Too many requests
error-rate-limited-detail = You have used up your request budget for now. The Retry-After header says in how many seconds you can send the next request.
error-unavailable = The service is not available at the moment
error-unavailable-detail = The fault is the server's, not yours. Try again in a moment; a request with an Idempotency-Key is safe to repeat.
error-username-taken = This username is taken
error-username-taken-detail = Another player has it; upper and lower case make no difference. Choose another one.

## Players

player-display-name-length = A name must have { $min } to { $max } characters, at least one of them visible.
player-display-name-characters = A name can't contain line breaks, or characters that reverse the direction of the text.
player-username-length = A username must have { $min } to { $max } characters.
player-username-characters = A username can only contain letters from A to Z, digits, dots, hyphens and underscores.
player-username-needed = An account needs a username too.
player-password-length = A password must have { $min } to { $max } characters.
player-password-needed = An account needs a password too.
player-current-password-needed = Send your current password too: an account needs it to change its username or password.
player-current-password-wrong = That is not your current password.
player-bad-credentials = The username or the password is wrong. Check both and try again.
player-password-not-allowed = Your account belongs to { $issuer }: sign in there. It can't have a username and a password here.
player-bad-refresh-token = This refresh token has expired, was revoked or was used before. Sign in again.
player-former = a former player
player-unknown = This player does not exist, or has been deleted.

## Games

game-options-unreadable = The options can't be used. { $why }
game-seats-out-of-range = { $seats ->
    [one] One seat is not possible: this game has { $least } to { $most }.
   *[other] { $seats } seats are not possible: this game has { $least } to { $most }.
}
game-no-such-kind = There is no such kind of game here. Choose one of these: { $known }.
game-no-such-move = No move has this notation. Send the id of a legal move.
game-already-resigned = You have resigned from this game.
game-no-such-time-zone = There is no time zone { $zone }. Send a name from the IANA database, such as Europe/Paris.
game-nothing-to-choose = In this game there is nothing to choose in the lobby.
game-no-such-aside = This game has no asides: it takes moves only.
game-bot-level = { $most ->
    [one] Bots of this game have one level only. Send 1.
   *[other] Bots of this game have levels from 1 to { $most }. Send one of these.
}
game-no-bots = This server plays no bots. Invite somebody, or ask the operator to start it with --bot-threads.
game-step-too-long = This takes more space than a step can have ({ $most } bytes). Shorten it.
game-unprepared = The start could not be prepared in time. Try again in a moment, or change the options.
game-cap-hosted-lobbies = { $most ->
    [one] You already host a game that has not started. Start or leave it first.
   *[other] You already host { $most } games that have not started. Start or leave one of them first.
}
game-cap-open-games = { $most ->
    [one] You are already in a game that is not over. Finish or leave it first.
   *[other] You are already in { $most } games that are not over. Finish or leave one of them first.
}
game-cap-invited-players = { $most ->
    [one] One player has already been let into this game. The host can create a new one.
   *[other] { $most } players have already been let into this game. The host can create a new one.
}
game-cap-lobby-steps = { $most ->
    [one] This lobby has had one change, which is the maximum. Start the game, or create a new one.
   *[other] This lobby has had { $most } changes, which is the maximum. Start the game, or create a new one.
}
game-cap-steps-with-asides = { $most ->
    [one] This game has had one step: from now on it only takes moves.
   *[other] This game has had { $most } steps: from now on it only takes moves.
}
game-cap-steps = { $most ->
    [one] This game has had one step, which is the maximum. You can still resign.
   *[other] This game has had { $most } steps, which is the maximum. You can still resign.
}

## Requests

request-field-missing = The request lacks the field { $field }.
request-field-unknown = The request has an unknown field, { $field }. Known here: { $known }.
request-field-repeated = The request has { $field } more than once. Send it once.
request-field-range = In the request, { $field } must be a whole number from { $least } to { $most }.
request-field-number = In the request, { $field } must be a number.
request-field-text = In the request, { $field } must be a string.
request-field-boolean = In the request, { $field } must be true or false.
request-field-list = In the request, { $field } must be a list.
request-field-object = In the request, { $field } must be a JSON object.
request-field-value = In the request, { $field } must be one of these: { $known }.
request-field-described = In the request, { $field } does not have the form that the API description gives it.
request-whole = the whole value
request-name = { $name }
request-json = The request is not valid JSON: there is an error in line { $line }, column { $column }.
request-json-empty = The request has no body. Send a JSON object.
request-json-cut-short = The request is not valid JSON: it ends too early.
request-body-broken-off = The connection broke before the whole body arrived. Send the request again.
request-query-string = The query string can't be read. Write it as name=value, joined by &, and percent-encoded in UTF-8.
request-move-one-of-two = Send either the id of a move, or the move itself as move: exactly one of the two.
request-moves-or-one = Send either one move, or several as moves, but not both.
request-moves-length = Send one move, or a list of 1 to { $most } moves as moves.
request-idempotency-key = An idempotency key is one value of 1 to { $most } visible ASCII characters.
request-credentials = Send a username and a password, or a refreshToken.
request-seed = A seed is 64 hexadecimal digits.
request-seed-refused = Only a server started with --dev accepts a seed. Leave it out.
request-options-of-another-kind = These are options of { $of }, but the game is { $kind }. Send those of { $kind }.
request-replay-commitment = The replay's commitment does not match its seed.
request-replay-beginning = The replay does not begin with the creation of the game.
request-replay-players = The replay has more players than the request lists.
request-replay-version = The replay has no steps up to that version.
request-query-missing = The request has no GraphQL document. Send one as query.
request-hash = sha256Hash must be 64 hexadecimal digits.
request-batch-empty = A batch needs at least one request.
request-batch-streamed = A batch can't be answered as a stream. Send it with the header Accept: application/json.
request-socket-origin = Pages of this origin may not open a socket. Ask the server's operator to allow the origin.
request-socket-handshake = This is not a WebSocket handshake (RFC 6455, version 13).
request-host-missing = The request names no host. Send the header Host once, or :authority over HTTP/2.
request-host-repeated = The request has several Host headers. Send one.
request-host-contradicted = :authority and the header Host name different hosts. Send the same in both, or leave Host out.
request-stream-not-accepted = The answer to a subscription is a stream. Use a WebSocket, or send the header Accept: text/event-stream.
request-not-acceptable = The server answers application/graphql-response+json, application/json and text/event-stream. Accept one of them.

## GraphQL documents

document-argument = { $argument } must be a value of the type { $type }.
document-argument-unfit = An argument does not fit its type. Compare the document and its variables with the schema.
document-limit-bytes = The document has more than { $most } bytes. Ask for less, or in several requests.
document-limit-tokens = The document has more than { $most } tokens. Ask for less, or in several requests.
document-limit-nesting = The document has more than { $most } levels of brackets. Nest less deeply.
document-limit-nodes = With its fragments expanded, the document or the batch has more than { $most } fields. Ask for less, or in several requests.
document-limit-depth = The document is more than { $most } levels deep. Ask for the innermost fields in a separate request.
document-limit-aliases = The document has more than { $most } aliases. Split it into several requests.
document-limit-directives = The document has more than { $most } directives. Use fewer.
document-limit-variables = The variables have more than { $most } values. Send shorter lists, or split them into several requests.
document-limit-complexity = The document asks for more than { $most } fields, counting each once per item of its lists. Ask for shorter lists, or for fewer fields.
document-limit-cost = The document costs { $price } units of work, more than your budget can ever hold ({ $most }). Split it into several requests.
document-limit-batch = { $most ->
    [one] The batch has more than one request. Send them one by one.
   *[other] The batch has more than { $most } requests. Split it into smaller batches.
}
document-limit-operations = { $most ->
    [one] A socket runs one operation at a time. End it first, or open another socket.
   *[other] A socket runs at most { $most } operations at a time. End one of them first, or open another socket.
}
document-fragment-cycle = The fragment { $name } contains itself, directly or through other fragments. Remove that cycle.
document-operation-unknown = The document has no operation of that name. Check operationName.
document-operation-name-needed = The document has several operations. Name one of them in operationName.
document-subscription-one-field = A subscription has exactly one field at its root, outside fragments and without directives.
document-hash-mismatch = The hash is not the SHA-256 of the document. Hash the document as it is sent.
document-introspection-disabled = Introspection is disabled on this server. Ask its operator for the schema.
document-not-listed = This server only executes the documents on its operator's allow-list, and this one is not on it.


## Pages

page-problems = All problems
page-problems-about = Every refused request is answered with one of these codes. REST sends it as the code of the problem; GraphQL as the code of a user error, or in the extensions of an error.
page-playground = Playground
page-reference = REST reference
page-kinds = Kinds
page-absent = This server was built without its pages: install Node.js 20.19 or later, with npm, and build it again with LUDOTHEQUE_WEB=on in the environment.
