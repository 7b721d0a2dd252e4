"""An engine, as it is written on the command line: `name=A cmd="inarow --x" nodes=1000 option.Hash=16`."""

import os
import re
import shlex
import shutil
from dataclasses import dataclass, field
from pathlib import Path

from arena.limits import NAMES, Limits


class BadEngine(ValueError):
    """An engine that cannot be read or started; the text says what was expected."""


@dataclass(frozen=True)
class EngineSpec:
    """What is needed to start an engine and to ask it for moves."""

    name: str
    command: tuple
    protocol: str = "uci"
    directory: str | None = None
    options: dict = field(default_factory=dict)
    limits: Limits = Limits()

    @classmethod
    def from_json(cls, values):
        """From what `dataclasses.asdict` made of one."""
        values = {**values, "command": tuple(values["command"]), "limits": Limits(**values["limits"])}
        return cls(**values)


def read_engine(text, limits):
    """Read an engine; `limits` are those of the tournament, which the engine's own replace."""
    try:
        words = [text] if Path(text).is_file() else shlex.split(text)
    except ValueError as error:
        raise BadEngine(f"engine '{text}': {error}") from error
    values, options, own_limits = {}, {}, {}
    for word in words:
        key, equals, value = word.partition("=")
        if not equals and len(words) == 1:
            key, value = "cmd", word
        if key in ("name", "cmd", "proto", "dir"):
            values[key] = value
        elif key in NAMES:
            own_limits[key] = value
        elif key.startswith("option.") and equals:
            options[key.removeprefix("option.")] = value
        else:
            raise BadEngine(f"engine '{text}': '{word}'; expected a path, or words name=, cmd=, proto=, dir=,"
                            f" option.NAME=, {', '.join(f'{name}=' for name in NAMES)}")
    if not values.get("cmd"):
        raise BadEngine(f"engine '{text}' has no command; expected cmd=PATH")
    path = values["cmd"]
    command = [path] if Path(path).is_file() else shlex.split(path)
    command[0] = find_program(command[0])
    program = Path(command[0]).stem
    protocol = values.get("proto", "gomocup" if program.startswith("pbrain-") else "uci")
    if protocol not in ("uci", "gomocup"):
        raise BadEngine(f"engine '{text}': protocol '{protocol}'; expected uci or gomocup")
    if "dir" in values and not Path(values["dir"]).is_dir():
        raise BadEngine(f"engine '{text}': no folder '{values['dir']}'; expected where the engine is to run")
    name = re.sub(r"\s+", " ", values.get("name", program)).strip()
    if not name:
        raise BadEngine(f"engine '{text}' has an empty name")
    directory = values.get("dir") and os.path.abspath(values["dir"])
    return EngineSpec(name, tuple(command), protocol, directory, options, limits.changed(own_limits))


def find_program(word):
    """The full path of a program, so that it is found from any directory."""
    found = shutil.which(word)
    if not found:
        raise BadEngine(f"no program '{word}'; expected the path of an executable file")
    # A name in PATH may be one of a family of links that look at their own name: links are not followed.
    return os.path.abspath(found)


def check_engines(engines):
    """Refuse engines that could not be told apart, or that have no limit to think."""
    names = [engine.name for engine in engines]
    for engine in engines:
        if names.count(engine.name) > 1:
            raise BadEngine(f"two engines are named '{engine.name}'; expected a different name= for each")
        if not engine.limits:
            raise BadEngine(f"engine '{engine.name}' may think for ever; expected one of --tc, --movetime, --nodes,"
                            " --depth")
