//! Deciding: from a member's command and the desk to what is saved and told.

use crate::club::decision::Decision;
use crate::club::desk::Desk;
use crate::club::notice::Done;
use crate::club::refusal::Refusal;
use crate::club::which::Context;
use crate::club::{invite, member, offer, pages, play};
use crate::command::Command;

/// Decides what a command of the member at the desk comes to. `line` is the game that its line names.
///
/// # Errors
/// The rule or circumstance that forbids it, with the facts that the answer needs.
pub fn decide(
    desk: &Desk,
    context: &Context,
    line: Option<u32>,
    command: &Command,
) -> Result<Decision, Refusal> {
    match command {
        Command::Play(mv) => play::play(desk, context, line, *mv),
        Command::Resign => play::resign(desk, context, line),
        Command::Challenge { who, terms } => invite::challenge(desk, context, who, terms),
        Command::Open(terms) => invite::open(desk, context, terms),
        Command::Accept(number) => offer::accept(desk, context, number.or(line)),
        Command::Decline(number) => offer::decline(desk, context, number.or(line)),
        Command::Withdraw(number) => offer::withdraw(desk, context, number.or(line)),
        Command::List => Ok(pages::list(desk, context)),
        Command::Show(number) => pages::show(desk, context, line, *number),
        Command::Moves => pages::moves(desk, context, line),
        Command::History(number) => pages::history(desk, context, line, *number),
        Command::Say(text) => member::say(desk, context, line, text),
        Command::Name(wish) => member::rename(desk, wish),
        Command::Players => Ok(pages::players(desk)),
        Command::Help(verb) => Ok(pages::help(*verb)),
        Command::Rules => Ok(pages::rules()),
        Command::Join => Ok(Decision::only(Done::MemberAlready {
            name: desk.me.name.clone(),
        })),
        Command::Yes | Command::No => Err(Refusal::NothingAsked),
        Command::Stop => Ok(member::stop(desk, context)),
    }
}
