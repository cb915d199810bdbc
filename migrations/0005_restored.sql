-- Copies of the club, and coming back from one.

-- What a backup says of itself; empty in the database that is served.
CREATE TABLE backup (
    id          INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    made_at     INTEGER NOT NULL,
    program     TEXT    NOT NULL,              -- version of the program that made it
    config_file TEXT    NOT NULL,              -- where the configuration was
    config      TEXT    NOT NULL               -- its text; passwords are in files of their own
) STRICT;

-- The newest backup of this club, for `status` and `doctor`; no row: there is none.
CREATE TABLE last_backup (
    id          INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    made_at     INTEGER NOT NULL,
    file        TEXT    NOT NULL               -- where it was put
) STRICT;

-- Every time that this club came back from a backup.
CREATE TABLE restored (
    id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL,
    made_at     INTEGER NOT NULL,              -- the moment to which the club went back
    reread      INTEGER NOT NULL DEFAULT 0     -- 1: all folders of the mailbox have been read again since
) STRICT;
