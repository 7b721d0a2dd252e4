"""The parts of `tournament.py`, one idea a module.

    game       which game is played: variant, board, what an overline is worth
    limits     how long an engine may think
    specs      an engine, as it is written on the command line
    openings   where the games begin: from a file, or random balanced plies
    schedule   which games there are, in which order: round robin, gauntlet, SPRT
    process    an engine as a child that may hang, die, flood or lie
    uci, gomocup   the two protocols over it
    judge      the board that knows renju's forbidden points, asked of an engine
    adjudicate when a game is called before its end
    match      one game, from a job to a record
    store      the games on disk: one line each, from which all else is derived
    local, cluster  who plays the jobs: threads here, or Dask workers anywhere
    elo, sprt  what results are worth
    standings  the table
    records    SGF, PSQ and move strings, written and read
    report     report.html
    screen     live progress
"""
