//! Runs a script: writes its mails, and compares what comes out with what must.

use chrono::Duration;
use dvonn_post::club::game::EndedBy;
use dvonn_post::mail::address::Address;

use super::letters::{CLUB, Letter, folded};
use super::script::{Expected, Mail, Person, Step, parse};
use super::world::{SERVER, World};

/// Runs a script; the error names the line.
pub fn run(name: &str, text: &str) -> Result<(), String> {
    let steps = parse(text)?;
    let mut world = World::new();
    for (line, step) in steps {
        one(&mut world, name, &step).map_err(|why| {
            if why.starts_with(|c: char| c.is_ascii_digit()) {
                why
            } else {
                format!("{line}: {why}")
            }
        })?;
    }
    Ok(())
}

fn one(world: &mut World, name: &str, step: &Step) -> Result<(), String> {
    match step {
        Step::Setting(setting) => world.set(setting),
        Step::Member(person) => world.member(person),
        Step::Game {
            white,
            black,
            start: Some(start),
        } => world.begin(white, black, start),
        Step::Game { white, black, .. } => begin_by_mail(world, white, black),
        Step::Plays(game, plies) => plays(world, *game, plies),
        Step::Passes(at, letters) => {
            world.now = *at;
            let new = world.pass_time()?;
            compare(world, name, new, letters)
        }
        Step::Mail(mail) => {
            if mail.at < world.now {
                return Err("goes back in time".to_owned());
            }
            world.now = mail.at;
            let (verdict, new) = send(world, mail)?;
            let letters = compare(world, name, new, &mail.letters);
            if verdict != mail.verdict && !verdict.starts_with(&format!("{} ", mail.verdict)) {
                return Err(format!(
                    "the verdict is {verdict}, not {}\n{}",
                    mail.verdict,
                    shown(world, new)
                ));
            }
            letters
        }
        Step::State(state) => check(world, state),
    }
}

/// Writes a mail and gives the verdict on it, and how many letters it caused.
fn send(world: &mut World, mail: &Mail) -> Result<(String, usize), String> {
    let raw = match (mail.option("again"), mail.option("feed")) {
        (Some("traced"), _) => {
            let mut raw = b"Received: from a by b; later\r\nDelivered-To: x@y.example\r\n".to_vec();
            raw.extend_from_slice(&world.last_raw);
            raw
        }
        (Some(_), _) => world.last_raw.clone(),
        (_, Some(which)) => world.letter(which, &mail.from.address)?.raw.clone(),
        _ => match mail.option("raw") {
            Some(raw) => raw.as_bytes().to_vec(),
            None => written(world, mail)?,
        },
    };
    let (verdict, new) = world.take(&raw, mail.says("junk", "yes"))?;
    let verdict = verdict.map_or("known".to_owned(), |verdict| {
        format!("{} {}", verdict.state.word(), verdict.reason)
            .trim_end()
            .to_owned()
    });
    Ok((verdict, new))
}

fn written(world: &mut World, mail: &Mail) -> Result<Vec<u8>, String> {
    world.mails += 1;
    let from = &mail.from.address;
    let letter: Option<&Letter> = mail
        .option("re")
        .map(|which| world.letter(which, from))
        .transpose()?;
    let filled = |text: &str| fill(world, text, from);
    let mut head = Vec::new();
    if !mail.dmarc.is_empty() {
        let domain = from.rsplit('@').next().unwrap_or_default();
        head.push(format!(
            "Authentication-Results: {SERVER}; dmarc={} header.from={domain}",
            mail.dmarc
        ));
    }
    for (_, header) in mail.options.iter().filter(|(key, _)| key == "header") {
        head.push(filled(header)?);
    }
    head.push(format!("From: {} <{from}>", mail.from.name));
    head.push(format!(
        "To: {}",
        filled(mail.option("to").unwrap_or(CLUB))?
    ));
    let subject = match (mail.option("subject"), letter) {
        (Some(subject), _) => filled(subject)?,
        (None, Some(letter)) => format!("Re: {}", letter.subject),
        (None, None) => "Hello".to_owned(),
    };
    head.push(format!("Subject: {subject}"));
    if !mail.says("id", "none") {
        head.push(format!("Message-ID: <{}@mail.example>", world.mails));
    }
    if let Some(letter) = letter.filter(|_| !mail.says("threads", "no")) {
        head.push(format!("In-Reply-To: <{}>", letter.id));
        head.push(format!("References: <{}>", letter.id));
    }
    head.push("Content-Type: text/plain; charset=utf-8".to_owned());
    let mut body = Vec::new();
    for line in &mail.body {
        body.push(filled(line)?);
    }
    if let Some(letter) = letter.filter(|_| !mail.says("quote", "no")) {
        body.push(String::new());
        body.push("On Tuesday Test Club <dvonn@club.example> wrote:".to_owned());
        body.extend(letter.text.lines().map(|line| format!("> {line}")));
    }
    Ok(format!("{}\r\n\r\n{}\r\n", head.join("\r\n"), body.join("\r\n")).into_bytes())
}

/// Puts in what letters carried: `{token LETTER}`, `{plus LETTER}`, `{id LETTER}`.
fn fill(world: &World, text: &str, from: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        let (inside, behind) = after.split_once('}').ok_or("an open brace")?;
        let (what, which) = inside.split_once(' ').ok_or("an odd brace")?;
        out.push_str(before);
        if what == "times" {
            let (count, line) = which.split_once(' ').ok_or("an odd brace")?;
            let count = count.parse().map_err(|_| "no number")?;
            out.push_str(&vec![line; count].join("\r\n"));
        } else {
            let letter = world.letter(which, from)?;
            out.push_str(&match what {
                "token" => letter.token.clone(),
                "plus" => letter.plus(),
                "id" => letter.id.clone(),
                _ => return Err("an odd brace".to_owned()),
            });
        }
        rest = behind;
    }
    out.push_str(rest);
    Ok(out)
}

fn compare(world: &World, name: &str, new: usize, expected: &[Expected]) -> Result<(), String> {
    let letters = world.letters.get(world.letters.len() - new..).unwrap();
    let to: Vec<&str> = letters.iter().map(|l| l.to.as_str()).collect();
    let wanted: Vec<&str> = expected.iter().map(|e| e.to.as_str()).collect();
    if to != wanted {
        return Err(format!(
            "letters go to {to:?}, not {wanted:?}\n{}",
            shown(world, new)
        ));
    }
    for (letter, expected) in letters.iter().zip(expected) {
        let text = letter.folded();
        for (line, wanted) in &expected.contains {
            if !text.contains(&folded(&fill(world, wanted, &letter.to)?)) {
                return Err(format!("{line}: not said: {wanted}\n{}", letter.text));
            }
        }
        let html = letter.html();
        for (line, unwanted) in &expected.lacks {
            let unwanted = fill(world, unwanted, &letter.to)?;
            if text.contains(&folded(&unwanted)) || html.contains(&unwanted) {
                return Err(format!("{line}: said: {unwanted}\n{}", letter.text));
            }
        }
        if let Some(snapshot) = &expected.snapshot {
            let masked = letter.text.replace(&letter.token, "TOKEN");
            let whole = format!("Subject: {}\n\n{masked}", letter.subject);
            insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
                insta::assert_snapshot!(format!("{name}_{snapshot}"), whole);
            });
        }
    }
    Ok(())
}

fn shown(world: &World, new: usize) -> String {
    let letters = world.letters.iter().rev().take(new).rev();
    letters
        .map(|l| format!("--- to {}: {}\n{}\n", l.to, l.subject, l.text))
        .collect()
}

fn quick(world: &mut World, from: &Person, dmarc: &str, re: Option<&str>, line: &str) -> Mail {
    world.now += Duration::minutes(1);
    Mail {
        at: world.now,
        from: from.clone(),
        dmarc: dmarc.to_owned(),
        options: re
            .map(|re| ("re".to_owned(), re.to_owned()))
            .into_iter()
            .collect(),
        body: vec![line.to_owned()],
        verdict: "done".to_owned(),
        letters: Vec::new(),
    }
}

fn done(world: &mut World, mail: &Mail) -> Result<usize, String> {
    let (verdict, new) = send(world, mail)?;
    if verdict == "done" {
        Ok(new)
    } else {
        Err(format!("{}: {verdict}", mail.body.join(" ")))
    }
}

fn begin_by_mail(world: &mut World, white: &str, black: &str) -> Result<(), String> {
    let (white, black) = (world.person(white)?, world.person(black)?);
    let line = format!("challenge {} white", black.address);
    let mail = quick(world, &white, "pass", None, &line);
    done(world, &mail)?;
    let mail = quick(world, &black, "", Some("latest"), "accept");
    match done(world, &mail)? {
        2 => Ok(()),
        _ => Err("the game does not begin".to_owned()),
    }
}

/// Whoever is to move answers the latest letter of the game; both get a letter each time. A pass comes by itself.
fn plays(world: &mut World, number: u32, plies: &[String]) -> Result<(), String> {
    for ply in plies.iter().filter(|ply| *ply != "pass") {
        let game = game(world, number)?;
        let to_move = game.turn().ok_or("the game is over")?;
        let mover = world.person(&game.seat(to_move).name)?;
        let which = format!("latest about {number}");
        let mail = if world.letter(&which, &mover.address).is_ok() {
            quick(world, &mover, "", Some(&which), ply)
        } else {
            quick(world, &mover, "pass", None, &format!("{number}: {ply}"))
        };
        if done(world, &mail)? != 2 {
            return Err(format!("{ply} was not played\n{}", shown(world, 2)));
        }
    }
    Ok(())
}

fn game(world: &mut World, number: u32) -> Result<dvonn_post::club::game::Game, String> {
    world
        .store
        .read(|tx| tx.game(number))
        .map_err(|why| format!("{why:#}"))?
        .ok_or_else(|| format!("there is no game {number}"))
}

/// Compares what the club remembers.
fn check(world: &mut World, state: &str) -> Result<(), String> {
    let (found, wanted) = match state.split_once(':') {
        Some((what, wanted)) => (remembered(world, what.trim())?, wanted.trim().to_owned()),
        None => {
            let (what, wanted) = state.rsplit_once(' ').ok_or("an odd state")?;
            (remembered(world, what)?, wanted.to_owned())
        }
    };
    if found == wanted {
        Ok(())
    } else {
        Err(format!("{state}, but it is {found}"))
    }
}

fn remembered(world: &mut World, what: &str) -> Result<String, String> {
    let words: Vec<&str> = what.split_whitespace().collect();
    let number = |text: &str| text.parse::<u32>().map_err(|_| "no number".to_owned());
    match words.as_slice() {
        ["game", n] => {
            let game = game(world, number(n)?)?;
            Ok(game
                .plies()
                .map(|ply| ply.to_string())
                .collect::<Vec<_>>()
                .join(" "))
        }
        ["game", n, "over"] => {
            let game = game(world, number(n)?)?;
            let (white, black) = game.score();
            Ok(game.ended.map_or("no".to_owned(), |ended| {
                let by = match ended.by {
                    EndedBy::Score => format!("{white} to {black}"),
                    EndedBy::Resignation => "resignation".to_owned(),
                };
                format!("{} {by}", ended.result)
            }))
        }
        ["game", n, "serial"] => Ok(game(world, number(n)?)?.serial().to_string()),
        ["games"] => read(world, |tx| Ok(tx.all_games()?.len().to_string())),
        ["members"] => read(world, |tx| {
            let names: Vec<String> = tx.members()?.into_iter().map(|p| p.name).collect();
            Ok(names.join(", "))
        }),
        ["challenge", n] => {
            let n = number(n)?;
            read(world, |tx| {
                Ok(tx.challenge(n)?.map_or("none".to_owned(), |c| {
                    format!("{:?}", c.state).to_lowercase()
                }))
            })
        }
        ["writes", address] => {
            let key = Address::parse(address).map_err(|_| "no address")?.key();
            read(world, |tx| {
                Ok(tx
                    .player_by_address(&key)?
                    .map_or("nobody".to_owned(), |player| player.name))
            })
        }
        _ => Err(format!("{what} is nothing that is remembered")),
    }
}

fn read(
    world: &mut World,
    look: impl FnOnce(&dvonn_post::store::Tx<'_>) -> anyhow::Result<String>,
) -> Result<String, String> {
    world.store.read(look).map_err(|why| format!("{why:#}"))
}
