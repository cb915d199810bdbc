### Every word that players read, in English.
###
### A new language is a new file beside this one, named by its code; what it lacks is said in English.
### Two blanks stand before and behind what a reader may type; in HTML that is bold. Commands are English
### in every language. Paragraphs may be broken anywhere; indented lines stay as they are.
### {"\u00A0"} is a blank at which no line is broken.

direction = ltr
list-separator = {", "}
group-separator = {"; "}
number = { $number ->
        [1] one
        [2] two
        [3] three
        [4] four
        [5] five
        [6] six
        [7] seven
        [8] eight
        [9] nine
        [10] ten
       *[other] { $number }
    }
colour-white = white
colour-black = black

## Time

time-full = { $day }, { $clock } ({ $offset })
time-day = { $weekday ->
        [1] Monday
        [2] Tuesday
        [3] Wednesday
        [4] Thursday
        [5] Friday
        [6] Saturday
       *[7] Sunday
    } { $day } { $month }
time-date = { $day } { $month } { $year }
time-month = { $month ->
        [1] January
        [2] February
        [3] March
        [4] April
        [5] May
        [6] June
        [7] July
        [8] August
        [9] September
        [10] October
        [11] November
       *[12] December
    }

## Subjects and footer

subject-game = [dvonn #{ $game }] { $white } - { $black }
subject-challenge = [dvonn #{ $number }] { $name } would like to play DVONN
subject-question = { $club }: is this you?
subject-answer = { $club }: your mail
subject-not-understood = { $club }: not understood
subject-games = { $club }: your games
subject-players = { $club }: the players
subject-history = { $club }: the record of a game
subject-help = { $club }: help
subject-rules = { $club }: the rules of DVONN
subject-welcome = { $club }: welcome
subject-invitation = { $club }: an invitation to play
subject-shunted = { $club }: a mail was set aside
subject-undeliverable = { $club }: a letter cannot be delivered
subject-unreachable = { $club }: mail to a member comes back
subject-login = { $club }: a login is refused
subject-mailbox-away = { $club }: the mailbox cannot be read
subject-letters-wait = { $club }: letters cannot be sent
subject-room = { $club }: the disk is nearly full
subject-unusable = { $club }: trouble with the database
subject-well = { $club }: all is well again
subject-clock = { $club }: the clock jumped
subject-mailbox-full = { $club }: the mailbox is nearly full
subject-more = { $club }: more of the same
footer-club = { $club }.
footer-game = { $club }. Game { $game }.
footer-move = { $club }. Game { $game }, move { $ply }.
footer-more = { $count ->
        [one] One more game waits for you: { $game } with { $name } (since { $day }).
       *[other] { $count } more games wait for you: first { $game } with { $name } (since { $day }).
    }

## How a game begins

begun = Game { $game } begins. { $white } plays white, { $black } plays black.
begun-place =
    First the 49 pieces are placed, one a turn: the three red DVONN pieces, then the white and black ones. White begins.
begun-random = All 49 pieces were placed by lot. Now the stacks are moved. White begins.
begun-symmetric =
    All 49 pieces were placed by lot: red in the centre, the rest the same for both sides, turned by half. White begins.
draw-intro = The rest of this part may be skipped: it lets anyone check the lots by computer. They follow from two numbers, and nobody could choose them.
draw-nonce = the club's number:
draw-digest = the digest of the mail that accepted:
draw-seed = the seed, made of both:
draw-check =
    The SHA-256 of the club's number was shown before the game was accepted. The seed is the SHA-256 of the two numbers, as bytes, one after the other.

## What happened

news-placed = { $you ->
        [yes] You placed
       *[no] { $name } placed
    } { $piece ->
        [white] a white piece
        [black] a black piece
       *[dvonn] a red DVONN piece
    } on { $space }.
news-moved = { $you ->
        [yes] You played { $move }.
       *[no] { $name } played { $move }.
    }
news-all-placed = All 49 pieces are placed. From now on the stacks are moved.
news-removed = { $count ->
        [one] One piece lost contact with the red ones and left the board: { $stacks }.
       *[other] { $count } pieces lost contact with the red ones and left the board: { $stacks }.
    }
news-fallen = { $height ->
        [1] { $space }
       *[other] { $you ->
            [yes] { $space } ({ $height } of yours)
           *[no] { $space } ({ $height } of { $name }'s)
        }
    }
news-pass-none = { $you ->
        [yes] You own no stack and pass.
       *[no] { $name } owns no stack and passes.
    }
news-pass-surrounded = { $you ->
        [yes] You have no move and pass: { $count ->
            [one] your only stack is surrounded
            [2] both your stacks are surrounded
           *[other] all your { $count } stacks are surrounded
        } ({ $surrounded }).
       *[no] { $name } has no move and passes: { $count ->
            [one] their only stack is surrounded
            [2] both their stacks are surrounded
           *[other] all their { $count } stacks are surrounded
        } ({ $surrounded }).
    }
news-pass-no-target = { $you ->
        [yes] You have no move and pass: { $count ->
            [one] nothing stands where your only stack could land
           *[other] nothing stands where your stacks could land
        } ({ $stranded }).
       *[no] { $name } has no move and passes: { $count ->
            [one] nothing stands where their only stack could land
           *[other] nothing stands where their stacks could land
        } ({ $stranded }).
    }
news-pass-mixed = { $you ->
        [yes] You have no move and pass: some of your stacks are surrounded ({ $surrounded }), and nothing stands where the others could land ({ $stranded }).
       *[no] { $name } has no move and passes: some of their stacks are surrounded ({ $surrounded }), and nothing stands where the others could land ({ $stranded }).
    }
turn-move = { $you ->
        [yes] { $when ->
            [still] It is still your move, { $name } ({ $colour }).
            [again] It is your move again, { $name } ({ $colour }).
           *[now] It is your move, { $name } ({ $colour }).
        }
       *[no] { $when ->
            [still] It is still { $name }'s move.
            [again] It is { $name }'s move again.
           *[now] It is { $name }'s move.
        }
    }
turn-place = { $you ->
        [yes] { $when ->
            [still] It is still your turn, { $name }: place
           *[now] Your turn, { $name }: place
        } { $piece ->
            [white] a white piece.
            [black] a black piece.
           *[dvonn] a red DVONN piece.
        }
       *[no] { $when ->
            [still] It is still { $name }'s turn to place
           *[now] It is { $name }'s turn to place
        } { $piece ->
            [white] a white piece.
            [black] a black piece.
           *[dvonn] a red DVONN piece.
        }
    }

## The board and how to answer

board-score = { $white } { $whitescore }, { $black } { $blackscore }, as it stands.
board-score-at-end = { $white } { $whitescore }, { $black } { $blackscore } at the end.
board-open-moves = { $count ->
        [one] One move is open to you.
       *[other] { $count } moves are open to you.
    }
board-placed = { $placed ->
        [0] No piece is placed yet.
        [one] One of { $pieces } pieces is placed.
       *[other] { $placed } of { $pieces } pieces are placed.
    }
stacks-owner = { $you ->
        [yes] You ({ $colour }):
       *[no] { $name } ({ $colour }):
    }
stacks-alone = Red alone:
stacks-of = { $height ->
        [1] { $spaces }
       *[other] of{"\u00A0"}{ $height }:{"\u00A0"}{ $spaces }
    }
stacks-with-red = { $space } with red
stacks-none = none
answer-move = Answer with your move, for example:  { $example }
answer-place = Answer with a space, for example:  { $example }
answer-words = Or write: { $words }.
answer-chat = Anything you write beside it goes to { $name } as a message.
answer-while-waiting = There is nothing to do now. You can always write: { $words }.
answer-say = To send { $name } a message, begin a line with  say
moves-all = Your moves, by stack:
moves-from = From { $space } to: { $targets }
moves-free = Free spaces: { $spaces }
moves-not-yours = Your moves depend on what { $name } plays now.

## The end, and the record

over-won = The game is over. { $winner } wins, { $most } to { $least }.
over-draw = The game is over. It is a draw, { $score } to { $score }.
over-resigned = { $you ->
        [yes] The game is over. You resigned, and { $winner } wins.
       *[no] The game is over. { $loser } resigned, and { $winner } wins.
    }
over-lasted = { $days ->
        [0] It took less than a day, on { $to }, and { $plies ->
            [one] one move.
           *[other] { $plies } moves.
        }
       *[other] It took { $days ->
            [one] one day
           *[other] { $days } days
        }, from { $from } to { $to }, and { $plies ->
            [one] one move.
           *[other] { $plies } moves.
        }
    }
over-again = To play again, answer with  { $command }
history-title = Record of game { $game }: { $white } (white), { $black } (black), { $setup ->
        [place] placed by the players.
        [random] placed by lot.
       *[symmetric] placed by lot, the same for both sides.
    }
history-row = start, row { $row }: { $pieces }
history-empty = Nothing has been played yet.

## Messages

message-from = { $name } writes:
message-passed-on = You wrote to { $name }:
message-cut = (It was too long. The rest was left out.)

## What became of a mail

report-held = This waits for your answer to the club's question, which comes by a mail of its own.
report-beyond = { $lines ->
    [one] One more line was not read: a mail may hold 50 commands. Send it in a mail of its own.
   *[other] { $lines } more lines were not read: a mail may hold 50 commands. Send them in another mail.
}
report-not-tried = Not tried, because a line before it failed.
done-played = { $ply } was played in game { $game }, against { $name }.
done-played-already = { $ply } was played already in game { $game }. Nothing was changed.
done-resigned = You resigned game { $game } against { $name }.
done-challenged = Your invitation to { $name } is on its way. It has number { $number }.
done-opened = Your open challenge has number { $number }. Anyone in the club may accept it.
done-until = It stands until { $time }. To take it back, answer with  withdraw { $number }
done-accepted = You accepted. Game { $game } with { $name } begins.
done-declined = You declined number { $number }, from { $name }.
done-withdrawn = Number { $number } is taken back.
done-said = This goes to { $name } (game { $game }):
done-name-taken = The name { $taken } belongs to another member. For a different one, write  name  and the one you like.
done-named = You are called { $name } from now on.
done-member-already = You are a member already. Your name here is { $name }.
done-stopped = You get no more mail from here, apart from this letter. If you change your mind, write  join
done-stopped-games = { $count ->
        [one] Your running game was resigned: { $games }.
       *[other] Your running games were resigned: { $games }.
    }
done-dropped = What waited for your answer was dropped. Nothing was done.
done-shown = The board for  { $command }  comes by a letter of its own.
done-lots = So that the lots can be checked later, the SHA-256 of the club's number for them: { $number }
done-address-learned = From now on { $address } may write for you.

## Refused

refused-placing = { $line } was not played: in game { $game } the pieces are still being placed. Answer with one free space.
refused-stacking = { $line } was not played: in game { $game } all pieces are placed. Answer with two spaces, from where to where.
refused-not-your-turn = { $line } was not played: in game { $game } it is { $name }'s turn. You get a letter when it is yours.
refused-game-over = { $line } was not done: game { $game } is over.
refused-old-board = { $line } was not played: your mail answers an older board of game { $game }.
refused-old-board-since = Played since then: { $plies }. Please look at the board as it is now and answer this letter.
refused-two-moves =
    Nothing was played in game { $game }: your mail holds two different moves for one turn. Answer with the one that you mean.
refused-candidate = { $number } with { $name }
refused-invited-already = You have invited { $name } already: challenge { $number } waits for an answer. To take it back, write  withdraw { $number }
refused-whose-message = The text of your mail was not passed on, since it does not say to whom: begin the line with the number of the game, for example  12: say TEXT
refused-which-game = Which game do you mean? It may be { $games }.
refused-which-game-how = Write the number before it, for example:  { $number }: { $line }
refused-no-game = You have no running game for  { $verb }.
refused-not-yours = Number { $number } is no game or challenge of yours. To see yours, write  list
refused-which-challenge = Which one do you mean? It may be { $challenges }.
refused-which-challenge-how = Write the number behind it, for example:  { $verb } { $number }
refused-no-challenge = Nothing waits that you could answer with  { $verb }.
refused-challenge-gone = Number { $number } is no longer open: it was answered, taken back, or its time is over.
refused-own-challenge = Number { $number } is your own challenge. To take it back, write  { $withdraw } { $number }
refused-yourself = Nobody plays themselves. Name another player.
refused-nobody-called = No member is called { $name }.
refused-nearest = Do you mean { $name }? Then write  { $command }
refused-see-players = To see all members, write  players
refused-several-called = That name fits more than one member: { $names }. Write the whole name, for example:  { $command }
refused-no-mail-there = { $name } asked for no more mail and cannot be invited.
refused-invited-lately = { $address } was invited within the last 30 days. One invitation must do for that time.
refused-no-person-there = { $address } cannot be invited: no player reads that address.
refused-too-many-invitations = { $limit ->
        [one] The club sends one invitation a day to new addresses for each member. Try again tomorrow.
       *[other] The club sends { $limit } invitations a day to new addresses for each member. Try again tomorrow.
    }
refused-too-many-games = { $limit ->
        [one] { $name } plays one game already, and the club allows no more at a time.
       *[other] { $name } plays { $limit } games already, and the club allows no more at a time.
    }
refused-name-empty = A name needs a letter or a digit. Nothing was changed.
refused-name-too-long = { $name } is too long for a name: 32 characters at most. Nothing was changed.
refused-name-address = { $name } looks like a mail address. Choose a name without @. Nothing was changed.
refused-name-reserved = { $name } could be taken for the club. Choose another name. Nothing was changed.
refused-nothing-asked = No question of the club waits for your answer. Nothing was done.
refused-nothing-said = Nothing was sent: there is no text behind  say.

## Moves against the rules

illegal-game-over = { $asked } was not played: the game is over.
illegal-still-placing = { $asked } was not played: the pieces are still being placed. Answer with one free space.
illegal-placing-over = { $asked } was not played: all pieces are placed. Answer with two spaces, from where to where.
illegal-space-taken = No piece was placed: { $to } is not free.
illegal-pass = Nobody passes by choice. While you have a move, you must play one.
illegal-same-space = { $asked } was not played: a stack must move to another space.
illegal-source-empty = { $asked } was not played: nothing stands on { $from }.
illegal-lone-dvonn = { $asked } was not played: on { $from } a red DVONN piece stands alone, and that never moves.
illegal-not-yours = { $asked } was not played: the stack on { $from } is { $owner }, not yours.
illegal-surrounded = { $asked } was not played: the stack on { $from } is surrounded. It cannot move while all six spaces around it are occupied.
illegal-not-straight = { $asked } was not played: { $from } and { $to } are not in one straight line.
illegal-distance = { $asked } was not played: the stack on { $from } has { $pieces ->
        [one] { $height } piece, so it moves { $height } space
       *[other] { $height } pieces, so it moves { $height } spaces
    }, and { $to } is { $distance } away.
illegal-target-empty = { $asked } was not played: a stack must land on another one, and { $to } is empty.
illegal-free = These spaces are free: { $spaces }.
illegal-stuck = The stack on { $from } has no move now.
illegal-instead = From { $from } you can play { $moves }.

## Lines that cannot be read

unread-not-a-space = The board has no space { $word }. There are a1 to i1, a2 to j2, a3 to k3, b4 to k4, and c5 to k5.
unread-several-spaces = One line is for one move. A placement needs one space, a move two.
unread-missing-target = Where to? A move needs two spaces: from where, and to where.
unread-missing-who = Whom? Write a member's name or a mail address behind it.
unread-missing-colour = Which colour? Write white, black or random.
unread-missing-setup = Which setup? Write place, random or symmetric.
unread-bad-option = { $word } cannot stand here. Possible are: { $known }.
unread-twice = { $word } says again what was said before. Say it once.
unread-not-a-number = { $word } is not the number of a game or challenge. To see the numbers, write  list
unread-not-an-address = { $word } is not a mail address.
unread-not-yet = This club does not know { $word } yet. For what it knows, write  help
unread-no-pass = Nobody passes by choice. When you have no move, the club passes for you.

## Not understood

puzzled-no-command = Nothing was done: no line of your mail is a command by itself.
puzzled-nothing-new = Nothing was done: no new text was found in your mail, only quoted lines or none at all.
puzzled-sealed = Nothing was done: your mail is encrypted, and the club cannot open it. Send it as ordinary text.
puzzled-broken = Nothing was done: your mail has too many parts to be read. Send it again as ordinary text, without attachments.
puzzled-too-large = Nothing was done: your mail is too large. The club takes { $limit } at most; send it without attachments.
size-kilobytes = { $size } KB
size-megabytes = { $size } MB
puzzled-mention = This line looks like a command:
puzzled-suggestion = If you mean it, answer with nothing but  { $command }
puzzled-next = A command stands alone on its line. For a page with all of them, answer with  help

## Games, members

games-for-you = Wait for you:
games-for-them = Wait for them:
games-invitations = Invitations:
games-challenges = Your challenges:
games-over = Over lately:
games-your-move = { $placing ->
        [yes] place a piece, since { $day }
       *[no] your move since { $day }
    }
games-their-move = since { $day }
games-invited = accept { $number } or decline { $number }, until { $day }
games-open-to-anyone = open to anyone: accept { $number }, until { $day }
games-challenged = no answer yet, until { $day }; or withdraw { $number }
games-lots = (SHA-256 of the club's number for the lots: { $number })
games-anyone = anyone
games-ended = { $result ->
        [won] { $by ->
            [resignation] you won, they resigned
           *[score] you won, { $mine } to { $theirs }
        }
        [lost] { $by ->
            [resignation] you resigned
           *[score] you lost, { $mine } to { $theirs }
        }
       *[draw] a draw, { $mine } to { $theirs }
    }
games-how = For a board, write  show { $game }
games-none =
    You play no game now. To offer one to anyone, write  open.  To invite somebody, write  challenge  and a name or a mail address.
players-title = { $count ->
        [one] { $club } has one member:
       *[other] { $club } has { $count } members:
    }
players-games = { $running ->
        [0] plays no game now
        [one] plays one game
       *[other] plays { $running } games
    }, { $finished ->
        [0] has finished none
        [one] has finished one
       *[other] has finished { $finished }
    }
players-how = To invite one of them, write  challenge  and the name.

## Invitations

invitation-from-stranger = { $name } ({ $address }) would like to play DVONN with you, by mail, in the { $club }.
invitation-from-member = { $name } would like to play DVONN with you.
invitation-about =
    DVONN is a board game for two; one game takes a few weeks of a mail now and then. The rules fit on a page: answer with  rules
invitation-colour = You would play { $colour }.
invitation-colour-by-lot = Lots decide who plays white.
invitation-setup = { $setup ->
        [place] The players place the pieces.
        [random] The pieces are placed by lot.
       *[symmetric] The pieces are placed by lot, the same for both sides.
    }
invitation-commitment = This line may be skipped: it lets anyone check the lots later by computer. The SHA-256 of the club's number for them:
invitation-answer = Answer with  accept  to begin, or with  decline.  The invitation has number { $number } and stands until { $time }.
invitation-silence = If you don't answer, you hear only once more: when the invitation ends.
invitation-stop = Answer with  stop  and nobody can write to you from here again.
closed-declined = { $name } has declined. Challenge { $number } is over.
closed-withdrawn = { $name } has taken challenge { $number } back.
closed-expired = Challenge { $number } with { $name } was not answered in time and is over.
unreachable-opponent =
    Mail to { $name } comes back, so { $name } does not get your moves. { $count ->
        [one] Game { $games } waits
       *[other] Games { $games } wait
    }, and nobody loses time. The admin knows.
unreachable-opponent-next = You need not do anything. If you know { $name } otherwise, pass on what helps: to write to the club from an address that it knows, and to answer its letter. Then the play goes on.
unreachable-invitation = Your invitation { $number } to { $name } came back: no mail can be delivered there.
unreachable-invitation-next = Please look for a slip in the address, and write  challenge  with the right one.
closed-next = To offer a game to anyone, write  open.  To invite somebody, write  challenge  and a name or a mail address.

## Is this you

question-arrived = Someone, probably you, wrote from this address to the { $club } on { $time }.
question-arrived-foreign = Someone, perhaps you, wrote in your name from the address { $address } to the { $club } on { $time }.
question-asks = { $count ->
        [one] The mail asks for one thing: { $things }.
       *[other] The mail asks for { $count } things: { $things }.
    }
question-yes = Answer with  yes  and it is done.
question-yes-joins = Answer with  yes  and it is done, and you are a member of the { $club }.
question-yes-foreign = Answer with  yes  and it is done, and from then on that address may write for you.
question-no = If it was not you, do nothing, or answer with  no.
question-until = The question stands until { $time }.
thing-numbered = { $thing } (number { $number })
thing-place = placing a piece
thing-move = a move
thing-resign = resigning
thing-challenge = a challenge
thing-open = an open challenge
thing-accept = accepting a game
thing-decline = declining a game
thing-withdraw = taking a challenge back
thing-list = the list of your games
thing-show = a board
thing-moves = your moves
thing-history = a record
thing-say = a message to an opponent
thing-name = another name
thing-players = the list of members
thing-help = help
thing-rules = the rules
thing-game = a game
thing-join = becoming a member
thing-yes = an answer with yes
thing-no = an answer with no
thing-stop = no more mail from here

## Welcome

welcome-greeting = Welcome to the { $club }. You are called { $name } here.
welcome-page =
    You play by answering the club's mails. Write one command on a line, nothing else on it:

      rules            the rules of DVONN on a page
      open             offers a game to anyone in the club
      challenge NAME   invites a member, or a friend's mail address
      help             all commands
welcome-begin = To begin, answer with  open  and wait for a mail.
welcome-address = You can write to { $address } at any time, not only to answer.

## The admin

admin-shunted = A mail could not be taken in and was set aside as number { $number }. The mails behind it go on.
admin-shunted-next = To read it, run  dvonn-post shunted show { $number }.  Once the cause is mended, or after an update, have it tried again with  dvonn-post shunted retry { $number }
admin-undeliverable = Letter { $number } to { $address } cannot be delivered and is given up.
admin-may-have-arrived = Letter { $number } to { $address } was handed over twice, and the server never said that it has it. It may have arrived; it is not sent again.
admin-undeliverable-next = To read it, run  dvonn-post outbox show { $number }.  To have it sent again, run  dvonn-post outbox retry { $number }
admin-login-mailbox = The mail server refuses the login to the club's mailbox. No mail can be read until you correct it.
admin-login-way-out = The mail server refuses the login by which letters are sent. None can be sent until you correct it.
admin-login-next = Check the user in the configuration and the password in its file, try them with  dvonn-post doctor,  then start the daemon again.
admin-mailbox-away = The club's mailbox could not be read since { $since }. Mail waits there; nothing is lost.
admin-way-out-away = No letter could be sent since { $since }. They wait; nothing is lost.
admin-letters-wait = Letters wait, and none got through since { $since }. They are tried again; nothing is lost.
admin-away-next = It goes on by itself as soon as the server answers. To see what is in the way, run  dvonn-post doctor
admin-letters-next = To see which, and what was said about each, run  dvonn-post outbox
admin-room = The disk of the club's database is nearly full. New mail is left in the mailbox since { $since }, and nothing is lost.
admin-room-next = Make room on that disk. The club goes on by itself within a minute or two.
admin-mailbox-well = The club's mailbox is read again. The trouble began { $since }.
admin-way-out-well = Letters are sent again. The trouble began { $since }.
admin-letters-well = Letters get through again. The trouble began { $since }.
admin-room-well = There is room on the disk again. The trouble began { $since }.
admin-well-next = There is nothing left to do.
admin-unusable = The club's database cannot be used since { $since }. Mail stays in the mailbox; nothing is lost.
admin-unusable-next = Check the disk, its room and its rights; mail is taken in again once the database can be used. If its file is damaged, stop the daemon and bring the newest backup back with  dvonn-post restore FILE --replace
admin-unusable-over = The club's database could not be used from { $since } to { $until }. It works again, and mail that waited is taken in.
admin-unusable-over-next = Find out why before it happens again. To see how the club is, run  dvonn-post status
admin-clock = The clock of the club's machine jumped. Until it was steady for ten minutes nothing expires; mail is read and answered as ever.
admin-clock-next = If nobody set it, look after the machine's time service, for example with  timedatectl
admin-mailbox-full = The club's mailbox has hardly any room left. When it is full, the mails of players are turned away.
admin-mailbox-full-next = Delete from the folder of done mails what is older than your newest backup, or have the mailbox made larger. Newer mails there are needed if the disk dies.
admin-more = { $count ->
    [one] One more trouble of this kind ({ $class }) came since { $since }, and was not told by a letter of its own:
   *[other] { $count } more troubles of this kind ({ $class }) came since { $since }, and were not told by letters of their own. The last:
  }
admin-more-shunted = All mails that are set aside are listed by  dvonn-post shunted
admin-more-outbox = All letters that were given up are listed by  dvonn-post outbox
admin-more-status = How the club is now is told by  dvonn-post status

admin-unreachable =
    Mail to { $name } ({ $address }) comes back. { $count ->
        [0] { $name }'s letters
        [one] Game { $games } waits, and the opponent knows. { $name }'s letters
       *[other] Games { $games } wait, and the opponents know. { $name }'s letters
    } are kept, and go out as soon as { $name } has answered a letter of the club. The server said:
admin-unreachable-next = If you know { $name } otherwise, pass on what helps: to write to the club from the old address, and to answer its letter. Until then nothing needs to be done.

## Help

help-overview =
    You play by answering the club's mails. Write one command on a line, with nothing else on it. Capitals and full stops
    do not matter.

    In your game:

      b3-c3             moves the stack on b3 to c3
      c3                places a piece on c3
      moves             lists your legal moves
      resign            gives the game up

    To send your opponent a message, begin a line with  say

    Finding a game:

      open              offers a game to anyone in the club
      challenge NAME    invites a member, or a mail address
      accept 21         accepts number 21
      decline 21        declines number 21
      withdraw 21       takes your own challenge back

    Looking:

      list              your games and invitations
      show 12           the board of game 12
      history 12        the record of game 12
      12: b3-c3         a move in game 12, if your mail does not say so
      players           everyone in the club
      rules             the rules of DVONN

    You and the club:

      name NEW          another name for you
      join              makes you a member
      yes, no           answer a question of the club
      stop              no more mail from here

    For more about one of them, answer with its name, for example:  help challenge

help-place =
    To place a piece on c3, write  c3  or  place c3.

    While pieces are placed, answer with one free space. The club knows which piece is due: the three red DVONN pieces
    come first, then those of your colour.
help-move =
    To move the stack on b3 to c3, write  b3-c3.

    You can also write b3c3, b3 c3, or move b3 to c3. A stack moves as many spaces as it has pieces, in a straight line,
    and lands on another stack. For all you can play now, answer with  moves
help-resign =
    To give a game up, write  resign.  It is over at once, and your opponent wins.

    If you play several games, write the number before it, for example:  12: resign
help-challenge =
    To invite a member, write  challenge  and the name, for example:  challenge Ben

    To invite anybody with a mail address, write the address instead:  challenge ben@example.org

    You can add your colour and how the pieces come onto the board, for example:  challenge Ben white setup random

    The colour is white, black or random; random if you say nothing. The setup is place (the players place the pieces),
    random (by lot), or symmetric (by lot, the same for both). The invitation stands for 14 days.
help-open =
    To offer a game to anyone in the club, write  open.

    You can add your colour and the setup, for example:  open black setup symmetric

    It stands for 14 days. To take it back, write  withdraw  and its number.
help-accept =
    To say yes to an invitation, answer it with  accept.  The game begins.

    In any other mail write the number too, for example:  accept 21
help-decline =
    To say no to an invitation, answer it with  decline.  The other side is told.

    In any other mail write the number too, for example:  decline 21
help-withdraw =
    To take a challenge of yours back, write its number, for example:  withdraw 21

    It works as long as nobody has accepted it.
help-list =
    To see your games and invitations, write  list.  Those that wait for you come first.
help-show =
    To see the board of game 12, write  show 12.  Without a number it is the game of the mail that you answer.
help-moves =
    To see all that you can play now, write  moves.

    If you play several games, write the number before it, for example:  12: moves
help-history =
    To see all moves of game 12, write  history 12.  Without a number it is the game of the mail that you answer.
help-say =
    To send your opponent a message, write  say  and your text on the same line, for example:  say I am back on Sunday

    Whatever you write around a move goes to your opponent too, even without the word say.
help-name =
    To be called Anna here, write  name Anna.  No two members have the same name, and a name has 32 characters at most.
help-players =
    To see everyone in the club, and how much they play, write  players.
help-help =
    To see all commands on a page, write  help.  For more about one of them, write its name too:  help challenge
help-rules =
    To get the rules of DVONN on a page, write  rules.
help-game =
    To say which game you mean, write  game 12  on a line above your commands. Alone in a mail, it shows the board.

    For one line, the number before it is enough, for example:  12: b3-c3
help-join =
    To become a member, write  join.  The club first asks whether it was you who wrote.
help-yes =
    To say yes to a question of the club, answer its mail with  yes.
help-no =
    To say no to a question of the club, answer its mail with  no.  What waited for the answer is dropped.
help-stop =
    To end all mail from here to you, write  stop.  Your running games are resigned; if there are any, the club asks first.

    If you want to come back later, write  join

## Rules

rules-before-board =
    DVONN is a game for two. White has 23 pieces, Black has 23, and there are three red ones, the DVONN pieces. The board
    has 49 spaces. Columns have letters and run along the slanted lines, rows have numbers. The six neighbours of d3, for
    example, are c3, e3, d2, d4, c2 and e4.
rules-after-board =
    1. Placing. The players put one piece a turn on any free space, White first: the three red ones, then their own,
    until the board is full. You write just the space, such as c3.

    2. Moving. White begins. You move a stack that has your colour on top, always the whole stack. A single piece is a
    stack of one. You write from where to where, such as b3-c3.

    3. A stack moves in a straight line, in one of six directions, exactly as many spaces as it has pieces. It may cross
    empty spaces and other stacks. It must land on a stack or a piece, yours or not, and never on an empty space.

    4. A stack with all six spaces around it occupied cannot move. A stack on the edge of the board is never shut in
    like that.

    5. A red piece alone cannot move. Once it is part of a stack, it moves with it.

    6. After each move, whatever has no link to a red piece any more, directly or by way of other stacks, leaves the
    board.

    7. You must move if you can. If you cannot, you pass, and the club does it for you.

    8. The game ends when neither side can move. You score all pieces in the stacks that have your colour on top,
    whatever colour they are. More pieces win.

    On the board of a letter, w and b are pieces and w3 is a white stack of three. A capital letter is a stack with a red
    piece in it, R a red piece alone. Of the last move, _ is where it came from, [ ] where it went, and x what left the
    board.
