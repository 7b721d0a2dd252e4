"""Which game is played: a variant of the engine, and changes of its board and rules."""

from dataclasses import dataclass

from referee import VARIANTS, Rules

#: Gomocup's number of the rule, by what the referee calls the overline rule.
GOMOCUP_RULES = {"wins": 0, "nothing": 1, "renju": 4, "caro-wins": 8, "caro": 9}


class UnplayableGame(ValueError):
    """A game that cannot be, or that a protocol cannot express."""


@dataclass(frozen=True)
class Game:
    """A variant; `None` leaves as it is what the variant says."""

    variant: str = "gomokufreestyle"
    columns: int | None = None
    rows: int | None = None
    line: int | None = None
    gravity: bool | None = None
    overline: str | None = None

    def __post_init__(self):
        if self.variant not in VARIANTS:
            raise UnplayableGame(f"variant '{self.variant}'; expected one of: {', '.join(VARIANTS)}")
        for name, value, low, high in (
            ("columns", self.columns, 1, 26), ("rows", self.rows, 1, 26), ("line length", self.line, 3, 8)
        ):
            if value is not None and not low <= value <= high:
                raise UnplayableGame(f"{name} {value}; expected {low} to {high}")
        if self.overline not in (None, "wins", "nothing"):
            raise UnplayableGame(f"overline '{self.overline}'; expected wins or nothing")

    @property
    def rules(self):
        """The rules as the referee knows them."""
        base = VARIANTS[self.variant]
        overline = base.overline
        if overline == "caro":
            overline = "caro-wins" if self.overline == "wins" else "caro"
        elif overline != "renju":
            overline = self.overline or overline
        gravity = base.gravity if self.gravity is None else self.gravity
        return Rules(self.columns or base.columns, self.rows or base.rows, self.line or base.line, gravity, overline)

    @property
    def title(self):
        """For people: `renju`, `mnk 6x5, 4 in a row, gravity`."""
        rules = self.rules
        words = f"{self.variant} {rules.columns}x{rules.rows}"
        if self.line:
            words += f", {rules.line} in a row"
        if rules.gravity:
            words += ", gravity"
        return words + (f", overline {self.overline}" if self.overline else "")

    def uci_options(self):
        """The options that set up the game: only those that change the variant, for engines that know only variants."""
        options = {"UCI_Variant": self.variant}
        for name, value in (("Columns", self.columns), ("Rows", self.rows), ("Line Length", self.line)):
            if value is not None:
                options[name] = value
        if self.gravity is not None:
            options["Gravity"] = str(self.gravity).lower()
        if self.overline is not None:
            options["Overline"] = self.overline
        return options

    def gomocup_rule(self):
        """Gomocup's number of the rule; raises `UnplayableGame` for games that its protocol cannot express."""
        rules = self.rules
        if rules.gravity or rules.line != 5 or min(rules.columns, rules.rows) < 5:
            raise UnplayableGame(f"{self.title}: the Gomocup protocol knows five in a row only, from 5x5 upwards")
        return GOMOCUP_RULES[rules.overline]
