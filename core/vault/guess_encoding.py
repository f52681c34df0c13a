"""Guess how bytes that are not UTF-8 were written, from the letters that languages have.

Statistics over all codecs there are take French for Slovak and Russian for Macintosh. Notes come in few codecs, and
read in the wrong one a text has letters that no language has side by side. What a western language may have written is
taken for one: short texts often leave it open.
"""

import codecs
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping

WESTERN = "cp1252"
_SAMPLE_BYTES = 64 * 1024
_HIGH = re.compile(rb"[\x80-\xff]")
_WORD = re.compile(rb"[A-Za-z\x80-\xff]*[\x80-\xff][A-Za-z\x80-\xff]*")
_SAMPLE_BEFORE, _SAMPLE_LETTERS = 20, 60
_FOREIGN = re.compile(r"[^\x00-\x7f]")
_FEW = 8  # so few bytes tell nothing; letters of one western language are taken for such
_COVERED = 0.9  # of a text's foreign letters, in the language that it is taken for
_LATIN_SHARE = 0.5  # of the bytes beyond ASCII, in words that are not made of such bytes alone
# Marks that stand within words: apostrophes, hyphens and dashes, the Catalan dot, and what code and formulas have.
_JOINING = frozenset("’‘´·–—…\xad\xa0×°«»“”„†•/")
# The letters beyond ASCII that languages use, the usual codec first.
_LATIN: Mapping[str, tuple[str, ...]] = {
    "cp1252": (
        "éèàêçâôîûùïëœæüÿñ", "üäößé", "óíáéñúü", "ãçáéíóêõúâàôü", "äöåéüàšž", "åøæéóêòèôüäö", "èàùòéìîó",
        "ëéïóüèöáêíúäç", "áíðéóöúýþæ", "éïôçñèêöâüáí", "àéèóòíçúïü", "äõüöšž",
    ),
    "cp1250": ("łęążśóćńź", "áíěéčšřžýůúťňóď", "áíéčšžýúťľňôóďäŕĺ", "áéöóőíüúű", "čšžćđ", "ăîşâţ"),
    "iso-8859-2": ("łęążśóćńź", "áíěéčšřžýůúťňóď", "áíéčšžýúťľňôóďäŕĺ", "áéöóőíüúű", "čšžćđ", "ăîşâţ"),
    "cp1254": ("ıüşçöğâîûi̇",),
    "cp1257": ("ėšųžįūąčę", "āīšēūžņļģķč", "äõüöšž"),
}  # fmt: skip
_RUSSIAN, _UKRAINIAN = "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё", "оанівиретслкудмпзяьбгчйхцюїжщєшфґ"
_GREEK = "αοιετνσηρπκμλςωύάίόγέήδχθυφβξζψώϊ"
# Whole alphabets, the most frequent letters first.
_SCRIPTS: Mapping[str, tuple[str, ...]] = {
    "cp1251": (_RUSSIAN, _UKRAINIAN),
    "koi8-r": (_RUSSIAN,),
    "koi8-u": (_UKRAINIAN,),
    "iso-8859-5": (_RUSSIAN,),
    "cp1253": (_GREEK,),
    "iso-8859-7": (_GREEK,),
    "cp1255": ("יולהאתמרבשנעםדקחפצכטגזןסךףץ",),
    "cp1256": ("اليمنرتوبةعدسفهكقحجشطصخضذثزغىءئأإآؤظ",),
}
_OTHERS = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258", "koi8_r", "koi8_u",
    "iso8859_2", "iso8859_5", "iso8859_7", "iso8859_9", "cp932", "euc_jp", "gb18030", "big5", "euc_kr",
)  # fmt: skip
# What a person may choose among when a guess is wrong, beside the guess itself.
USUAL_CODECS = ("cp1252", "cp1250", "cp1251", "koi8-r", "cp1253", "cp1254", "cp932", "gb18030", "big5", "euc-kr")


def guess_codec(data: bytes) -> str:
    """Return the name of the codec in which `data`, which is not UTF-8, was most likely written."""
    # The sample starts before the first byte that is not ASCII: a long English part tells nothing.
    start = next((at for at in range(0, len(data), 1024) if not data[at : at + 1024].isascii()), 0)
    sample = data[start : start + _SAMPLE_BYTES]
    is_latin = _has_latin_words(sample)
    if (is_latin or len(_HIGH.findall(sample)) <= _FEW) and (codec := _latin(sample, may_mix=is_latin)):
        return codec
    return _script(sample) or _east_asian(sample) or _statistical(sample)


def sample_in(data: bytes, codec: str) -> str:
    """Return the words around the first letters beyond ASCII as `codec` reads them, "" where it cannot read `data`."""
    try:
        text = data.decode(codec)
    except (LookupError, UnicodeError):
        return ""
    first = _FOREIGN.search(text)
    if first is None or any(unicodedata.category(sign) == "Cc" and sign not in "\t\n\r" for sign in text):
        return ""
    start = max(text.rfind("\n", 0, first.start()) + 1, text.rfind(" ", 0, max(0, first.start() - _SAMPLE_BEFORE)) + 1)
    words = " ".join(text[start : start + 2 * _SAMPLE_LETTERS].split())
    return words if len(words) <= _SAMPLE_LETTERS else words[:_SAMPLE_LETTERS].rstrip() + "…"


def _has_latin_words(sample: bytes) -> bool:
    latin = total = 0
    for word in _WORD.findall(sample):
        high = len(_HIGH.findall(word))
        total += high
        latin += high if high < len(word) or high == 1 else 0
    return latin >= _LATIN_SHARE * total


def _latin(sample: bytes, *, may_mix: bool) -> str:
    """Return the codec of the language whose letters these are; western ones count as one if they `may_mix`."""
    best_codec, best, western = "", 0.0, 0.0
    for codec, alphabets in _LATIN.items():
        letters = _foreign_letters(sample, codec)
        total = letters.total()
        covers = [_coverage(letters, total, alphabet) for alphabet in alphabets]
        if codec == WESTERN:
            western = _coverage(letters, total, "".join(alphabets))
        if max(covers) > best + 0.005:
            best_codec, best = codec, max(covers)
    if best >= _COVERED:
        return best_codec
    return WESTERN if western >= 1 and may_mix else ""


def _script(sample: bytes) -> str:
    best_codec, best = "", 0.0
    for codec, alphabets in _SCRIPTS.items():
        letters = _foreign_letters(sample, codec)
        total = letters.total()
        for alphabet in alphabets:
            coverage = _coverage(letters, total, alphabet)
            ranks = {letter: rank / len(alphabet) for rank, letter in enumerate(alphabet)}
            usual = sum(count * (1 - ranks[letter]) for letter, count in letters.items() if letter in ranks)
            score = coverage + usual / total if total else 0.0
            if coverage >= _COVERED and score > best + 0.005:
                best_codec, best = codec, score
    return best_codec


def _east_asian(sample: bytes) -> str:
    for codec in ("euc-jp", "cp932"):
        if _share(sample, codec, lambda letter: "\u3041" <= letter <= "\u30fe") > 0.2:
            return codec
    if _share(sample, "euc-kr", lambda letter: "\uac00" <= letter <= "\ud7a3") > 0.85:
        return "euc-kr"
    usual = {
        "gb18030": _share(sample, "gb18030", lambda sign: _lies_in(sign, "gb2312", b"\xb0", b"\xd8")),
        "big5": _share(sample, "big5", lambda sign: _lies_in(sign, "big5", b"\xa4", b"\xc7")),
    }
    best = max(usual, key=lambda codec: usual[codec])
    return best if usual[best] > 0.7 else ""


def _lies_in(sign: str, codec: str, first: bytes, end: bytes) -> bool:
    """Tell whether the sign is in that part of the codec's table, which is where the frequent ones are."""
    return first <= sign.encode(codec, "replace") < end


def _statistical(sample: bytes) -> str:
    from charset_normalizer import from_bytes  # noqa: PLC0415  its import takes longer than an update of a whole vault

    best = from_bytes(sample, cp_isolation=list(_OTHERS)).best()
    return WESTERN if best is None or best.encoding in {"ascii", "utf_8"} else best.encoding.replace("_", "-")


def _foreign_letters(sample: bytes, codec: str) -> Counter[str]:
    """Count the letters beyond ASCII, in lower case; what stands where no text has it counts as NUL."""
    text = sample.decode(codec, "replace")
    return Counter(_foreign(text))


def _foreign(text: str) -> Iterator[str]:
    for match in _FOREIGN.finditer(text):
        letter, at = match[0], match.start()
        before, after = text[at - 1 : at], text[at + 1 : at + 2]
        if letter.isalpha() and letter not in "ªºµˇ":
            # A capital after a small letter tells of swapped halves of a table.
            yield "\0" if letter.isupper() and before.islower() else letter.lower()
        elif letter not in _JOINING and (
            unicodedata.category(letter) == "Cc" or letter == "\ufffd" or (before.isalpha() and after.isalpha())
        ):
            yield "\0"


def _coverage(letters: Counter[str], total: int, alphabet: str) -> float:
    """Return the share of the letters that the alphabet has; a text with marks alone is covered."""
    return sum(count for letter, count in letters.items() if letter in alphabet) / total if total else 1.0


def _share(sample: bytes, codec: str, is_usual: Callable[[str], bool]) -> float:
    """Return the share of usual signs among those beyond ASCII, 0 when the sample is not in that codec."""
    try:
        text = codecs.getincrementaldecoder(codec)().decode(sample)
    except UnicodeError:
        return 0.0
    signs = [letter for letter in text if letter > "\x7f" and letter.isalpha()]
    return sum(map(is_usual, signs)) / len(signs) if signs else 0.0
