//! A gate in front of the outgoing server, which can hold an answer back: so a moment between two steps can be as long
//! as a test needs it.
//!
//! Knows SMTP replies by their first characters; refuses to change one.

use std::io::{BufRead, BufReader, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use crate::common::eventually;

/// What the server says when it has taken a mail, and with it the whole responsibility.
pub const TAKEN: &str = "250 2.0.0 Ok: queued";

/// What it says to MAIL, before anything of the mail was handed over.
pub const SENDER: &str = "250 2.1.0";

/// The gate. Its connections and threads end with those who use it.
pub struct Gate {
    pub port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    /// Replies that begin so are held back.
    hold: Option<&'static str>,
    held: usize,
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
                let server = TcpStream::connect(("127.0.0.1", port)).unwrap();
                for stream in [&client, &server] {
                    stream.set_nodelay(true).unwrap();
                }
                let (asks, answers) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                thread::spawn(move || carry(asks, server));
                let state = state.clone();
                thread::spawn(move || answer(answers, client, &state));
            }
        });
        gate
    }

    /// Holds replies that begin like this back, from now on.
    pub fn hold(&self, reply: &'static str) {
        *self.state.lock().unwrap() = State {
            hold: Some(reply),
            held: 0,
        };
    }

    /// Waits until so many are held back.
    pub fn wait(&self, count: usize) {
        eventually("answers are held back", || {
            (self.state.lock().unwrap().held == count).then_some(())
        });
    }

    /// Holds no more back. What was held is never said.
    pub fn open(&self) {
        self.state.lock().unwrap().hold = None;
    }
}

fn carry(mut from: TcpStream, mut to: TcpStream) {
    // A killed client resets its connection: that is an end like any other.
    let _ = std::io::copy(&mut from, &mut to);
    let _ = to.shutdown(Shutdown::Write);
}

fn answer(from: TcpStream, mut to: TcpStream, state: &Mutex<State>) {
    let mut reader = BufReader::new(from);
    let mut line = String::new();
    let mut silent = false;
    loop {
        line.clear();
        if reader.read_line(&mut line).is_ok_and(|read| read > 0) {
            let mut state = state.lock().unwrap();
            if state.hold.is_some_and(|hold| line.starts_with(hold)) {
                state.held += 1;
                silent = true;
            }
            drop(state);
            if silent || to.write_all(line.as_bytes()).is_ok() {
                continue;
            }
        }
        let _ = to.shutdown(Shutdown::Both);
        return;
    }
}
