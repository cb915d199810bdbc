//! Records in JSON: the game object that `game N --json` and `replay --json` print and that `replay` reads. Knows its fields
//! and their order; other programs rely on both.

use serde::{Deserialize, Serialize};

use super::super::outcome::Score;
use super::super::position::Phase;
use super::super::replay::{Replayed, ReplayedPly};
use super::{EndedBy, Person, Record, RecordError, read_value};

/// The object of a game, ready to be printed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameObject {
    game: Option<u32>,
    white: Option<PersonObject>,
    black: Option<PersonObject>,
    setup: String,
    start: Option<String>,
    phase: &'static str,
    turn: Option<String>,
    ply: usize,
    moves: Vec<String>,
    position: String,
    score: ScoreObject,
    result: Option<String>,
    ended_by: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<Vec<PlyObject>>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct PersonObject {
    name: String,
    #[serde(default)]
    address: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct ScoreObject {
    white: u8,
    black: u8,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct PlyObject {
    #[serde(rename = "move")]
    played: String,
    legal: usize,
    removed: Vec<String>,
}

impl From<&ReplayedPly> for PlyObject {
    fn from(ply: &ReplayedPly) -> PlyObject {
        PlyObject {
            played: ply.ply.to_string(),
            legal: ply.legal,
            removed: ply
                .removed
                .iter()
                .map(|fallen| fallen.cell.to_string())
                .collect(),
        }
    }
}

impl From<&Person> for PersonObject {
    fn from(person: &Person) -> PersonObject {
        PersonObject {
            name: person.name.clone(),
            address: person.address.clone(),
        }
    }
}

impl Record {
    /// The object of this game as `game N --json` prints it: what the moves lead to is worked out from them, and an implied
    /// 49th placement is put in.
    ///
    /// # Errors
    /// When the record does not agree with the rules.
    pub fn object(&self) -> Result<GameObject, RecordError> {
        Ok(self.object_of(&self.check()?))
    }

    /// The same as `replay --json` prints it: with `plies`, each with its legal count and what left the board.
    ///
    /// # Errors
    /// When the record does not agree with the rules.
    pub fn object_with_plies(&self) -> Result<GameObject, RecordError> {
        let replayed = self.check()?;
        Ok(GameObject {
            plies: Some(replayed.plies.iter().map(PlyObject::from).collect()),
            ..self.object_of(&replayed)
        })
    }

    fn object_of(&self, replayed: &Replayed) -> GameObject {
        let position = &replayed.position;
        let by_board = position.outcome();
        let result = self.result.or(by_board);
        let (phase, turn) = match position.phase() {
            _ if result.is_some() => ("over", None),
            Phase::Placing => ("placing", position.turn()),
            Phase::Stacking => ("stacking", position.turn()),
            Phase::Over => ("over", None),
        };
        let Score { white, black } = position.score();
        GameObject {
            game: self.game,
            white: self.white.as_ref().map(PersonObject::from),
            black: self.black.as_ref().map(PersonObject::from),
            setup: self.setup.to_string(),
            start: self.start.map(|board| board.to_string()),
            phase,
            turn: turn.map(|colour| colour.to_string()),
            ply: replayed.plies.len(),
            moves: replayed
                .plies
                .iter()
                .map(|ply| ply.ply.to_string())
                .collect(),
            position: position.board().to_string(),
            score: ScoreObject { white, black },
            result: result.map(|outcome| outcome.to_string()),
            ended_by: self
                .ended_by
                .or(by_board.map(|_| EndedBy::Score))
                .map(|by| by.to_string()),
            plies: None,
        }
    }
}

/// What is read of an object; fields that are not listed may be there and are not looked at.
#[derive(Deserialize)]
struct Found {
    game: Option<u32>,
    white: Option<PersonObject>,
    black: Option<PersonObject>,
    setup: Option<String>,
    start: Option<String>,
    moves: Vec<String>,
    position: Option<String>,
    score: Option<ScoreObject>,
    result: Option<String>,
    ended_by: Option<String>,
}

/// Reads the object of a game. `setup` and `moves` are needed, `start` unless the setup is `place`.
///
/// # Errors
/// When it is no such object, or a ply cannot be read; what the moves lead to is left to [`Record::check`].
pub(super) fn read(text: &str) -> Result<Record, RecordError> {
    let found: Found =
        serde_json::from_str(text).map_err(|error| RecordError::Json(error.to_string()))?;
    let setup = found.setup.ok_or(RecordError::SetupMissing)?;
    let setup = read_value("setup", &setup)?;
    let start = found
        .start
        .map(|board| read_value("start", &board))
        .transpose()?;
    let person = |object: PersonObject| Person {
        name: object.name,
        address: object.address,
    };
    let mut record = Record {
        game: found.game,
        white: found.white.map(person),
        black: found.black.map(person),
        result: found
            .result
            .map(|result| read_value("result", &result))
            .transpose()?,
        ended_by: found
            .ended_by
            .map(|by| read_value("ended_by", &by))
            .transpose()?,
        position: found
            .position
            .map(|board| read_value("position", &board))
            .transpose()?,
        score: found
            .score
            .map(|ScoreObject { white, black }| Score { white, black }),
        ..Record::new(setup, start, Vec::new())
    };
    record.read_moves(found.moves.iter().map(String::as_str))?;
    Ok(record)
}
