//! A game: its start and its append-only list of events. The position is replayed from them, never stored.

use chrono::{DateTime, Utc};

use crate::club::notice::Draw;
use crate::club::player::PlayerId;
use crate::dvonn::{Board, CellSet, Colour, Move, Outcome, Ply, Position, Setup};

/// One game of two members.
#[derive(Clone, Debug, PartialEq)]
pub struct Game {
    /// Its number, unique among games and challenges.
    pub number: u32,
    /// Who plays white.
    pub white: Seat,
    /// Who plays black.
    pub black: Seat,
    /// How the pieces came onto the board.
    pub setup: Setup,
    /// The full board at the start of the stacking phase where it was drawn; `None` for the placing setup.
    pub start: Option<Board>,
    /// How the draw can be checked; `None` where nothing was drawn.
    pub draw: Option<Draw>,
    /// When it began.
    pub started: DateTime<Utc>,
    /// All that happened, oldest first; the serial of the n-th event is n.
    pub events: Vec<Event>,
    /// The position after the events.
    pub position: Position,
    /// How it ended, once it has.
    pub ended: Option<Ended>,
}

/// One of the two places at the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Who sits there.
    pub player: PlayerId,
    /// The player's name when the game was loaded.
    pub name: String,
}

/// Something that happened in a game; each makes a state with a serial of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The state that it leads to: 1 for the first event.
    pub serial: u32,
    /// The moment that counts: when the mail arrived that caused it.
    pub at: DateTime<Utc>,
    /// What happened.
    pub what: Happened,
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Happened {
    /// A placement, a move or a forced pass.
    Ply(Ply),
    /// A player resigned.
    Resigned(Colour),
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Who won.
    pub result: Outcome,
    /// How.
    pub by: EndedBy,
    /// When.
    pub at: DateTime<Utc>,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EndedBy {
    /// Nobody could move any more.
    Score,
    /// A player resigned.
    Resignation,
}

impl EndedBy {
    /// The word of the JSON contract.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            EndedBy::Score => "score",
            EndedBy::Resignation => "resignation",
        }
    }
}

impl Game {
    /// Begins a game; a first turn that must be passed (RULE-09) is passed at once.
    #[must_use]
    pub fn begin(
        number: u32,
        (white, black): (Seat, Seat),
        setup: Setup,
        board: Option<(Board, Position, Option<Colour>)>,
        draw: Option<Draw>,
        now: DateTime<Utc>,
    ) -> Self {
        let (start, position, passed) = match board {
            Some((board, position, passed)) => (Some(board), position, passed),
            None => (None, Position::new(), None),
        };
        let pass = passed.map(|_| Event {
            serial: 1,
            at: now,
            what: Happened::Ply(Ply::Pass),
        });
        let events = pass.into_iter().collect();
        Game {
            number,
            white,
            black,
            setup,
            start,
            draw,
            started: now,
            events,
            position,
            ended: None,
        }
    }

    /// The state that a letter about the game shows.
    #[must_use]
    pub fn serial(&self) -> u32 {
        u32::try_from(self.events.len()).unwrap_or(u32::MAX)
    }

    /// The plies so far, placements and passes counted.
    pub fn plies(&self) -> impl Iterator<Item = Ply> + '_ {
        self.events.iter().filter_map(|event| match event.what {
            Happened::Ply(ply) => Some(ply),
            Happened::Resigned(_) => None,
        })
    }

    /// The colour that a member plays here, if any.
    #[must_use]
    pub fn seat_of(&self, player: PlayerId) -> Option<Colour> {
        if self.white.player == player {
            Some(Colour::White)
        } else if self.black.player == player {
            Some(Colour::Black)
        } else {
            None
        }
    }

    /// Who plays a colour.
    #[must_use]
    pub fn seat(&self, colour: Colour) -> &Seat {
        match colour {
            Colour::White => &self.white,
            Colour::Black => &self.black,
        }
    }

    /// The seat across from a member's.
    #[must_use]
    pub fn opponent_of(&self, player: PlayerId) -> &Seat {
        if self.white.player == player {
            &self.black
        } else {
            &self.white
        }
    }

    /// Whose turn it is; `None` once the game is over.
    #[must_use]
    pub fn turn(&self) -> Option<Colour> {
        if self.ended.is_some() {
            None
        } else {
            self.position.turn()
        }
    }

    /// Whether it waits for that member.
    #[must_use]
    pub fn is_turn_of(&self, player: PlayerId) -> bool {
        self.turn()
            .is_some_and(|colour| self.seat(colour).player == player)
    }

    /// Since when it waits for whoever is to move.
    #[must_use]
    pub fn turn_since(&self) -> DateTime<Utc> {
        self.events.last().map_or(self.started, |event| event.at)
    }

    /// Plies since a state, oldest first.
    pub fn plies_since(&self, serial: u32) -> impl Iterator<Item = Ply> + '_ {
        self.events
            .iter()
            .filter(move |event| event.serial > serial)
            .filter_map(|event| match event.what {
                Happened::Ply(ply) => Some(ply),
                Happened::Resigned(_) => None,
            })
    }

    /// The last ply that was no pass.
    #[must_use]
    pub fn last_move(&self) -> Option<Move> {
        self.plies()
            .filter_map(|ply| {
                if let Ply::Move(mv) = ply {
                    Some(mv)
                } else {
                    None
                }
            })
            .last()
    }

    /// The score as it stands, white's first.
    #[must_use]
    pub fn score(&self) -> (u32, u32) {
        let score = self.position.score();
        (u32::from(score.white), u32::from(score.black))
    }

    /// The last ply that was no pass, and the spaces that it emptied by cutting them off, for the marks on the board.
    #[must_use]
    pub fn last_marks(&self) -> Option<(Ply, CellSet)> {
        let mv = self.last_move()?;
        let plies: Vec<Ply> = self.plies().collect();
        let before = plies.iter().rposition(|ply| *ply == Ply::Move(mv))?;
        let position = Position::replay(self.start, plies.get(..before)?).ok()?;
        let removed = position.play(mv).ok()?.removed;
        Some((
            Ply::Move(mv),
            removed.iter().map(|fallen| fallen.cell).collect(),
        ))
    }
}
