-- The tables of version 2: old positions start from a snapshot near them.

-- Snapshots of every 128th version, kept for as long as the game; the newest one of a game stays in `snapshots`. They go
-- with the game, whichever version of the program removes it.
CREATE TABLE kept_snapshots (
    game uuid NOT NULL REFERENCES games (id) ON DELETE CASCADE,
    version int8 NOT NULL,
    snapshot bytea NOT NULL,
    PRIMARY KEY (game, version)
);
