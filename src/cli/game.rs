//! `game`: one game of the club.

use std::path::Path;

use crate::cli::club::{ending, fault, look, moment, record};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::dvonn::diagram::{self, Marks};
use crate::dvonn::{Move, Ply};

/// Which game to show.
#[derive(Debug, clap::Args)]
pub(crate) struct Game {
    /// The number of the game
    #[arg(value_name = "N")]
    number: u32,

    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Game, config: Option<&Path>) -> Result<Exit, Failure> {
    let number = arguments.number;
    let row = look(config, |tx| {
        tx.game(number)?
            .map(|game| tx.with_addresses(game))
            .transpose()
    })?
    .ok_or_else(|| {
        Failure::no(format!(
            "there is no game {number}; `dvonn-post games` lists all"
        ))
    })?;
    if arguments.json {
        let object = record(row).object().map_err(|error| fault(error.into()))?;
        output::show_json(&object)?;
        return Ok(Exit::Done);
    }
    let game = &row.game;
    let (from, to) = match game.last_marks() {
        Some((Ply::Move(Move::Jump { from, to }), _)) => (Some(from), Some(to)),
        Some((Ply::Move(Move::Place(cell)), _)) => (None, Some(cell)),
        _ => (None, None),
    };
    let gone = game.last_marks().map(|(_, gone)| gone).unwrap_or_default();
    let (white, black) = game.score();
    let state = match (game.ended, game.turn()) {
        (Some(ended), _) => format!("Over since {}: {}.", moment(ended.at), ending(&ended)),
        (None, Some(colour)) => {
            format!(
                "{} ({colour}) is to move since {}.",
                game.seat(colour).name,
                moment(game.turn_since())
            )
        }
        (None, None) => "Over.".to_owned(),
    };
    output::show(&format!(
        "Game {number}: {} (white, {}) - {} (black, {}), setup {}\n\n{}\n\n{} {white}, {} {black}. {} plies. {state}\n",
        game.white.name,
        row.white_address,
        game.black.name,
        row.black_address,
        game.setup,
        diagram::draw(game.position.board(), &Marks { from, to, gone }),
        game.white.name,
        game.black.name,
        game.plies().count(),
    ))?;
    Ok(Exit::Done)
}
