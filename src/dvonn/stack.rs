//! What one sees of a stack from above: how high, whose, a DVONN piece in it or not. Knows neither its order nor its space.

use super::piece::Colour;

/// A stack of one piece or more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Stack {
    height: u8,
    owner: Option<Colour>,
    has_dvonn: bool,
}

impl Stack {
    pub(super) const fn new(height: u8, owner: Option<Colour>, has_dvonn: bool) -> Stack {
        Stack {
            height,
            owner,
            has_dvonn,
        }
    }

    /// How many pieces: 1 to 49. It moves exactly as many spaces (RULE-03).
    pub const fn height(self) -> u8 {
        self.height
    }

    /// The colour of the top piece (RULE-02); `None` for a lone DVONN piece (RULE-05).
    pub const fn owner(self) -> Option<Colour> {
        self.owner
    }

    /// Whether a DVONN piece is in it.
    pub const fn has_dvonn(self) -> bool {
        self.has_dvonn
    }

    /// Whether it is a lone DVONN piece, which never moves (RULE-05).
    pub const fn is_lone_dvonn(self) -> bool {
        self.owner.is_none()
    }
}
