-- What the admin is told, what is wrong at present, and what the admin did.

-- One row a class of notices, since the first of it.
CREATE TABLE notices (
    class       TEXT    NOT NULL PRIMARY KEY,       -- resource, software, bounce, delay, credentials, security, clock
    told_at     INTEGER NOT NULL DEFAULT 0,         -- the last letter to the admin; 0: none yet
    held        INTEGER NOT NULL DEFAULT 0,         -- what came since then and waits for the next letter
    held_since  INTEGER NOT NULL DEFAULT 0,         -- the first of that
    latest      TEXT    NOT NULL DEFAULT '',        -- the last of that, in a few words
    alarm_at    INTEGER NOT NULL DEFAULT 0          -- the last run of the alarm command; 0: none yet
) STRICT, WITHOUT ROWID;

-- What is wrong at present; a row goes when it is well again.
CREATE TABLE troubles (
    what        TEXT    NOT NULL PRIMARY KEY,       -- mailbox, way out, letters, room
    since       INTEGER NOT NULL,
    reason      TEXT    NOT NULL,                   -- the last word about it
    class       TEXT    NOT NULL DEFAULT '',        -- of the notice that the admin was given; empty: none so far
    told        INTEGER NOT NULL DEFAULT 0          -- 1: by a letter; 0: it was counted for the next one at most
) STRICT, WITHOUT ROWID;

-- What was done by hand, written with the deed itself.
CREATE TABLE audit (
    id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    who         TEXT    NOT NULL,                   -- user of the machine
    act         TEXT    NOT NULL,                   -- as on the command line, such as `shunted retry`
    about       TEXT    NOT NULL                    -- number of the letter, mail or game
) STRICT;
