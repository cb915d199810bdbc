//! A game as one of its players sees it in a letter: the board, what is new, and which other games wait.

use crate::club::decision::{GameNews, Show};
use crate::club::game::Game;
use crate::club::notice::{About, Begun, BoardView, OverView, Part, PlyNews, Waiting};
use crate::club::player::PlayerId;
use crate::club::tell::Sitting;
use crate::dvonn::Colour;

/// What a letter to one of the players is about.
pub(super) fn about(game: &Game, reader: PlayerId) -> About {
    About::Game {
        game: game.number,
        serial: game.serial(),
        seat: game.seat_of(reader).unwrap_or(Colour::White),
        white: game.white.name.clone(),
        black: game.black.name.clone(),
    }
}

/// The board, or the end where the game is over.
pub(super) fn board_part(show: &Show, news: Option<&GameNews>, reader: &Sitting) -> Part {
    let board = board_view(show, news, reader);
    match show.game.ended {
        None => Part::Board(Box::new(board)),
        Some(ended) => Part::Over(Box::new(OverView {
            board,
            result: ended.result,
            by: ended.by,
            history: show.game.history(),
            started: show.game.started,
            ended: ended.at,
        })),
    }
}

fn board_view(show: &Show, news: Option<&GameNews>, reader: &Sitting) -> BoardView {
    let game = &show.game;
    let plies: Vec<PlyNews> = news.map(|news| news.plies.clone()).unwrap_or_default();
    let begun = news.filter(|news| news.begun).map(|_| Begun {
        setup: game.setup,
        draw: game.draw.clone(),
    });
    BoardView {
        game: game.number,
        white: game.white.name.clone(),
        black: game.black.name.clone(),
        seat: game.seat_of(reader.player.id).unwrap_or(Colour::White),
        position: game.position,
        ply: u32::try_from(game.plies().count()).unwrap_or(u32::MAX),
        last: game.last_marks(),
        news: plies,
        begun,
        all_moves: show.all_moves,
        waiting: waiting(game.number, reader),
    }
}

fn waiting(shown: u32, reader: &Sitting) -> Option<Waiting> {
    let me = reader.player.id;
    let mut games: Vec<&Game> = reader
        .running
        .iter()
        .filter(|game| game.number != shown && game.is_turn_of(me))
        .collect();
    games.sort_by_key(|game| (game.turn_since(), game.number));
    let next = games.first()?;
    Some(Waiting {
        next: next.number,
        opponent: next.opponent_of(me).name.clone(),
        count: u32::try_from(games.len()).unwrap_or(u32::MAX),
        since: next.turn_since(),
    })
}
