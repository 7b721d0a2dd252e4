//! What `help` says.

/// The commands, a line each.
pub(super) const HELP: &str = "\
uci                              handshake: name, options, uciok
ugi                              the same for the UGI protocol
isready                          readyok once the commands before it are done
setoption name N [value V]       set an option
ucinewgame, uginewgame           forget the last game
position startpos [moves ...]    set the board; also: position fen F [moves ...]
go [limits]                      search: depth N, nodes N, movetime MS, wtime MS btime MS winc MS binc MS, movestogo N,
                                 mate N, infinite, ponder, searchmoves M ...
go perft N                       count move sequences
stop, ponderhit                  end the search; the expected move was played
query gameover|p1turn|result     answers 'response ...'
d                                the board
eval                             the static value of the position
moves                            the legal moves
forbidden                        the points that renju forbids to Black
threats                          where a stone of either colour would win, or make a four or an open three
undo [N]                         take back moves
save FILE, load FILE             keep the game, go on with it: FILE.sgf, FILE.psq or FILE.txt
perft N                          count move sequences
solve                            the exact value of the position and all best moves, on small boards
bench                            the benchmark and its signature
debug on|off, register ...       accepted
quit                             end";
