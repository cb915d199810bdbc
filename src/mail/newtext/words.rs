//! Words that mail programs put over quotes, below mails and into forwards, in English, Czech, German, Ukrainian and
//! some more. A seed only: the rules that need no language stand beside them (MAIL-03). It knows no lines.

/// Verbs of the line over a quote.
pub(super) const WROTE: &[&str] = &[
    "wrote",
    "writes",
    "said",
    "napsal",
    "napsala",
    "napsal(a)",
    "napsal/a",
    "píše",
    "psal",
    "psala",
    "schrieb",
    "schreibt",
    "geschrieben",
    "пише",
    "писав",
    "писала",
    "написав",
    "написала",
    "написал",
    "написала(а)",
    "пишет",
    "a écrit",
    "écrit",
    "escribió",
    "scritto",
    "escreveu",
    "schreef",
    "skrev",
    "napisał",
    "napisała",
    "napísal",
    "napísala",
    "írta",
    "kirjoitti",
    "yazdı",
];

/// Months, by their beginnings.
pub(super) const MONTHS: &[&str] = &[
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec", // en
    "led", "únor", "břez", "dub", "květ", "červ", "srp", "září", "říj", "list", "pros", // cs
    "jän", "mär", "mai", "okt", "dez", // de
    "січ", "лют", "бер", "квіт", "трав", "черв", "лип", "серп", "вер", "жовт", "лист",
    "груд", // uk
    "янв", "фев", "мар", "апр", "май", "мая", "июн", "июл", "авг", "сен", "окт", "ноя",
    "дек", // ru
    "fév", "avr", "juin", "juil", "août", "déc", "ene", "abr", "ago", "dic", "gen", "mag", "giu",
    "lug", "set", "ott", // fr es it
];

/// Labels of the block over a quote.
pub(super) const LABELS: &[&str] = &[
    "from",
    "sent",
    "to",
    "cc",
    "bcc",
    "subject",
    "date",
    "reply-to",
    "importance",
    "attachments", // en
    "od",
    "odesláno",
    "komu",
    "kopie",
    "předmět",
    "datum",
    "odesílatel",
    "příjemce", // cs
    "von",
    "gesendet",
    "an",
    "betreff",
    "datum",
    "kopie",
    "gesendet am",
    "antwort an", // de
    "від",
    "від кого",
    "надіслано",
    "кому",
    "копія",
    "тема",
    "дата",
    "відправник",
    "відправлено", // uk
    "от",
    "отправлено",
    "от кого",
    "копия", // ru
    "de",
    "envoyé",
    "à",
    "objet",
    "enviado",
    "para",
    "asunto",
    "da",
    "inviato",
    "a",
    "oggetto",
    "wysłano",
    "do",
    "temat",
    "verzonden",
    "aan",
    "onderwerp",
    "fra",
    "sendt",
    "til",
    "emne",
    "från",
    "skickat",
    "till",
    "ämne",
    "odoslané",
    "predmet",
];

/// Labels of the author among them.
pub(super) const FROM: &[&str] = &[
    "from",
    "od",
    "odesílatel",
    "von",
    "від",
    "від кого",
    "відправник",
    "от",
    "от кого",
    "de",
    "da",
    "fra",
    "från",
];

/// Between dashes: what follows is the mail that is answered.
pub(super) const ORIGINAL: &[&str] = &[
    "original message",
    "original email",
    "original e-mail",
    "original mail",
    "original appointment",
    "reply message",
    "původní zpráva",
    "původní e-mail",
    "původní email",
    "původní mail",
    "ursprüngliche nachricht",
    "ursprüngliche mail",
    "originalnachricht",
    "original-nachricht",
    "original nachricht",
    "оригінальне повідомлення",
    "вихідне повідомлення",
    "початкове повідомлення",
    "первинне повідомлення",
    "исходное сообщение",
    "оригинальное сообщение",
    "message d'origine",
    "mensaje original",
    "messaggio originale",
    "mensagem original",
    "oorspronkelijk bericht",
    "oprindelig meddelelse",
    "ursprungligt meddelande",
    "wiadomość oryginalna",
    "pôvodná správa",
];

/// What stands over a forwarded mail, between dashes or alone with a colon.
pub(super) const FORWARDED: &[&str] = &[
    "forwarded message",
    "begin forwarded message",
    "forwarded mail",
    "forwarded by",
    "přeposlaná zpráva",
    "přeposlaný e-mail",
    "začátek přeposlané zprávy",
    "předaná zpráva",
    "weitergeleitete nachricht",
    "anfang der weitergeleiteten nachricht",
    "weitergeleitete e-mail",
    "переслане повідомлення",
    "початок листа, що пересилається",
    "початок пересланого листа",
    "переслано",
    "пересылаемое сообщение",
    "пересланное сообщение",
    "message transféré",
    "mensaje reenviado",
    "messaggio inoltrato",
    "doorgestuurd bericht",
    "preposlaná správa",
];

/// Beginnings of the line that a phone adds.
pub(super) const PHONE: &[&str] = &[
    "sent from ",
    "sent via ",
    "sent with ",
    "get outlook for ",
    "get bluemail for ",
    "sent by my ",
    "odesláno z ",
    "odesláno ze ",
    "odesláno pomocí ",
    "posláno z ",
    "získat outlook ",
    "získejte outlook ",
    "von meinem ",
    "gesendet von ",
    "gesendet mit ",
    "von yahoo mail ",
    "holen sie sich outlook ",
    "outlook für ",
    "outlook for ",
    "diese nachricht wurde von meinem ",
    "von outlook für ",
    "mit der web.de mail ",
    "mit der gmx mail ",
    "надіслано з ",
    "надіслано із ",
    "відправлено з ",
    "відправлено із ",
    "отримати outlook ",
    "отримайте outlook ",
    "отправлено с ",
    "отправлено из ",
    "envoyé de mon ",
    "enviado desde mi ",
    "inviato da ",
    "verzonden vanaf ",
    "wysłano z ",
    "yahoo mail for ",
    "yahoo mail: ",
];

/// Whether the text has one of the words, in lower case, standing by itself.
pub(super) fn has_word(lower: &str, words: &[&str]) -> bool {
    words.iter().any(|word| {
        lower.match_indices(word).any(|(at, _)| {
            let before = lower.get(..at).and_then(|s| s.chars().next_back());
            let after = lower.get(at + word.len()..).and_then(|s| s.chars().next());
            !before.is_some_and(char::is_alphanumeric) && !after.is_some_and(char::is_alphanumeric)
        })
    })
}
