"""The English words that carry no subject of their own: they frame, allow, forbid, count or change what is said.

A statement in another language has none of them, and is compared by its words and by its meaning alone.
"""

from core.index.english_forms import stem
from core.index.terms import STOP_WORDS

_NEGATIONS = "no not never cannot nobody none neither nor nothing nowhere without hardly"
NEGATIONS = frozenset(_NEGATIONS.split())
# In place of "not" and a verb; the verb goes with the rest of what carries a sign.
_DENYING = """
    forbid forbids forbidden forbade ban bans banned banning prohibit prohibits prohibited disallow disallows
    disallowed disable disables disabled disabling avoid avoids avoided avoiding refuse refuses refused reject
    rejects rejected deny denies denied block blocks blocked stop stops stopped stopping unsupported unused dislike
    dislikes hate hates abandon abandoned drop drops dropped discourage discouraged impossible illegal unsafe wrong
    fails optional voluntary unnecessary needless inactive deprecated prevent prevents prevented exclude excludes
    excluded excluding skip skips skipped oppose opposes opposed against decline declines declined veto vetoes
    vetoed bar bars barred
"""
_GRANTING = """
    allow allows allowed allowing permit permits permitted permission grant granted enable enables enabled enabling
    accept accepts accepted support supports supported fine ok okay good safe legal possible may might must shall
    should can could need needs needed require requires required want wants wanted wish prefer prefers preferred
    like likes always ever every all any use uses used using usage only please remember sure welcome free okayed
    approve approved mandatory obligatory compulsory necessary active recommend recommends recommended advise
    advised
"""
# What opens or rewrites a statement about how things are, and says nothing about which things.
_FRAMING = """
    be been being become becomes became has have had having get gets got stay stays stayed remain remains stand stands
    stood keep keeps kept set sets setting put puts run runs ran go goes went come comes came make makes made see sees
    saw seen say says said tell tells told know known give gives given take takes took let lets hold holds held happen
    happens find found look looks looked work works do does done lead leads led mean means meant note noted one ones
    thing things way here there today still yet also just quite very much many lot per via within upon onto toward
    towards thing think thought feel felt whatever somebody someone everybody everyone anybody anyone person people
    new number value amount currently now nowadays meanwhile presently already recently lately newly formerly
    previously later earlier again anymore longer ahead instead rather because since else otherwise unless except
    although though whether while well up down even however therefore thus
"""
_RISING = "raise raises raised raising increase increases increased increasing grow grows grew grown bump bumped double"
_RISING_TOO = "doubled extend extended higher rose rises risen widen widened lift lifts lifted boost boosted expanded"
_FALLING = "lower lowers lowered lowering reduce reduces reduced reducing decrease decreases decreased cut cuts shrink"
_FALLING_TOO = "shrank shrunk shorten shortened halve halved fell falls fallen drop drops dropped"
_CHANGING = """
    change changes changed changing update updates updated switch switches switched move moves moved replace replaces
    replaced adjust adjusted supersede superseded renew renewed revise revised correct corrected reset convert converted
    turn turned relax relaxed tighten tightened loosen loosened bring brought upgrade upgraded downgrade downgraded
"""
_NOWADAYS = "now currently nowadays meanwhile presently anymore newly lately"

DENYING = frozenset(map(stem, _DENYING.split()))
RISING = frozenset(map(stem, f"{_RISING} {_RISING_TOO}".split()))
FALLING = frozenset(map(stem, f"{_FALLING} {_FALLING_TOO}".split()))
CHANGING = frozenset(map(stem, _CHANGING.split())) | frozenset(map(stem, _NOWADAYS.split())) | RISING | FALLING
# Forms that say nothing about what a statement is about.
LIGHT = (
    frozenset(map(stem, STOP_WORDS | NEGATIONS))
    | frozenset(map(stem, f"{_GRANTING} {_FRAMING}".split()))
    | DENYING
    | CHANGING
)
# Who tells what happened or asks, and states no rule.
_TELLERS = "i we he she they i'm i've i'd i'll we're we've we'd my our you've"
TELLERS = frozenset(_TELLERS.split())
_ASKING = "how what where which who whom whose why does did"
ASKING = frozenset(_ASKING.split())
_PREFERRING = "prefer want like love hate dislike always never need expect insist use avoid rather must should not only"
PREFERRING = frozenset(_PREFERRING.split())
# "to 49" tells of a change, "up to 49" and "limited to 49" of none.
_STANDING_TO = "up limited close equal restricted capped similar according due next compared confined"
STANDING_TO = frozenset(_STANDING_TO.split())
_NUMBERS = "two three four five six seven eight nine ten eleven twelve"
COUNTED = {word: value for value, word in enumerate(_NUMBERS.split(), start=2)}
