### The service's own sentences: what it refuses and why. A kind's sentences are in its own folder.

## Lists

list-comma = { $rest }, { $item }
list-and = { $rest } and { $item }

## Problems: a title, and what to do about it

error-malformed = The request is not well formed
error-malformed-detail = Something in it is missing or has the wrong form. Compare it with the API description and send it again.
error-bad-cursor = There is nothing at this place
error-bad-cursor-detail = The place to go on from is not one this list or game has. Start again from the beginning.
error-unauthenticated = You are not signed in
error-unauthenticated-detail = This needs a player. Sign in, or come in as a guest, and send the access token along.
error-invalid-token = Your sign-in is not valid any more
error-invalid-token-detail = The token has expired, was signed out or is not one of ours. Refresh it or sign in again.
error-not-seated = You have no seat at this game
error-not-seated-detail = Only those who sit at the table can do this. Take a free seat before the game starts.
error-not-host = You are not the host
error-not-host-detail = Only the host of the game can do this. Ask them to.
error-not-found = There is nothing here
error-not-found-detail = It does not exist, or it is not for you to see. Check the address.
error-method-not-allowed = That can't be done here
error-method-not-allowed-detail = This address exists, but not for this method. The Allow header lists those it knows.
error-illegal-move = That move is against the rules
error-illegal-move-detail = Choose one of the legal moves.
error-not-your-turn = It is not your turn
error-not-your-turn-detail = The game is waiting for somebody else, or you have chosen already. Wait for the others.
error-game-over = The game is over
error-game-over-detail = Nothing more can happen in it. Look at its replay, or ask for a rematch.
error-not-started = The game has not started yet
error-not-started-detail = Everybody is still sitting down. The host starts it once every seat is taken.
error-already-started = The game has already started
error-already-started-detail = This can only be done in the lobby. Once a game runs you can play it, watch it or resign.
error-seats-free = Not everybody is here yet
error-seats-free-detail = Some seats are still free. Wait for more players, or lower the number of seats.
error-not-over = The game is not over yet
error-not-over-detail = This can only be had once the game is finished or abandoned.
error-not-late = Nobody is late
error-not-late-detail = Wait until the game's deadline has passed. A game without one waits for as long as it takes.
error-version-conflict = The game has moved on
error-version-conflict-detail = Something happened since you last looked. Look at the game as it is now and decide again.
error-seat-taken = No such seat is free
error-seat-taken-detail = Somebody was faster, the seat is held for another player, or the game has begun. Choose another seat or another game.
error-already-seated = You have a seat already
error-already-seated-detail = One seat per player and game. Stand up first if you want another.
error-limit-reached = There can be no more of these
error-limit-reached-detail = You, or this game, already have as many of these as allowed. Finish or leave something first.
error-request-timeout = That took too long to arrive
error-request-timeout-detail = We did not get the whole request in time. Send it again.
error-payload-too-large = That is too much at once
error-payload-too-large-detail = The request is bigger than we accept. Send less.
error-unsupported-media-type = We can't read this format
error-unsupported-media-type-detail = Send JSON, with the header Content-Type: application/json.
error-invalid-options = The game can't be set up like this
error-invalid-options-detail = The options or the number of seats don't fit this kind of game. Its page in the catalogue says what does.
error-idempotency-mismatch = This key belongs to another request
error-idempotency-mismatch-detail = The same Idempotency-Key was sent before with something else. Use a new key for a new request.
error-rate-limited = You are asking too fast
error-rate-limited-detail = You have used up your budget for now: the Retry-After header says in how many seconds you may ask again.
error-unavailable = We can't answer at the moment
error-unavailable-detail = It is our fault, not yours. Try again in a little while; a request with an Idempotency-Key is safe to repeat.
error-username-taken = This username is taken
error-username-taken-detail = Somebody else has it, perhaps in other capitals. Choose another one.

## Players

player-display-name-length = A name has from { $min } to { $max } characters, and at least one of them can be seen.
player-display-name-characters = A name can't hold line breaks or characters that turn the text around.
player-username-length = A username has from { $min } to { $max } characters.
player-username-characters = A username is made of letters from A to Z, digits, dots, hyphens and underscores.
player-username-needed = To become an account you need a username too.
player-password-length = A password has from { $min } to { $max } characters.
player-password-needed = To become an account you need a password too.
player-current-password-needed = Say your current password too, so that nobody but you can change this.
player-current-password-wrong = That is not your current password.
player-bad-credentials = This username and this password don't belong together. Check both and try again.
player-password-not-allowed = Your account belongs to { $issuer }: sign in there. It can't have a username and a password here.
player-bad-refresh-token = This refresh token has expired, was signed out or was used before. Sign in again.
player-former = a former player
player-unknown = There is no such player, or not any more.

## Games

game-options-unreadable = The options can't be used. { $why }
game-seats-out-of-range = { $seats ->
    [one] One seat is not possible: this game has from { $least } to { $most }.
   *[other] { $seats } seats are not possible: this game has from { $least } to { $most }.
}
game-no-such-kind = There is no such kind of game here. Choose one of these: { $known }.
game-no-such-move = No move is written like this. Copy the id of a legal move.
game-already-resigned = You have resigned from this game.
game-no-such-time-zone = There is no time zone { $zone }. Name one of the IANA database, such as Europe/Paris.
game-nothing-to-choose = In this game there is nothing to choose in the lobby.
game-no-such-aside = This game has nothing of the sort beside its moves.
game-step-too-long = This says more than a step can hold ({ $most } bytes). Say it shorter, without repetitions.
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
    [one] One player has been let into this game already. The host can make a new one.
   *[other] { $most } players have been let into this game already. The host can make a new one.
}
game-cap-lobby-steps = { $most ->
    [one] This lobby has had one change. Start the game, or make a new one.
   *[other] This lobby has had { $most } changes. Start the game, or make a new one.
}
game-cap-steps-with-asides = { $most ->
    [one] This game has had one step: from now on it only takes moves.
   *[other] This game has had { $most } steps: from now on it only takes moves.
}
game-cap-steps = { $most ->
    [one] This game has had one step, which is as many as a game can have. You can still resign.
   *[other] This game has had { $most } steps, which is as many as a game can have. You can still resign.
}

## Requests

request-field-missing = The request lacks the field { $field }.
request-field-unknown = The request has a field { $field }, which is unknown. Known here: { $known }.
request-field-repeated = The request has { $field } more than once. Send it once.
request-field-range = In the request, { $field } takes a whole number from { $least } to { $most }.
request-field-number = In the request, { $field } takes a number.
request-field-text = In the request, { $field } takes a text.
request-field-boolean = In the request, { $field } takes true or false.
request-field-list = In the request, { $field } takes a list.
request-field-object = In the request, { $field } takes a JSON object.
request-field-value = In the request, { $field } takes one of these: { $known }.
request-field-described = In the request, { $field } does not have the form that the API's description gives it.
request-whole = all of it
request-name = { $name }
request-json = The request is no JSON: it goes wrong in line { $line }, column { $column }.
request-json-empty = The request has no body. Send a JSON object.
request-json-cut-short = The request is no JSON: it ends too early.
request-body-broken-off = The body of the request broke off. Send it again.
request-query-string = The query string can't be read. Write it as name=value, joined by &, with %-escapes in UTF-8.
request-move-one-of-two = A move is given by its id or spelled out as move: send one of the two.
request-moves-or-one = Send one move, or several as moves, not both.
request-moves-length = Send one move, or 1 to { $most } of them as moves.
request-idempotency-key = An idempotency key is one value of 1 to { $most } visible ASCII characters.
request-credentials = Send a username and a password, or a refreshToken.
request-seed = A seed is 64 hexadecimal digits.
request-seed-refused = Only a server started with --dev takes a seed. Leave it out.
request-options-of-another-kind = These are options of { $of }, and the game is { $kind }. Send those of { $kind }.
request-replay-commitment = The commitment of the replay does not belong to its seed.
request-replay-beginning = The replay does not begin with its creation.
request-replay-players = The replay has more players than were given.
request-replay-version = The replay has no steps up to that version.
request-query-missing = The request has no document. Send it as query.
request-hash = sha256Hash takes 64 hexadecimal digits.
request-batch-empty = A batch has at least one request.
request-batch-streamed = A stream answers one request. Send a batch with the header Accept: application/json.
request-socket-origin = A socket can't be opened from this origin. Ask the server's operator to allow it.
request-socket-handshake = This is no handshake of a WebSocket (RFC 6455, version 13).
request-host-missing = The request names no host. Send the header Host once, or :authority over HTTP/2.
request-host-repeated = The request has several Host headers. Send one.
request-host-contradicted = :authority and the header Host name different hosts. Send the same in both, or leave Host out.
request-stream-not-accepted = The answer to a subscription is a stream. Use a WebSocket, or send the header Accept: text/event-stream.
request-not-acceptable = We answer application/graphql-response+json, application/json and text/event-stream. Accept one of them.

## GraphQL documents

document-argument = { $argument } takes a value of the type { $type }.
document-argument-unfit = An argument does not fit its type. Compare the document and its variables with the schema.
document-limit-bytes = The document has more than { $most } bytes. Ask for less, or in several requests.
document-limit-tokens = The document has more than { $most } words and signs. Ask for less, or in several requests.
document-limit-nesting = The document has more than { $most } brackets within brackets. Nest less deeply.
document-limit-nodes = With its fragments expanded the document, or the batch, has more than { $most } fields. Ask for less, or in several requests.
document-limit-depth = The document goes more than { $most } levels deep. Ask for the inner part in a request of its own.
document-limit-aliases = The document has more than { $most } aliases. Ask in several requests.
document-limit-directives = The document has more than { $most } directives. Use fewer.
document-limit-variables = The variables have more than { $most } values. Send shorter lists, or in several requests.
document-limit-complexity = The document asks for more than { $most } fields, each counted as often as its lists are long. Ask for shorter lists, or for fewer fields.
document-limit-cost = The document costs { $price } units of work, and your budget never holds more than { $most }. Ask in several requests.
document-limit-batch = { $most ->
    [one] The batch has more than one request. Send them one by one.
   *[other] The batch has more than { $most } requests. Send several smaller ones.
}
document-limit-operations = { $most ->
    [one] No more than one operation goes on at a time here. End it first, or open another socket.
   *[other] No more than { $most } operations go on at a time here. End some of them first, or open another socket.
}
document-fragment-cycle = The fragment { $name } contains itself. Take it out of what it spreads.
document-operation-unknown = The document has no operation of that name. Check operationName.
document-operation-name-needed = The document has several operations. Say in operationName which one is meant.
document-subscription-one-field = A subscription names exactly one field, not within a fragment and without directives.
document-hash-mismatch = The hash is not the SHA-256 of the document. Hash the document as it is sent.
document-introspection-disabled = This server does not tell its schema. Ask its operator for it.
document-not-listed = This server only carries out the documents that its operator has listed, and this is none of them.


## Pages

page-problems = All problems
page-problems-about = Every refusal has one of these codes: in REST as code of the problem, in GraphQL as code of a user error or in extensions.
page-playground = Playground
page-reference = REST reference
page-kinds = Kinds
page-absent = This server was built without its pages: install Node.js 20.19 or later, with npm, and build it again with LUDOTHEQUE_WEB=on in the environment.
