-- Who runs the loops, and what is doubtful about moments that other clocks gave.

-- Why arrived_at of a mail is not what its mail server said; empty: it is.
ALTER TABLE inbox ADD COLUMN doubt TEXT NOT NULL DEFAULT '';

-- The latest arrival among the mails up to the cursor, by the mail server's clock; 0: not known.
ALTER TABLE cursors ADD COLUMN arrived_at INTEGER NOT NULL DEFAULT 0;

-- One row: who runs the loops, or ran them last. It stands beside the lock on the file, which some file systems of
-- networks do not keep.
CREATE TABLE owner (
    id          INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    run         TEXT    NOT NULL,              -- random name of the run
    host        TEXT    NOT NULL,
    process     INTEGER NOT NULL,
    home        TEXT    NOT NULL,              -- digest of the path of the database: a copy lies elsewhere
    since       INTEGER NOT NULL,
    beat        INTEGER NOT NULL,              -- last sign of life
    ended       INTEGER NOT NULL,              -- 1: it ended by itself
    marked      TEXT    NOT NULL,              -- run whose mark was last put into the mailbox, committed before it is put there
    marked_before TEXT  NOT NULL               -- run whose mark lay there until then; both empty where there is none
) STRICT;
