//! `games`: all games of the club.

use std::path::Path;

use crate::cli::club::{ending, fault, look, moment, record};
use crate::cli::exit::{Exit, Failure};
use crate::cli::output;
use crate::store::GameRow;

/// What to list.
#[derive(Debug, clap::Args)]
pub(crate) struct Games {
    /// Print JSON for other programs
    #[arg(long)]
    json: bool,
}

/// Runs the subcommand.
pub(crate) fn run(arguments: &Games, config: Option<&Path>) -> Result<Exit, Failure> {
    let games = look(config, |tx| tx.all_games())?;
    if arguments.json {
        let objects: Result<Vec<_>, _> =
            games.into_iter().map(|row| record(row).object()).collect();
        output::show_json(&objects.map_err(|error| fault(error.into()))?)?;
    } else {
        output::show(&games.iter().map(line).collect::<String>())?;
    }
    Ok(Exit::Done)
}

fn line(row: &GameRow) -> String {
    let game = &row.game;
    let (white, black) = (&game.white.name, &game.black.name);
    let state = match (game.ended, game.turn()) {
        (Some(ended), _) => format!("over since {}: {}", moment(ended.at), ending(&ended)),
        (None, Some(colour)) => format!(
            "waits for {} since {}",
            game.seat(colour).name,
            moment(game.turn_since())
        ),
        (None, None) => "over".to_owned(),
    };
    format!(
        "{:>5}  {white} - {black}  {} plies, {state}\n",
        game.number,
        game.plies().count()
    )
}
