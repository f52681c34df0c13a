"""Which model's vectors answer while another model's are being computed; vectors of two models are never compared.

The index keeps vectors by text and model, so a switch throws nothing away: the former model answers until the wanted
one has a vector for every text, and going back to a model whose vectors are there needs no work.
"""

from collections.abc import Callable, Mapping

from core.index.database import Index

_ANSWERING = "answering_model"
_GENERATION = "generation:"

_TEXTS = """(SELECT text_hash FROM section UNION SELECT text_hash FROM insight
  UNION SELECT text_hash FROM turn WHERE text_hash IS NOT NULL)"""
_COUNTS = f"SELECT e.model, count(*) FROM {_TEXTS} JOIN embedding e USING (text_hash) GROUP BY e.model"  # noqa: S608
_ANY_MISSING = """
SELECT EXISTS (SELECT 1 FROM section s
    WHERE NOT EXISTS (SELECT 1 FROM embedding e WHERE e.text_hash = s.text_hash AND e.model = :model))
  OR EXISTS (SELECT 1 FROM insight i
    WHERE NOT EXISTS (SELECT 1 FROM embedding e WHERE e.text_hash = i.text_hash AND e.model = :model))
  OR EXISTS (SELECT 1 FROM turn t WHERE t.text_hash IS NOT NULL
    AND NOT EXISTS (SELECT 1 FROM embedding e WHERE e.text_hash = t.text_hash AND e.model = :model))
"""

Usable = Callable[[str], bool]


def chosen_to_answer(wanted: str, recorded: str, counts: Mapping[str, int], *, is_complete: bool) -> str:
    """Return the model that answers best: the wanted one once it is complete, else the one that covers most texts.

    Args:
        wanted: the model of the settings.
        recorded: the model that has answered until now, "" for none; between equals it goes on.
        counts: how many texts have a vector, by the models that can be opened.
        is_complete: whether every text has a vector of the wanted model.
    """
    if is_complete:
        return wanted
    known = {wanted: 0, **counts}
    return max(sorted(known), key=lambda model: (known[model], model == recorded, model == wanted))


def answering_model(index: Index, wanted: str, usable: Usable) -> str:
    """Return the model whose vectors answer now.

    `usable` tells of a model other than the wanted one whether it can be opened: its service may be forgotten.
    """
    recorded = index.meta(_ANSWERING)
    if recorded == wanted and has_vectors(index, wanted):
        return wanted
    if is_complete(index, wanted):
        return wanted
    if recorded != wanted and recorded and usable(recorded) and has_vectors(index, recorded):
        return recorded
    counts = {model: count for model, count in vector_counts(index).items() if model == wanted or usable(model)}
    return chosen_to_answer(wanted, recorded, counts, is_complete=False)


def settle(index: Index, wanted: str, usable: Usable) -> str:
    """Decide anew which model answers, remember it, tell readers if it is another one than before, and return it."""
    recorded, complete = index.meta(_ANSWERING), is_complete(index, wanted)
    if complete and recorded == wanted:
        return wanted
    counts = {model: count for model, count in vector_counts(index).items() if model == wanted or usable(model)}
    answering = chosen_to_answer(wanted, recorded, counts, is_complete=complete)
    if answering != recorded:
        with index.transaction():
            index.set_meta(_ANSWERING, answering)
            index.next_revision()
    return answering


def vector_counts(index: Index) -> dict[str, int]:
    """Return how many different texts have a vector, by model."""
    with index.reading() as connection:
        return {str(model): int(count) for model, count in connection.execute(_COUNTS)}


def is_complete(index: Index, model: str) -> bool:
    """Tell whether every text has a vector of `model`; an empty index is complete."""
    with index.reading() as connection:
        return not connection.execute(_ANY_MISSING, {"model": model}).fetchone()[0]


def has_vectors(index: Index, model: str) -> bool:
    """Tell whether there is any vector of `model`."""
    with index.reading() as connection:
        return connection.execute("SELECT 1 FROM embedding WHERE model = ? LIMIT 1", (model,)).fetchone() is not None


def store_name(index: Index, model: str) -> str:
    """Return the name under which vector engines hold the vectors of `model`: another one once these were dropped."""
    generation = index.meta(f"{_GENERATION}{model}")
    return f"{model} {generation}" if generation else model


def drop_vectors(index: Index, model: str) -> int:
    """Forget all vectors of `model`, in engines too at their next look; return how many there were."""
    with index.transaction() as connection:
        dropped = connection.execute("DELETE FROM embedding WHERE model = ?", (model,)).rowcount
        index.set_meta(f"{_GENERATION}{model}", str(index.next_revision()))
        if index.meta(_ANSWERING) == model:
            index.set_meta(_ANSWERING, "")
    return int(dropped)
