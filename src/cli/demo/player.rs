//! The two people of the demo.

/// A player of the demo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Player {
    /// The one who is invited: the reader of this terminal, to begin with.
    Anna,
    /// The one who invites.
    Ben,
}

impl Player {
    /// Both.
    pub(crate) const BOTH: [Player; 2] = [Player::Anna, Player::Ben];

    /// The name.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Player::Anna => "Anna",
            Player::Ben => "Ben",
        }
    }

    /// The mail address.
    pub(crate) fn address(self) -> &'static str {
        match self {
            Player::Anna => "anna@demo.example",
            Player::Ben => "ben@demo.example",
        }
    }

    /// The player with that address.
    pub(crate) fn of(address: &str) -> Option<Player> {
        Player::BOTH
            .into_iter()
            .find(|player| player.address() == address)
    }
}
