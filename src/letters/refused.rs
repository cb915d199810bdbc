//! Commands that can be read and may not be carried out: the fact, and what to do next.

use super::voice::{Facts, Voice};
use super::{clean, illegal, report};
use crate::club::refusal::{BadName, Refusal};
use crate::command::Verb;
use crate::dvonn::{Phase, Ply};

/// The sentences for a refusal; `line` is what was asked, clean.
pub(super) fn sentences(voice: &Voice<'_>, refusal: &Refusal, line: &str) -> Vec<String> {
    let say = |key: &str, facts: &Facts<'_>| vec![voice.say(key, facts)];
    match refusal {
        Refusal::Illegal { game, why } => illegal::sentences(voice, *game, why),
        Refusal::WrongPhase { game, phase } => {
            let key = match phase {
                Phase::Placing => "refused-placing",
                Phase::Stacking => "refused-stacking",
                Phase::Over => "refused-game-over",
            };
            say(key, &[("game", (*game).into()), ("line", line.into())])
        }
        Refusal::NotYourTurn { game, waits_for } => say(
            "refused-not-your-turn",
            &[
                ("game", (*game).into()),
                ("line", line.into()),
                ("name", clean::line(waits_for).into()),
            ],
        ),
        Refusal::InvitedAlready { name, number } => say(
            "refused-invited-already",
            &[
                ("name", clean::line(name).into()),
                ("number", (*number).into()),
            ],
        ),
        Refusal::WhoseMessage => say("refused-whose-message", &[]),
        Refusal::GameOver { game } => say(
            "refused-game-over",
            &[("game", (*game).into()), ("line", line.into())],
        ),
        Refusal::OldBoard { game, since } => old_board(voice, *game, since, line),
        Refusal::TwoMoves { game } => say("refused-two-moves", &[("game", (*game).into())]),
        Refusal::WhichGame { candidates, verb } => {
            let mut sentences = say(
                "refused-which-game",
                &[("games", candidates_of(voice, candidates).into())],
            );
            let example = candidates.first().map_or(0, |(number, _)| *number);
            let asked = if line.is_empty() { verb.word() } else { line };
            sentences.push(voice.say(
                "refused-which-game-how",
                &[("number", example.into()), ("line", asked.into())],
            ));
            sentences
        }
        Refusal::NoGame { verb } => say("refused-no-game", &[("verb", verb.word().into())]),
        Refusal::NotYours { number } => say("refused-not-yours", &[("number", (*number).into())]),
        Refusal::WhichChallenge { candidates, verb } => {
            let mut sentences = say(
                "refused-which-challenge",
                &[("challenges", candidates_of(voice, candidates).into())],
            );
            let example = candidates.first().map_or(0, |(number, _)| *number);
            let facts = [("number", example.into()), ("verb", verb.word().into())];
            sentences.push(voice.say("refused-which-challenge-how", &facts));
            sentences
        }
        Refusal::NoChallenge { verb } => {
            say("refused-no-challenge", &[("verb", verb.word().into())])
        }
        Refusal::ChallengeGone { number } => {
            say("refused-challenge-gone", &[("number", (*number).into())])
        }
        Refusal::OwnChallenge { number } => say(
            "refused-own-challenge",
            &[
                ("number", (*number).into()),
                ("withdraw", Verb::Withdraw.word().into()),
            ],
        ),
        Refusal::Yourself => say("refused-yourself", &[]),
        Refusal::NobodyCalled { name, nearest } => {
            let mut sentences = say(
                "refused-nobody-called",
                &[("name", clean::line(name).into())],
            );
            sentences.push(match nearest {
                Some(nearest) => {
                    let facts = [
                        ("name", clean::line(nearest).into()),
                        ("command", report::invite(nearest).into()),
                    ];
                    voice.say("refused-nearest", &facts)
                }
                None => voice.word("refused-see-players"),
            });
            sentences
        }
        Refusal::SeveralCalled { names } => {
            let names: Vec<String> = names.iter().map(|name| clean::line(name)).collect();
            let example = names
                .first()
                .map(|name| report::invite(name))
                .unwrap_or_default();
            say(
                "refused-several-called",
                &[
                    ("names", voice.list(names).into()),
                    ("command", example.into()),
                ],
            )
        }
        Refusal::NoMailThere { who } => say(
            "refused-no-mail-there",
            &[("name", clean::line(who).into())],
        ),
        Refusal::InvitedLately { address } => say(
            "refused-invited-lately",
            &[("address", clean::line(address).into())],
        ),
        Refusal::NoPersonThere { address } => say(
            "refused-no-person-there",
            &[("address", clean::line(address).into())],
        ),
        Refusal::TooManyInvitations { limit } => say(
            "refused-too-many-invitations",
            &[("limit", (*limit).into())],
        ),
        Refusal::TooManyGames { name, limit } => say(
            "refused-too-many-games",
            &[
                ("name", clean::line(name).into()),
                ("limit", (*limit).into()),
            ],
        ),
        Refusal::BadName { name, why } => bad_name(voice, name, *why),
        Refusal::NothingAsked => say("refused-nothing-asked", &[]),
        Refusal::NothingSaid => say("refused-nothing-said", &[]),
    }
}

fn old_board(voice: &Voice<'_>, game: u32, since: &[Ply], line: &str) -> Vec<String> {
    let mut sentences = vec![voice.say(
        "refused-old-board",
        &[("game", game.into()), ("line", line.into())],
    )];
    if !since.is_empty() {
        sentences.push(voice.say(
            "refused-old-board-since",
            &[("plies", voice.list(since).into())],
        ));
    }
    sentences
}

/// "12 with Ben, 15 with David".
fn candidates_of(voice: &Voice<'_>, candidates: &[(u32, String)]) -> String {
    voice.list(candidates.iter().map(|(number, name)| {
        voice.say(
            "refused-candidate",
            &[
                ("number", (*number).into()),
                ("name", clean::line(name).into()),
            ],
        )
    }))
}

fn bad_name(voice: &Voice<'_>, name: &str, why: BadName) -> Vec<String> {
    let key = match why {
        BadName::Empty => "refused-name-empty",
        BadName::TooLong => "refused-name-too-long",
        BadName::Address => "refused-name-address",
        BadName::Reserved => "refused-name-reserved",
    };
    vec![voice.say(key, &[("name", clean::line(name).into())])]
}
