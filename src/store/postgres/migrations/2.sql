-- Schema version 2: snapshots near old positions, to load those faster.

-- Snapshots of every 128th version, kept as long as the game; the newest one of a game stays in `snapshots`. They are
-- deleted with the game, whichever version of the program removes it.
CREATE TABLE kept_snapshots (
    game uuid NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    version int8 NOT NULL,
    snapshot bytea NOT NULL,
    PRIMARY KEY (game, version)
);
