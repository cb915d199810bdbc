//! The token: proof that a mail answers a letter of ours. An HMAC over kind, number and serial under the club's
//! secret, in the text form `12.57.w.k3x9q2m7ab4tzz2c`. It knows nothing of what a number or a serial means; who
//! verifies it decides what it proves ("Proof of who writes" in the contract).

use std::fmt;
use std::str::FromStr;

use data_encoding::{BASE32_NOPAD, Encoding, Specification};
use ring::hmac;
use std::sync::OnceLock;

/// Bytes of the HMAC that a token carries: 80 bits, 16 characters of base32.
const MAC_BYTES: usize = 10;
const MAC_CHARS: usize = 16;
/// Separates these HMACs from anything else that is ever made with the same secret.
const DOMAIN: &[u8] = b"dvonn-post token 1\0";
/// The same for lots.
const LOTS: &[u8] = b"dvonn-post lots 1\0";

/// What a letter was about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum TokenKind {
    /// `w`: White's seat in a game.
    White,
    /// `b`: Black's seat in a game.
    Black,
    /// `q`: a question of the club.
    Question,
    /// `i`: an invitation or challenge.
    Invitation,
    /// `m`: a letter to a member that is about no game.
    Member,
}

impl TokenKind {
    /// Its letter in the text form.
    pub fn letter(self) -> char {
        match self {
            TokenKind::White => 'w',
            TokenKind::Black => 'b',
            TokenKind::Question => 'q',
            TokenKind::Invitation => 'i',
            TokenKind::Member => 'm',
        }
    }

    /// The kind with this letter.
    pub fn from_letter(letter: &str) -> Option<TokenKind> {
        Some(match letter {
            "w" | "W" => TokenKind::White,
            "b" | "B" => TokenKind::Black,
            "q" | "Q" => TokenKind::Question,
            "i" | "I" => TokenKind::Invitation,
            "m" | "M" => TokenKind::Member,
            _ => return None,
        })
    }
}

/// A token as it was made or read. One that was read proves nothing before [`Secret::verify`] says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token {
    /// Number of the game, question, challenge or member.
    pub number: u32,
    /// Serial of the state that the letter showed.
    pub serial: u32,
    /// What the letter was about.
    pub kind: TokenKind,
    mac: [u8; MAC_BYTES],
}

/// A text that has not the shape of a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not a token")]
pub struct NotAToken;

/// The club's secret. Whoever has it can speak for every player, so it is never shown, not even by `Debug`.
pub struct Secret(hmac::Key);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Secret {
    /// From at least 32 random bytes that the caller keeps.
    pub fn new(bytes: &[u8]) -> Secret {
        Secret(hmac::Key::new(hmac::HMAC_SHA256, bytes))
    }

    /// The n-th secret number that is drawn for a mail of that digest. Nobody without the secret can foresee it, and it is
    /// the same whenever that mail is read.
    pub fn lot(&self, digest: &[u8; 32], n: u32) -> [u8; 32] {
        let mut message = LOTS.to_vec();
        message.extend_from_slice(digest);
        message.extend_from_slice(&n.to_be_bytes());
        let tag = hmac::sign(&self.0, &message);
        let mut lot = [0; 32];
        for (to, from) in lot.iter_mut().zip(tag.as_ref()) {
            *to = *from;
        }
        lot
    }

    /// The token of a letter.
    pub fn token(&self, number: u32, serial: u32, kind: TokenKind) -> Token {
        let tag = hmac::sign(&self.0, &message(number, serial, kind));
        let mut mac = [0; MAC_BYTES];
        for (to, from) in mac.iter_mut().zip(tag.as_ref()) {
            *to = *from;
        }
        Token {
            number,
            serial,
            kind,
            mac,
        }
    }

    /// Whether this club made the token. Takes the same time for every wrong one.
    pub fn verify(&self, token: &Token) -> bool {
        let right = self.token(token.number, token.serial, token.kind);
        let mut difference = 0;
        for (a, b) in right.mac.iter().zip(&token.mac) {
            difference |= std::hint::black_box(a ^ b);
        }
        difference == 0
    }
}

/// What is signed: every field has a fixed length, so no two tokens share a message.
fn message(number: u32, serial: u32, kind: TokenKind) -> Vec<u8> {
    let mut message = DOMAIN.to_vec();
    message.push(kind.letter() as u8);
    message.extend_from_slice(&number.to_be_bytes());
    message.extend_from_slice(&serial.to_be_bytes());
    message
}

/// Lower-case base32 of RFC 4648, read in any case: some mail programs shout addresses.
fn base32() -> &'static Encoding {
    static BASE32: OnceLock<Encoding> = OnceLock::new();
    BASE32.get_or_init(|| {
        let mut spec = Specification::new();
        spec.symbols.push_str("abcdefghijklmnopqrstuvwxyz234567");
        spec.translate.from.push_str("ABCDEFGHIJKLMNOPQRSTUVWXYZ");
        spec.translate.to.push_str("abcdefghijklmnopqrstuvwxyz");
        spec.encoding().unwrap_or(BASE32_NOPAD)
    })
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}.{}.{}.{}",
            self.number,
            self.serial,
            self.kind.letter(),
            base32().encode(&self.mac)
        )
    }
}

impl FromStr for Token {
    type Err = NotAToken;

    /// Accepts exactly what [`Token`]'s `Display` writes, in any case: no signs, no leading zeros, nothing around it.
    fn from_str(text: &str) -> Result<Token, NotAToken> {
        let mut fields = text.split('.');
        let mut field = || fields.next().ok_or(NotAToken);
        let (number, serial, kind, mac) = (field()?, field()?, field()?, field()?);
        if fields.next().is_some() || mac.len() != MAC_CHARS {
            return Err(NotAToken);
        }
        let bytes = base32().decode(mac.as_bytes()).map_err(|_| NotAToken)?;
        Ok(Token {
            number: digits(number)?,
            serial: digits(serial)?,
            kind: TokenKind::from_letter(kind).ok_or(NotAToken)?,
            mac: bytes.try_into().map_err(|_| NotAToken)?,
        })
    }
}

fn digits(text: &str) -> Result<u32, NotAToken> {
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    if plain {
        text.parse().map_err(|_| NotAToken)
    } else {
        Err(NotAToken)
    }
}

/// Whether a text holds something that has, more or less, the shape of a token.
pub(crate) fn looks_like(text: &str) -> bool {
    let number = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    // Whatever stands glued before the number: `%2B12.57.w.…`, `abc12.57.w.…`.
    let ends_in_number = |t: &str| t.bytes().last().is_some_and(|b| b.is_ascii_digit());
    windows(text).any(|[a, b, kind, mac]| {
        ends_in_number(a)
            && number(b)
            && TokenKind::from_letter(kind).is_some()
            && mac.len() >= MAC_CHARS / 2
    })
}

/// Every four neighbours among fields that are joined by dots.
fn windows(text: &str) -> impl Iterator<Item = [&str; 4]> {
    let runs = text.split(|c: char| !c.is_ascii_alphanumeric() && c != '.');
    runs.flat_map(|run| {
        let at = |skip: usize| run.split('.').skip(skip);
        at(0)
            .zip(at(1))
            .zip(at(2))
            .zip(at(3))
            .map(|(((a, b), c), d)| [a, b, c, d])
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn secret() -> Secret {
        Secret::new(&[7; 32])
    }

    #[test]
    fn a_token_reads_back_and_proves_itself_in_any_case() {
        let token = secret().token(12, 57, TokenKind::White);
        let text = token.to_string();
        assert!(
            text.starts_with("12.57.w.") && text.len() == 24 && text == text.to_lowercase(),
            "{text}"
        );
        let again: Token = text.to_uppercase().parse().unwrap();
        assert!(again == token && secret().verify(&again));
        assert!(!Secret::new(&[8; 32]).verify(&again));
    }

    #[test]
    fn a_changed_token_proves_nothing() {
        let token = secret().token(12, 57, TokenKind::White);
        for other in [
            Token {
                number: 13,
                ..token
            },
            Token {
                serial: 58,
                ..token
            },
            Token {
                kind: TokenKind::Black,
                ..token
            },
            Token {
                mac: [0; MAC_BYTES],
                ..token
            },
            // 1.12 must not be taken for 11.2.
            Token {
                number: 1,
                serial: 257,
                ..token
            },
        ] {
            assert!(!secret().verify(&other), "{other}");
        }
    }

    #[test]
    fn nothing_else_has_the_shape_of_a_token() {
        for text in [
            "",
            "g12.m31.9f3kq2x7",
            "12.57.w",
            "12.57.w.abc",
            "012.57.w.aaaaaaaaaaaaaaaa",
            "+12.57.w.aaaaaaaaaaaaaaaa",
            "12.57.x.aaaaaaaaaaaaaaaa",
            "12.57.w.aaaaaaaaaaaaaaa1",
            "12.57.w.aaaaaaaaaaaaaaaa.L1",
            " 12.57.w.aaaaaaaaaaaaaaaa",
            "99999999999.1.w.aaaaaaaaaaaaaaaa",
            "12.57.white.aaaaaaaaaaaaaaaa",
        ] {
            assert!(text.parse::<Token>().is_err(), "{text}");
        }
        assert!("0.0.m.aaaaaaaaaaaaaaaa".parse::<Token>().is_ok());
    }

    #[test]
    fn the_shape_is_seen_inside_addresses_ids_and_lines() {
        let token = secret().token(12, 57, TokenKind::White);
        for text in [
            format!("ref:{token}"),
            format!("<dvonn+{token}@club.example>"),
            format!("1.{token}.L7@club.example"),
        ] {
            assert!(looks_like(&text), "{text}");
        }
        assert!(looks_like("x 12.57.w.9f3kq2x7ab") && !looks_like("1.2.3 b3.c3 12.30.w.x"));
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn every_text_is_a_token_or_none(text in "\\PC{0,40}|[0-9.wbqim]{0,10}\\.[a-z2-7]{16}") {
            if let Ok(token) = text.parse::<Token>() {
                prop_assert_eq!(token.to_string(), text.to_lowercase());
                prop_assert!(!secret().verify(&token));
            }
        }
    }
}
