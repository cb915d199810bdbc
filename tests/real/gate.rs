//! A gate in front of a server, which can hold an answer back: so a moment between two steps can be as long as a test
//! needs it.
//!
//! Knows answers of IMAP and SMTP by what a line of theirs holds; refuses to change one.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::common::eventually;

/// What the server says when it has taken a mail, and with it the whole responsibility.
pub const TAKEN: &str = "250 2.0.0 Ok: queued";

/// What it says to MAIL, before anything of the mail was handed over.
pub const SENDER: &str = "250 2.1.0";

/// What it says to DATA: nothing of the mail but its envelope was handed over.
pub const CONTENT: &str = "354 ";

/// What the mailbox says when a mail is handed out.
pub const HANDED_OUT: &str = " BODY[] {";

/// What the mailbox says when a mail is put away.
pub const MOVED: &str = "* OK [COPYUID ";

/// The gate. Its connections and threads end with those who use it.
pub struct Gate {
    pub port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Lines that hold this are held back, with all that follows.
    hold: Option<&'static str>,
    held: usize,
    open: Vec<TcpStream>,
}

impl Gate {
    /// Opens one to a port of this machine.
    pub fn to(port: u16) -> Gate {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let gate = Gate {
            port: listener.local_addr().unwrap().port(),
            state: Arc::default(),
        };
        let state = gate.state.clone();
        thread::spawn(move || {
            for client in listener.incoming() {
                let client = client.unwrap();
                // Where there is no server, there is no connection.
                let Ok(server) = TcpStream::connect(("127.0.0.1", port)) else {
                    continue;
                };
                for stream in [&client, &server] {
                    stream.set_nodelay(true).unwrap();
                }
                let ends = [&client, &server].map(|end| end.try_clone().unwrap());
                state.lock().unwrap().open.extend(ends);
                let (asks, answers) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                thread::spawn(move || carry(asks, server));
                let state = state.clone();
                thread::spawn(move || answer(answers, client, &state));
            }
        });
        gate
    }

    /// Holds lines back that hold this text, from now on.
    pub fn hold(&self, text: &'static str) {
        let mut state = self.state.lock().unwrap();
        (state.hold, state.held) = (Some(text), 0);
    }

    /// Waits until so many are held back.
    pub fn wait(&self, count: usize) {
        eventually("answers are held back", || {
            (self.state.lock().unwrap().held >= count).then_some(())
        });
    }

    /// Holds no more back. What was held is never said.
    pub fn open(&self) {
        self.state.lock().unwrap().hold = None;
    }

    /// Cuts every connection.
    pub fn cut(&self) {
        for end in self.state.lock().unwrap().open.drain(..) {
            // It may have ended by itself.
            let _ = end.shutdown(Shutdown::Both);
        }
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream) {
    // A killed client resets its connection: that is an end like any other.
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

fn answer(from: TcpStream, mut to: TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(from);
    let mut bytes = Vec::new();
    let mut silent = false;
    loop {
        bytes.clear();
        if reader
            .read_until(b'\n', &mut bytes)
            .is_ok_and(|read| read > 0)
        {
            let line = String::from_utf8_lossy(&bytes);
            let mut state = state.lock().unwrap();
            if state.hold.is_some_and(|hold| line.contains(hold)) {
                state.held += 1;
                silent = true;
            }
            drop(state);
            if silent || to.write_all(&bytes).is_ok() {
                continue;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
        return;
    }
}
