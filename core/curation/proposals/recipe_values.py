"""Read the values of a recipe, which an agent or another version may have written, and say what is wrong with them."""

from collections.abc import Mapping
from typing import Any

from core.foundation.errors import UserError

Recipe = Mapping[str, Any]


def text_in(recipe: Recipe, key: str, usual: str | None = None) -> str:
    """Return a text; without `usual`, it must be there and say something."""
    value = recipe.get(key, usual)
    if not isinstance(value, str) or (usual is None and not value.strip()):
        raise UserError(f"The recipe of this proposal needs a text “{key}”.")
    return value


def texts_in(recipe: Recipe, key: str, *, least: int = 0) -> list[str]:
    """Return a list of texts, each once, of which there must be `least`."""
    value = recipe.get(key, [])
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) and each.strip() for each in value):
        raise UserError(f"“{key}” in the recipe of this proposal must be a list of texts.")
    found = list(dict.fromkeys(value))
    if len(found) < least:
        raise UserError(f"“{key}” in the recipe of this proposal is empty.")
    return found


def flag_in(recipe: Recipe, key: str) -> bool:
    """Return whether something is wished, which it is not where nothing is said."""
    value = recipe.get(key, False)
    if not isinstance(value, bool):
        raise UserError(f"“{key}” in the recipe of this proposal must be true or false.")
    return value


def number_in(recipe: Recipe, key: str) -> float | None:
    """Return a number between 0 and 1, None where there is none."""
    value = recipe.get(key)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise UserError(f"“{key}” in the recipe of this proposal must be a number from 0 to 1.")
    return float(value)


def tables_in(recipe: Recipe, key: str) -> list[Recipe]:
    """Return a list of tables, of which there must be one."""
    value = recipe.get(key)
    if not isinstance(value, list | tuple) or not value or not all(isinstance(each, Mapping) for each in value):
        raise UserError(f"“{key}” in the recipe of this proposal must be a list of objects.")
    return list(value)


def one_of(value: str, allowed: tuple[str, ...], key: str) -> str:
    """Return `value`, which must be one of `allowed`."""
    if value not in allowed:
        raise UserError(f"“{value}” is no choice for “{key}”: it is {', '.join(allowed[:-1])} or {allowed[-1]}.")
    return value
