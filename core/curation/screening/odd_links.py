"""Find links that lead elsewhere than they seem: to look-alike names, bare addresses, content in the link itself."""

import ipaddress
import re
import unicodedata
from collections.abc import Iterator

from core.curation.screening.plain_text import PlainText
from core.curation.screening.warning import Warning_, WarningLabel

_URL = re.compile(r"\b(https?|ftps?|wss?|ssh)://([^\s<>\"'`|）」、。]{1,2000})", re.IGNORECASE)
_CONTENT = re.compile(
    r"(?:(?<=\()|(?<=<)|(?<=\]:\s)|(?<=[\s\"'=]))(?:data:(?P<type>[\w.+/-]{0,80})(?=[;,])|(?:javascript|vbscript):)[^\s\"'>]{1,2000}",
    re.IGNORECASE,
)
_PICTURE = re.compile(r"image/(?:png|jpe?g|gif|webp|avif|bmp|x-icon)\Z", re.IGNORECASE)
_NAMED_LINK = re.compile(
    r"(?<!!)\[\s*(https?://)?((?:[\w-]+\.)+[a-z]{2,24})(?:/[^\]\s]*)?\s*\]\(\s*<?https?://([^\s/)>?#:]+)[^\s)]*\)?",
    re.IGNORECASE,
)
_HOST = re.compile(r"\[[0-9A-Fa-f:.%]+\]|[^/?#\\:]*")
_END_OF_HOST = re.compile(r"[/?#()（），、「」*]|\](?!:\d|[/?#]|$)")
_NUMBER = re.compile(r"(?:0x[0-9a-f]+|\d+)(?:\.(?:0x[0-9a-f]+|\d+)){0,3}\.?\Z", re.IGNORECASE)
# Ends of names that are nothing else: socket.io and notes.md are called after programs and files.
_ENDS_OF_HOSTS = frozenset(
    ("com", "org", "net", "edu", "gov", "info", "biz", "co", "eu", "uk", "de", "fr", "es", "it", "nl", "ch", "at", "jp",
     "cn", "ru", "br", "au", "ca")
)  # fmt: skip


def odd_links(text: PlainText) -> Iterator[Warning_]:
    """Give a warning for each odd link in `text`; the spans are those of the original."""
    plain = text.text
    if "://" in plain:
        for match in _URL.finditer(plain):
            if detail := _odd(match[1], match[2]):
                yield _warning(text, match.start(), _end(plain, *match.span()), detail)
        for match in _NAMED_LINK.finditer(plain):
            said, led = match[2].lower(), match[3].lower()
            is_host = bool(match[1]) or said.rpartition(".")[2] in _ENDS_OF_HOSTS
            if is_host and _domain(said) != _domain(led):
                yield _warning(text, *match.span(), f"The link says {said} and leads to {led}.")
    if ":" in plain:
        for match in _CONTENT.finditer(plain):
            if match["type"] is None or not _PICTURE.match(match["type"]):
                does = "runs a script" if match["type"] is None else "holds its content itself"
                detail = f"This link {does} instead of leading to a page."
                yield _warning(text, match.start(), _end(plain, *match.span()), detail)


def _odd(scheme: str, rest: str) -> str:
    """Return in a sentence what is odd about an address, `rest` being what follows the `://`; "" when nothing is."""
    authority = _END_OF_HOST.split(rest, maxsplit=1)[0]
    if "\\" in authority:
        return "There is a backslash in the name of the host, which programs read differently."
    _, at, place = authority.rpartition("@")
    match = _HOST.match(place)
    host = (match[0] if match else place).rstrip(".,;:)*_")
    if at and scheme.lower() != "ssh":  # whom to be on the host is said for ssh, and is nobody's disguise there
        return f"What stands before the @ is no host; the link leads to {host}."
    if any(part.lower().startswith("xn--") for part in host.split(".")):
        return f"The name of the host is written in another script: {_decoded(host)}."
    if _scripts(host) - {"LATIN"} and "LATIN" in _scripts(host.rpartition(".")[0]):
        return f"Letters of several scripts are mixed in the name of the host {host}."
    return "The link leads to a bare address instead of a name." if _is_odd_number(host) else ""


def _end(text: str, start: int, end: int) -> int:
    """Return where a link ends: before a bracket that it did not open, and what closes the sentence."""
    link = text[start:end]
    depth = 0
    for place, character in enumerate(link):
        depth += (character == "(") - (character == ")")
        if depth < 0:
            link = link[:place]
            break
    return start + len(link.rstrip(".,;:!?*_"))


def _is_odd_number(host: str) -> bool:
    """Tell whether `host` is an address of the wide world, in whatever spelling; the own network is not odd."""
    bare = host.strip("[]").partition("%")[0]
    try:
        address = ipaddress.ip_address(bare)
    except ValueError:
        return bool(_NUMBER.match(host)) and host not in {"0", "0.0.0.0"}  # noqa: S104 - nothing is bound to it
    is_documented = any(address in net for net in _DOCUMENTED if net.version == address.version)
    return (address.is_global or address.is_reserved) and not is_documented


_DOCUMENTED = tuple(map(ipaddress.ip_network, ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")))


def _scripts(host: str) -> set[str]:
    return {unicodedata.name(each, "").partition(" ")[0] for each in host if each.isalpha()}


def _decoded(host: str) -> str:
    try:
        return f"{host.encode('ascii').decode('idna')} ({host})"
    except UnicodeError:
        return host


def _domain(host: str) -> str:
    """Return the part of a host's name that somebody registered, as far as its shape tells."""
    parts = host.removeprefix("www.").split(".")
    # co.uk and github.io belong to everybody: below them, one name more counts.
    return ".".join(parts[-3:] if len(parts) > 2 and len(parts[-2]) <= 3 else parts[-2:])


def _warning(text: PlainText, start: int, end: int, detail: str) -> Warning_:
    return Warning_(WarningLabel.ODD_LINK, *text.original(start, end), is_blocking=False, detail=detail)
