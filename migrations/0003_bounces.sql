-- Letters that come back: who cannot be reached, what waits for them, and what was really handed over.

-- Addresses that letters came back from. What is counted ends with a mail from there; when others were told does not.
CREATE TABLE bouncing (
    address     TEXT    NOT NULL PRIMARY KEY,
    halves      INTEGER NOT NULL,              -- the score, in half points
    day         INTEGER NOT NULL,              -- the last day that counted, in days since 1970
    today       INTEGER NOT NULL,              -- half points of that day
    held_at     INTEGER,                       -- since when its letters wait; NULL: they go out
    told_at     INTEGER,                       -- when others were last told of it; NULL: never
    reason      TEXT    NOT NULL               -- what was said the last time
) STRICT, WITHOUT ROWID;

-- Every time that a letter was handed over to the final dot: providers count these, whatever became of the answer.
CREATE TABLE handed (
    id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    at          INTEGER NOT NULL
) STRICT;
CREATE INDEX handed_at ON handed (at);
INSERT INTO handed (at) SELECT sent_at FROM outbox WHERE sent_at IS NOT NULL;

-- 1: it waits until its recipient can be reached; its state is `waiting`.
ALTER TABLE outbox ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
-- What kind of letter it is, where that matters while it waits: `words` carries what a person wrote and no later letter
-- repeats, `question` waits for yes or no, `admin` goes out whatever came back.
ALTER TABLE outbox ADD COLUMN nature TEXT NOT NULL DEFAULT 'plain'
    CHECK (nature IN ('plain', 'words', 'question', 'admin'));
-- The newer letter that went out in its place; its state is `failed`. NULL: none did.
ALTER TABLE outbox ADD COLUMN superseded INTEGER;
-- The mail that reported that it cannot be delivered. NULL: none did.
ALTER TABLE outbox ADD COLUMN report INTEGER REFERENCES inbox (id);
-- 1: where limits bite it goes after letters about games.
ALTER TABLE outbox ADD COLUMN later INTEGER NOT NULL GENERATED ALWAYS AS (unproven = 1 OR game IS NULL) VIRTUAL;

DROP INDEX outbox_due;
DROP INDEX outbox_lane;
CREATE INDEX outbox_due ON outbox (next_at, id, recipient, made_at) WHERE state = 'waiting' AND held = 0;
CREATE INDEX outbox_urgent ON outbox (later, next_at, id, recipient) WHERE state = 'waiting' AND held = 0;
CREATE INDEX outbox_lane ON outbox (recipient, id) WHERE state = 'waiting' AND held = 0;
CREATE INDEX outbox_held ON outbox (recipient, id) WHERE held = 1;
