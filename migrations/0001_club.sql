-- The club's whole memory. Times are seconds since 1970 in UTC; addresses are in lower case.

-- One row: what the club is.
CREATE TABLE club (
    id          INTEGER NOT NULL PRIMARY KEY CHECK (id = 1),
    created_at  INTEGER NOT NULL,  -- first start; older mail is none of the club's business
    secret      BLOB    NOT NULL   -- key of all tokens; in the database so that one backup holds all
) STRICT;

-- When the loops last did their work; `status` reads it.
CREATE TABLE heartbeat (
    loop        TEXT    NOT NULL PRIMARY KEY,  -- poll, send, once
    at          INTEGER NOT NULL,              -- last time it went well
    trouble     TEXT    NOT NULL DEFAULT ''    -- what is wrong since then; empty: nothing
) STRICT, WITHOUT ROWID;

-- Members.
CREATE TABLE players (
    id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    name        TEXT    NOT NULL,              -- as shown
    name_key    TEXT    NOT NULL UNIQUE,       -- without case and accents
    address     TEXT    NOT NULL UNIQUE,       -- letters go there
    language    TEXT    NOT NULL,              -- code of a catalog
    timezone    TEXT    NOT NULL,              -- IANA name
    joined_at   INTEGER NOT NULL,
    stopped     INTEGER NOT NULL DEFAULT 0     -- 1: asked for no more mail
) STRICT;

-- Every address that may write for a member, the registered one among them.
CREATE TABLE addresses (
    address     TEXT    NOT NULL PRIMARY KEY,
    player      INTEGER NOT NULL REFERENCES players (id),
    learned_at  INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX addresses_of_player ON addresses (player);

-- Addresses of people who never joined and asked never to be written to again.
CREATE TABLE suppressed (
    address     TEXT    NOT NULL PRIMARY KEY,
    at          INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Challenges; an accepted one becomes the game of its number.
CREATE TABLE challenges (
    number      INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    from_player INTEGER NOT NULL REFERENCES players (id),
    to_player   INTEGER          REFERENCES players (id),  -- a member, or
    to_address  TEXT,                                      -- an address new here; both NULL: anyone
    colour      TEXT    NOT NULL CHECK (colour IN ('white', 'black', 'random')),  -- the challenger's
    setup       TEXT    NOT NULL CHECK (setup IN ('place', 'random', 'symmetric')),
    made_at     INTEGER NOT NULL,
    until_at    INTEGER NOT NULL,
    nonce       BLOB    NOT NULL,              -- the club's secret number for the lots
    state       TEXT    NOT NULL CHECK (state IN ('waiting', 'accepted', 'declined', 'withdrawn', 'expired'))
) STRICT;
CREATE INDEX challenges_from ON challenges (from_player, made_at);
CREATE INDEX challenges_to_player ON challenges (to_player) WHERE state = 'waiting';
CREATE INDEX challenges_to_address ON challenges (to_address, made_at) WHERE to_address IS NOT NULL;
CREATE INDEX challenges_waiting ON challenges (until_at) WHERE state = 'waiting';

-- Games. The columns after started_at repeat what the events say, to be indexed.
CREATE TABLE games (
    number      INTEGER NOT NULL PRIMARY KEY REFERENCES challenges (number),
    white       INTEGER NOT NULL REFERENCES players (id),
    black       INTEGER NOT NULL REFERENCES players (id),
    setup       TEXT    NOT NULL CHECK (setup IN ('place', 'random', 'symmetric')),
    start       TEXT,                          -- the full board where it was drawn
    draw_nonce  TEXT,                          -- how the draw can be checked, in hexadecimal
    draw_digest TEXT,
    draw_seed   TEXT,
    started_at  INTEGER NOT NULL,
    turn        TEXT CHECK (turn IN ('white', 'black')),  -- NULL: over
    turn_since  INTEGER NOT NULL,
    serial      INTEGER NOT NULL,              -- number of events
    result      TEXT CHECK (result IN ('white', 'black', 'draw')),
    ended_by    TEXT CHECK (ended_by IN ('score', 'resignation')),
    ended_at    INTEGER,
    score_white INTEGER NOT NULL DEFAULT 0,
    score_black INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX games_of_white ON games (white, ended_at);
CREATE INDEX games_of_black ON games (black, ended_at);

-- What happened in a game; never changed, never deleted.
CREATE TABLE events (
    game        INTEGER NOT NULL REFERENCES games (number),
    serial      INTEGER NOT NULL,              -- 1, 2, 3 …: the state it leads to
    at          INTEGER NOT NULL,              -- arrival of the mail that caused it
    kind        TEXT    NOT NULL CHECK (kind IN ('ply', 'resigned')),
    what        TEXT    NOT NULL,              -- the ply in the record's notation, or the colour
    PRIMARY KEY (game, serial)
) STRICT, WITHOUT ROWID;

-- Every mail that came in, once, whatever way it came and however often.
CREATE TABLE inbox (
    id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    digest      BLOB    NOT NULL UNIQUE,       -- of what its writer wrote, trace headers left out
    arrived_at  INTEGER NOT NULL,              -- in the club's mailbox
    taken_at    INTEGER NOT NULL,              -- by us
    sender      TEXT    NOT NULL DEFAULT '',   -- address of From, empty where there is none
    state       TEXT    NOT NULL CHECK (state IN ('waiting', 'done', 'ignored', 'left', 'shunted')),
    reason      TEXT    NOT NULL DEFAULT '',   -- why ignored, left or shunted
    attempts    INTEGER NOT NULL DEFAULT 0,    -- tries that may have ended in a fault of ours
    junk        INTEGER NOT NULL DEFAULT 0,    -- 1: it lay among suspected junk
    cut         INTEGER NOT NULL DEFAULT 0,    -- 1: raw is the header alone, of a mail that is too large
    raw         BLOB                           -- the mail; NULL once it is old, or was left
) STRICT;
CREATE INDEX inbox_waiting ON inbox (id) WHERE state = 'waiting';
CREATE INDEX inbox_shunted ON inbox (id) WHERE state = 'shunted';
CREATE INDEX inbox_sender ON inbox (sender, taken_at);
CREATE INDEX inbox_raw ON inbox (taken_at) WHERE raw IS NOT NULL;

-- How far the mailbox is read.
CREATE TABLE cursors (
    mailbox     TEXT    NOT NULL PRIMARY KEY,
    uidvalidity INTEGER NOT NULL,
    uid         INTEGER NOT NULL               -- everything up to it is in `inbox`
) STRICT, WITHOUT ROWID;

-- Mails in the mailbox that are in `inbox` and still lie where they were found.
CREATE TABLE entries (
    mailbox     TEXT    NOT NULL,
    key         TEXT    NOT NULL,              -- IMAP: uidvalidity and uid; Maildir: the file's unique name
    inbox       INTEGER NOT NULL REFERENCES inbox (id),
    file        INTEGER NOT NULL,              -- 1: to be moved to the done mailbox; 0: stays, or is not judged yet
    PRIMARY KEY (mailbox, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX entries_of_mail ON entries (inbox);
CREATE INDEX entries_to_file ON entries (mailbox) WHERE file = 1;

-- Questions that wait for yes or no.
CREATE TABLE questions (
    id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    player      INTEGER          REFERENCES players (id),  -- NULL: an address that is no member yet
    address     TEXT    NOT NULL,              -- who is asked
    name        TEXT    NOT NULL DEFAULT '',   -- the name in the first mail's From, for a new member
    asked_at    INTEGER NOT NULL,
    until_at    INTEGER NOT NULL,
    state       TEXT    NOT NULL CHECK (state IN ('open', 'yes', 'no', 'expired'))
) STRICT;
CREATE UNIQUE INDEX questions_open ON questions (address) WHERE state = 'open';
CREATE INDEX questions_open_of ON questions (player) WHERE state = 'open';
CREATE INDEX questions_asked ON questions (address, asked_at);
CREATE INDEX questions_strangers ON questions (asked_at) WHERE player IS NULL;
CREATE INDEX questions_until ON questions (until_at) WHERE state = 'open';

-- Mails that wait for the answer to a question.
CREATE TABLE held (
    question    INTEGER NOT NULL REFERENCES questions (id),
    place       INTEGER NOT NULL,              -- 1, 2, 3 …: the order they came in
    inbox       INTEGER NOT NULL UNIQUE REFERENCES inbox (id),
    sender      TEXT    NOT NULL,              -- address of From
    arrived_at  INTEGER NOT NULL,
    commands    TEXT    NOT NULL,              -- what waits, a line each, in canonical spelling
    chat        TEXT    NOT NULL,              -- the text around it, for the opponent
    game        INTEGER,                       -- game that the mail answered, and
    serial      INTEGER,                       -- the state that it showed
    challenge   INTEGER,                       -- challenge that the mail answered
    PRIMARY KEY (question, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX held_sender ON held (sender);

-- Every mail that goes out, with its final bytes.
CREATE TABLE outbox (
    id          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    message_id  TEXT    NOT NULL UNIQUE,
    sender      TEXT,                          -- envelope; NULL: the empty sender
    recipient   TEXT    NOT NULL,              -- envelope
    game        INTEGER,                       -- number of the game or challenge it is about
    answers     INTEGER REFERENCES inbox (id), -- the mail that caused it
    unproven    INTEGER NOT NULL DEFAULT 0,    -- 1: that mail did not prove its writer
    text        TEXT    NOT NULL,              -- its text part, to be known again in a reply
    bytes       BLOB,                          -- the whole mail; NULL once it is old
    made_at     INTEGER NOT NULL,
    next_at     INTEGER NOT NULL,              -- when to try, or to try again
    attempts    INTEGER NOT NULL DEFAULT 0,    -- committed before each try
    uncertain   INTEGER NOT NULL DEFAULT 0,    -- tries after whose final dot no answer came
    state       TEXT    NOT NULL CHECK (state IN ('waiting', 'sent', 'failed')),
    result      TEXT    NOT NULL DEFAULT '',   -- the server's last word
    sent_at     INTEGER
) STRICT;
CREATE INDEX outbox_due ON outbox (next_at, id, recipient) WHERE state = 'waiting';
CREATE INDEX outbox_lane ON outbox (recipient, id) WHERE state = 'waiting';
CREATE INDEX outbox_thread ON outbox (recipient, game, id);
CREATE INDEX outbox_made ON outbox (recipient, made_at);
CREATE INDEX outbox_bytes ON outbox (made_at) WHERE bytes IS NOT NULL;
CREATE INDEX outbox_sent ON outbox (sent_at) WHERE state = 'sent';
CREATE INDEX outbox_failed ON outbox (id) WHERE state = 'failed';
