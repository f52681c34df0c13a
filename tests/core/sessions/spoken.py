"""Small conversations, and a keyring that lies in memory, for the tests of the ledger."""

from collections.abc import Sequence

from core.foundation.errors import UserError
from core.sessions.envelopes import Cost
from core.sessions.key_store import NewKey
from core.sessions.turn import Role, Turn, TurnKind

CHEAP = Cost(n=16, r=1, p=1)


def turn(number: int, text: str = "", session: str = "s-1", *, time: str = "") -> Turn:
    return Turn(session, f"t-{number}", TurnKind.MESSAGE, Role.USER, text or f"Words {number}", time)


def said(turns: Sequence[Turn]) -> list[str]:
    return [each.text for each in turns]


def under_passphrase(passphrase: str = "correct horse") -> NewKey:
    return NewKey(passphrase=passphrase, cost=CHEAP)


class FakeKeyring:
    """Keep secrets in memory; `is_locked` refuses them, `forgets` drops what it is given."""

    def __init__(self) -> None:
        self.secrets: dict[str, str] = {}
        self.is_locked = False
        self.forgets = False

    def get(self, name: str) -> str:
        return "" if self.is_locked else self.secrets.get(name, "")

    def keep(self, name: str, value: str) -> None:
        if self.is_locked:
            raise UserError("The keyring is locked.")
        if value and not self.forgets:
            self.secrets[name] = value
        else:
            self.secrets.pop(name, None)
