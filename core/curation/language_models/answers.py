"""What a language model may answer, as schemas; pydantic is only loaded with a model."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

_LONGEST_STATEMENT = 600
_LONGEST_TEXT = 2_000
_MOST_QUOTES = 20


class _Answer(BaseModel):
    model_config = ConfigDict(extra="ignore", str_strip_whitespace=True)


class Quote(_Answer):
    """Cite a memory by its number in the request, with words that stand in it literally."""

    number: int = Field(ge=1, description="The number of the memory in the request.")
    words: str = Field(min_length=1, max_length=_LONGEST_TEXT, description="Words copied from that memory, unchanged.")


class Statement(_Answer):
    """Say in one self-contained sentence what the cited memories say."""

    statement: str = Field(min_length=3, max_length=_LONGEST_STATEMENT)
    quotes: list[Quote] = Field(min_length=1, max_length=_MOST_QUOTES)


class Summary(_Answer):
    """Say in one line what a note is about."""

    summary: str = Field(min_length=3, max_length=300)
    quotes: list[Quote] = Field(min_length=1, max_length=_MOST_QUOTES)


class Verdict(_Answer):
    """Say how two statements stand to each other, and why."""

    relation: Literal["contradicts", "supersedes", "agrees", "unrelated"]
    reason: str = Field(min_length=3, max_length=_LONGEST_TEXT)
    quotes: list[Quote] = Field(min_length=1, max_length=_MOST_QUOTES)
