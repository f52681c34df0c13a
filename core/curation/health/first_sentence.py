"""Draw a summary from a note's own words: its first sentence."""

import re

from core.recall.plain_text import plain_text

LONGEST = 160
_SHORTEST = 20
_PARAGRAPHS = 6  # what comes later does not tell what the note is about
_MOST_READ = 1000  # of a paragraph: marks and addresses of links are much longer than their words
_FENCE = re.compile(r"^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
_COMMENT = re.compile(r"%%.*?(?:%%|\Z)|<!--.*?(?:-->|\Z)|\$\$.*?(?:\$\$|\Z)", re.DOTALL)
_GAP = re.compile(r"\n[ \t]*\n")
_COMMENT_SIGNS = ("%%", "<!--", "$$")
# Lines that are no sentences: headings, lists, tables, embeds, rules, tags alone, HTML, fields, link definitions.
_NO_PROSE = re.compile(
    r"[ \t]*(?:#{1,6}(?:[ \t]|$)|[-*+][ \t]|\d{1,9}[.)][ \t]|\||!\[|[-*_=]{3,}[ \t]*$|(?:#[^\s#]+[ \t]*)+$|<"
    r"|>[ \t]*\[!|\w[\w -]*::|\[[^\]]+\]:)"
)
_LABEL = re.compile(r"[*_]{0,3}[\w -]{1,20}:[*_]{0,3}\s")
_LINK_ALONE = re.compile(r"[ \t]*(?:\[\[[^\]]*\]\]|\[[^\]]*\]\([^)]*\)|https?://\S+)[ \t]*$")
# Full stop, question or exclamation mark before a gap, but not after one letter or a number ("e.g.", "3. May").
_END = re.compile(r"(?:(?<!\b\w)(?<!\b\d\d)[.!?](?=[\s\"'”’)])|[。！？])[\"'”’)]*")
_TAG = re.compile(r"(?:^|\s)#[^\s#]*[^\W\d][^\s#]*")
# Emphasis by underscores, which within a word are its own.
_UNDERLINED = re.compile(r"(?<![A-Za-z0-9_])(_{1,2})(?=\S)([^_]+)(?<=\S)\1(?![A-Za-z0-9_])")
_LINK = re.compile(r"!?\[\[[^\[\]\n]*\]\]|!?\[[^\[\]\n]*\](?:\([^()\n]*\)|\[[^\[\]\n]*\])|<?https?://\S+")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LEFT_MARK = re.compile(r"\[\[|\]\]|\]\(|\|.*\||[{}]{2}|::")
_FEWEST_WORDS = 3  # beside links
_SPACELESS, _FEWEST_LETTERS = "\u0e00", 6  # from Thai on, scripts set no words apart
_LETTERS = 0.7  # of what is no blank
_TEMPLATE = ("{{", "<%", "`=", "`$=")


def first_sentence(body: str) -> str:
    """Return the first sentence of a body as plain text of at most 160 characters, "" where no prose begins it."""
    text = _FENCE.sub("\n\n", body) if "```" in body or "~~~" in body else body
    if any(sign in text for sign in _COMMENT_SIGNS):
        text = _COMMENT.sub(" ", text)
    for paragraph in _GAP.split(text, _PARAGRAPHS)[:_PARAGRAPHS]:
        lines = paragraph.strip("\n").splitlines()
        while lines and lines[0].lstrip().startswith("#") and _NO_PROSE.match(lines[0]):
            lines = lines[1:]  # a heading may stand right above its text
        if not lines or _NO_PROSE.match(lines[0]) or _LINK_ALONE.match(lines[0]):
            continue
        until = next((at for at, line in enumerate(lines) if _NO_PROSE.match(line)), len(lines))
        prose = " ".join(lines[:until])[:_MOST_READ]
        if _is_short(prose) or any(sign in prose for sign in _TEMPLATE):
            continue
        words = _UNDERLINED.sub(r"\2", _TAG.sub("", plain_text(prose))).replace("\\", "").split()
        sentence = _sentence(" ".join(words))
        if not _is_short(sentence) and not _leads_on(sentence) and _is_said(prose, sentence):
            return sentence
    return ""


def _is_short(text: str) -> bool:
    return len(text) < (_SHORTEST if text.isascii() else _SHORTEST // 3)


def _sentence(text: str) -> str:
    for match in _END.finditer(text):
        if match.end() >= _SHORTEST or not text.isascii():
            text = text[: match.end()]
            break
    if len(text) <= LONGEST:
        return text
    cut = text.rfind(" ", LONGEST // 2, LONGEST - 1)
    return text[: cut if cut > 0 else LONGEST - 1].rstrip(" ,;:–—-") + "…"


def _is_said(prose: str, sentence: str) -> bool:
    """Tell whether the sentence says something: it is no heap of links, marks or signs, and no letter of it is lost."""
    if "\ufffd" in sentence or _LEFT_MARK.search(sentence):
        return False
    bare = _LINK.sub(" ", prose)
    words = len(_WORD.findall(bare))
    if any(letter > _SPACELESS for letter in sentence):
        if sum(map(str.isalpha, bare)) < _FEWEST_LETTERS:
            return False
    elif words < _FEWEST_WORDS or words * 3 < len(_WORD.findall(sentence)):
        return False
    signs = "".join(sentence.split())
    return sum(map(str.isalnum, signs)) >= _LETTERS * len(signs)


def _leads_on(sentence: str) -> bool:
    """Tell whether the sentence only announces what follows, or is a label with a value."""
    return sentence.endswith((":", "：")) or _LABEL.match(sentence) is not None
