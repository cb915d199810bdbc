//! The two players' colours and the three kinds of pieces. Knows how many there are, not where they stand.

use std::fmt;

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Colour {
    /// Places first and moves first (RULE-01).
    White,
    /// The other.
    Black,
}

impl Colour {
    /// Both, White first.
    pub const BOTH: [Colour; 2] = [Colour::White, Colour::Black];

    /// The other side.
    pub const fn opposite(self) -> Colour {
        match self {
            Colour::White => Colour::Black,
            Colour::Black => Colour::White,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::White => "white",
            Colour::Black => "black",
        })
    }
}

/// One of the 49 pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Piece {
    /// One of 23.
    White,
    /// One of 23.
    Black,
    /// One of the three red ones, which hold everything on the board.
    Dvonn,
}

impl Piece {
    /// How many of this kind a game has.
    pub const fn supply(self) -> usize {
        match self {
            Piece::White | Piece::Black => 23,
            Piece::Dvonn => 3,
        }
    }

    /// Whose it is; a DVONN piece is nobody's (RULE-05).
    pub const fn colour(self) -> Option<Colour> {
        match self {
            Piece::White => Some(Colour::White),
            Piece::Black => Some(Colour::Black),
            Piece::Dvonn => None,
        }
    }

    /// Its letter in a position text.
    pub const fn letter(self) -> char {
        match self {
            Piece::White => 'W',
            Piece::Black => 'B',
            Piece::Dvonn => 'R',
        }
    }

    /// The piece of a letter in a position text.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        match letter {
            'W' => Some(Piece::White),
            'B' => Some(Piece::Black),
            'R' => Some(Piece::Dvonn),
            _ => None,
        }
    }
}

impl From<Colour> for Piece {
    fn from(colour: Colour) -> Piece {
        match colour {
            Colour::White => Piece::White,
            Colour::Black => Piece::Black,
        }
    }
}
