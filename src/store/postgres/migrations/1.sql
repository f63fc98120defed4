-- Schema version 1. Values have the same bytes as in the embedded store: format number, value, checksum. The other
-- columns are for comparing, joining and listing. No triggers, sequences, functions or advisory locks, so that other
-- databases with PostgreSQL's language can run this.

-- Games, and the columns that lists find them by. `since` is the time of the last step, for lobbies and games that are
-- over. `places` is a digest of the game's rows in `members`, so that a move need not write them.
CREATE TABLE games (
    id uuid PRIMARY KEY,
    version int8 NOT NULL,
    status int2 NOT NULL,
    kind text NOT NULL,
    listed bool NOT NULL,
    since int8,
    invite bytea UNIQUE,
    places bytea NOT NULL,
    head bytea NOT NULL
);

-- The public list, newest first, with every combination of filters. None of these columns changes with a move.
CREATE INDEX games_listed ON games (id) WHERE listed;
CREATE INDEX games_listed_status ON games (status, id) WHERE listed;
CREATE INDEX games_listed_kind ON games (kind, id) WHERE listed;
CREATE INDEX games_listed_status_kind ON games (status, kind, id) WHERE listed;
CREATE INDEX games_idle ON games (since, id) WHERE status = 0;
CREATE INDEX games_over ON games (since, id) WHERE status >= 2;

CREATE TABLE steps (
    game uuid NOT NULL,
    version int8 NOT NULL,
    step bytea NOT NULL,
    PRIMARY KEY (game, version)
);

CREATE TABLE snapshots (
    game uuid PRIMARY KEY,
    version int8 NOT NULL,
    snapshot bytea NOT NULL
);

-- Results of commands. `scope` is a game, or the nil UUID for commands that created one.
CREATE TABLE commands (
    scope uuid NOT NULL,
    player uuid NOT NULL,
    key bytea NOT NULL,
    at int8 NOT NULL,
    done bytea NOT NULL,
    PRIMARY KEY (scope, player, key)
);

CREATE INDEX commands_at ON commands (at);

CREATE TABLE members (
    player uuid NOT NULL,
    game uuid NOT NULL,
    status int2 NOT NULL,
    kind text NOT NULL,
    PRIMARY KEY (player, game)
);

CREATE INDEX members_game ON members (game);
CREATE INDEX members_status ON members (player, status, game);
CREATE INDEX members_kind ON members (player, kind, game);
CREATE INDEX members_status_kind ON members (player, status, kind, game);

CREATE TABLE players (
    id uuid PRIMARY KEY,
    revision int8 NOT NULL,
    username bytea UNIQUE,
    subject bytea UNIQUE,
    player bytea NOT NULL
);

CREATE TABLE families (
    id uuid PRIMARY KEY,
    generation int8 NOT NULL,
    revoked bool NOT NULL,
    family bytea NOT NULL
);

CREATE TABLE revocations (
    mark bytea PRIMARY KEY,
    needed_until int8 NOT NULL,
    revocation bytea NOT NULL
);

CREATE INDEX revocations_needed_until ON revocations (needed_until);

CREATE TABLE signing_keys (
    kid text PRIMARY KEY,
    pkcs8 bytea NOT NULL
);

-- One row, which every health check writes to.
CREATE TABLE health (
    one int2 PRIMARY KEY,
    writes int8 NOT NULL
);

INSERT INTO health (one, writes) VALUES (1, 0);
