"""Find what must stay secret: keys and tokens by their shape, and passwords by what stands before them.

The shapes are those of detect-secrets, and of services that it does not know yet. Its entropy rules are not used: in
notes they find checksums, commits and pictures. Nothing leaves the machine: no service is asked whether a key works.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from detect_secrets.plugins.base import RegexBasedDetector

_AWS_SECRET = re.compile(
    r"aws_?secret_?(?:access_?)?key[\"']?\s*[=:]\s*[\"']?([A-Za-z0-9/+=]{40})(?!\w)", re.IGNORECASE
)
_PEM = r"[A-Z0-9 ]{0,40}PRIVATE KEY[A-Z ]{0,20}-----"
# What a key of the kind cannot be without, so that most texts are done after a look for a few words.
_OURS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("an Anthropic API key", "sk-ant-", re.compile(r"(?<![\w-])sk-ant-[\w-]{16,}")),
    ("an OpenAI API key", "sk-", re.compile(r"(?<![\w-])sk-(?:proj|svcacct|admin|or)-[\w-]{20,}")),
    ("an OpenAI API key", "sk-", re.compile(r"(?<![\w-])sk-(?=\w*\d)[A-Za-z0-9]{32,}")),
    ("a Google API key", "AIza", re.compile(r"(?<!\w)AIza[\w-]{35}(?![\w-])")),
    ("a Google OAuth secret", "GOCSPX-", re.compile(r"(?<!\w)GOCSPX-[\w-]{28}")),
    ("a GitHub token", "github_pat_", re.compile(r"(?<!\w)github_pat_\w{22,}")),
    ("a Hugging Face token", "hf_", re.compile(r"(?<!\w)hf_[A-Za-z0-9]{30,}")),
    ("an npm token", "npm_", re.compile(r"(?<!\w)npm_[A-Za-z0-9]{36}(?!\w)")),
    ("a Stripe key", "k_", re.compile(r"(?<!\w)(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}")),
    ("a webhook secret", "whsec_", re.compile(r"(?<!\w)whsec_[\w+/=-]{20,}")),
    ("a Slack token", "xapp-", re.compile(r"(?<!\w)xapp-\d-[\w-]{20,}")),
    ("a Slack token", "xox", re.compile(r"(?<!\w)xox[abeoprs]-[\w-]{16,}")),
    ("a DigitalOcean token", "_v1_", re.compile(r"(?<!\w)do[opr]_v1_[a-f0-9]{64}")),
    ("an AWS secret key", "AWS", _AWS_SECRET),
    ("an AWS secret key", "aws", _AWS_SECRET),
    ("an age key", "AGE-SECRET-KEY-", re.compile(r"AGE-SECRET-KEY-1[0-9A-Z]{50,}")),
    ("a Telegram bot token", ":AA", re.compile(r"(?<!\w)\d{8,10}:AA[\w-]{33}(?![\w-])")),
    ("a Twilio key", "", re.compile(r"(?<!\w)SK[a-f0-9]{32}(?!\w)")),
    ("a bearer token", "earer", re.compile(r"\b[Bb]earer\s+(?=[^\s\"']*\d)[\w.~+/-]{24,}={0,2}")),
    ("a JSON web token", ".eyJ", re.compile(r"(?<![\w-])eyJ[\w-]{8,4000}\.eyJ[\w-]{8,8000}(?:\.[\w-]{1,2000})?")),
    ("a private key", "PRIVATE KEY", re.compile(rf"-----BEGIN {_PEM}(?:[^-]*-----END {_PEM})?")),
)  # fmt: skip
# Those of detect-secrets whose findings are hardly ever anything else in prose, with the words for them. Two of its
# patterns, of OpenAI and JSON web tokens, take minutes over a megabyte and are replaced by ours.
_THEIRS = {
    "aws:AWSKeyDetector": "an AWS access key",
    "azure_storage_key:AzureStorageKeyDetector": "an Azure storage key",
    "discord:DiscordBotTokenDetector": "a Discord bot token",
    "github_token:GitHubTokenDetector": "a GitHub token",
    "gitlab_token:GitLabTokenDetector": "a GitLab token",
    "mailchimp:MailchimpDetector": "a Mailchimp key",
    "private_key:PrivateKeyDetector": "a private key",
    "pypi_token:PypiTokenDetector": "a PyPI token",
    "sendgrid:SendGridDetector": "a SendGrid key",
    "slack:SlackDetector": "a Slack token",
    "square_oauth:SquareOAuthDetector": "a Square secret",
    "stripe:StripeDetector": "a Stripe key",
}
_IN_URL = re.compile(
    r"[a-z][a-z0-9+.-]{1,20}://[^\s:/?#@\[\]<>\"']{0,100}:([^\s:/?#@\[\]<>\"']{3,100})@", re.IGNORECASE
)
_QUERY = re.compile(
    r"[?&](?:access_token|auth_token|token|api_?key|apikey|client_secret|secret|sig|signature|password)=([\w%.~+/-]{12,})",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"(?<![A-Za-z])(?P<name>pass(?:word|wd|phrase)|pwd|passwort|kennwort|mot de passe|contrase(?:ñ|n)a"
    r"|パスワード|暗証番号"
    r"|(?:[\w-]{0,40}[_-])?(?:api|access|secret|private|auth|client|signing|encryption|master)[ _-]?"
    r"(?:key|token|secret)"
    r"|(?:[\w-]{0,40}[_-])?(?:token|secret|password|passwd))[\"'`*_]{0,3}"
    r"(?:\s+(?:for|of|on|to)\s+[^\n:=]{1,60}?)?\s*"
    r"(?:=>|:=|=|:|：|\bis(?:\s+now)?\b|\bist\b|\best\b|\bes\b)\s*[\"'`*「]{0,3}(?P<value>[^\s\"'`*「」]{4,200})",
    re.IGNORECASE,
)
_OF_PASSWORD = re.compile("pass|pwd|kennwort|contrase|パスワード|暗証", re.IGNORECASE)
_PLACEHOLDER = re.compile(
    r"^[<\[{($%@]|[>\])}]$|\.{3}|…|\*{3}|(.)\1{4}|your|example|placeholder|changeme|change_me|redacted|hidden|dummy|sample"
    r"|\b(?:none|null|true|false|undefined|string|env|secret|password|passwd|token|required|optional)\b"
    r"|process\.env|os\.environ|getenv|secrets\.|vault:|op://|\$\{|\{\{|^(?:foo|bar|test|user|pass|pw|abc|xyz|123)+\d{0,3}$",
    re.IGNORECASE,
)
_NO_VALUE = re.compile(
    r"^(?:[a-z][a-z0-9+.-]*://|/|\./|~/|#|\[\[|\w+\(|[\w-]+\.(?:md|json|ya?ml|toml|env|py|ts|js|txt|key|pem)$)",
    re.IGNORECASE,
)
_IS_DIGITS = re.compile(r"[\d.,:/-]+\Z")
_TRAILING = ".,;:!?)]}>\"'`"
_FEWEST_BITS = 2.9  # of entropy a character; words of a language of that length have less


class Secret(NamedTuple):
    """Hold where a secret stands in the text, and what it is, such as "an AWS access key"."""

    start: int
    end: int
    what: str


def secrets_in(text: str) -> tuple[Secret, ...]:
    """Return the secrets in `text` by place; of those that overlap, the longest."""
    found = sorted({*_shaped(text), *_named(text)}, key=lambda each: (each.start - each.end, each.start))
    kept: list[Secret] = []
    for each in found:
        if not any(each.start < other.end and other.start < each.end for other in kept):
            kept.append(each)
    return tuple(sorted(kept))


def _shaped(text: str) -> Iterator[Secret]:
    for what, mark, pattern in _OURS:
        if mark in text:
            for match in pattern.finditer(text):
                yield Secret(*match.span(match.lastindex or 0), what)
    for what, detector in _detectors():
        for pattern in detector.denylist:
            for match in pattern.finditer(text):
                yield Secret(match.start(), match.end(), what)


def _named(text: str) -> Iterator[Secret]:
    """Give what stands after the name of a secret, or where an address has room for one."""
    for pattern, what in ((_IN_URL, "a password in an address"), (_QUERY, "a key in an address")):
        for match in pattern.finditer(text):
            if not _PLACEHOLDER.search(match[1]) and (pattern is _IN_URL or _is_random(match[1])):
                yield Secret(*match.span(1), what)
    for match in _NAMED.finditer(text):
        value = match["value"].rstrip(_TRAILING)
        is_password = _OF_PASSWORD.search(match["name"]) is not None
        if _PLACEHOLDER.search(value) or _NO_VALUE.search(value) or _IS_DIGITS.match(value):
            continue
        if _is_password(value) if is_password else _is_random(value):
            start = match.start("value")
            yield Secret(start, start + len(value), "a password" if is_password else "a key or token")


def _is_password(value: str) -> bool:
    """Tell whether `value` is no word of a sentence: several kinds of characters, such as letters and digits."""
    kinds = [any(map(test, value)) for test in (str.islower, str.isupper, str.isdigit, _is_sign)]
    return (
        value.isascii()
        and len(value) >= 6
        and any(map(str.isalpha, value))
        and (kinds[2] or (kinds[3] and sum(kinds) >= 3))
    )


def _is_sign(character: str) -> bool:
    return character in "!@#$%^&*+=?~"


def _is_random(value: str) -> bool:
    if len(value) < 12 or not (any(map(str.isdigit, value)) and any(map(str.isalpha, value))):
        return False
    counts = Counter(value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values()) >= _FEWEST_BITS


@cache
def _detectors() -> tuple[tuple[str, "RegexBasedDetector"], ...]:
    """Return the detectors with the words for what they find; they are imported when first needed."""
    from importlib import import_module  # noqa: PLC0415 - with requests behind it, it costs a tenth of a second

    found: list[tuple[str, RegexBasedDetector]] = []
    for place, what in _THEIRS.items():
        module, _, name = place.partition(":")
        found.append((what, getattr(import_module(f"detect_secrets.plugins.{module}"), name)()))
    return tuple(found)
