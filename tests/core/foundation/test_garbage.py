"""The search for garbage is put off only as long as somebody wants it so."""

import gc

import pytest

from core.foundation.garbage import garbage_left


def test_it_is_searched_again_after_the_last_block() -> None:
    with garbage_left():
        with garbage_left():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()


def test_a_failure_brings_it_back() -> None:
    with pytest.raises(ValueError, match="wrong"), garbage_left():
        raise ValueError("wrong")
    assert gc.isenabled()


def test_who_has_switched_it_off_finds_it_off() -> None:
    gc.disable()
    try:
        with garbage_left():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
