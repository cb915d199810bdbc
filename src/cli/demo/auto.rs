//! `demo --auto`: both sides play a whole game by themselves.

use std::io::IsTerminal;
use std::time::Duration;

use crate::cli::demo::table::Table;
use crate::cli::demo::{show_end, show_newest};
use crate::cli::exit::Failure;
use crate::cli::output;
use crate::dvonn::Move;

/// Time to read a letter.
const READING: Duration = Duration::from_millis(1500);

/// Plays to the end. The same game every time: nobody needs luck to see how the club writes.
pub(crate) fn play(table: &mut Table) -> Result<(), Failure> {
    let mut taste = 7_u32;
    loop {
        let player = table.whose_turn()?;
        show_newest(table, player)?;
        let line = match table.game()? {
            None => "accept".to_owned(),
            Some(game) => {
                let moves: Vec<Move> = game.position.legal_moves().collect();
                taste = taste.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let choice = usize::try_from(taste >> 16).unwrap_or_default() % moves.len().max(1);
                match moves.get(choice) {
                    Some(mv) => mv.to_string(),
                    None => return Err(Failure::no("the game goes on, but no move is open")),
                }
            }
        };
        if std::io::stdout().is_terminal() {
            std::thread::sleep(READING);
        }
        output::show(&format!("\n{} answers> {line}\n", player.name()))?;
        table.answer(player, &line)?;
        if table.is_over()? {
            return show_end(table);
        }
    }
}
