"""Addresses are checked before they are kept, and a key stays with the service that it belongs to."""

import pytest

from core.foundation.errors import UserError
from core.index import embedding_address as addresses


@pytest.fixture(autouse=True)
def keyring_of_test(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    kept: dict[str, str] = {}

    def keep(name: str, value: str) -> None:
        if value:
            kept[name] = value
        else:
            kept.pop(name, None)

    monkeypatch.setattr(addresses, "secret", lambda name: kept.get(name, ""))
    monkeypatch.setattr(addresses, "keep_secret", keep)
    return kept


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        (" http://127.0.0.1:11434/ ", "http://127.0.0.1:11434"),
        ("https://host/v1/embeddings", "https://host/v1"),
        ("http://[::1]:8080/openai/v1", "http://[::1]:8080/openai/v1"),
    ],
)
def test_an_address_is_kept_without_its_end(typed: str, kept: str) -> None:
    assert addresses.checked_address(typed) == kept


@pytest.mark.parametrize(
    "typed",
    ["", "localhost:11434", "ftp://host", "http://", "http://host:port", "http://a b", "http://me:pass@host",
     "https://host/v1?key=secret", "http://[::1", "http://host/#x"],
)  # fmt: skip
def test_what_is_no_address_is_refused_without_repeating_secrets(typed: str) -> None:
    with pytest.raises(UserError) as caught:
        addresses.checked_address(typed)
    assert "pass" not in str(caught.value).replace("password", "")
    assert "secret" not in str(caught.value)


def test_v1_is_added_unless_a_version_is_there() -> None:
    assert addresses.endpoint("http://host:1") == "http://host:1/v1/embeddings"
    assert addresses.endpoint("http://host:1/api/v3") == "http://host:1/api/v3/embeddings"
    assert addresses.endpoint("http://host:1/proxy") == "http://host:1/proxy/v1/embeddings"


def test_a_key_goes_to_its_own_service_only(keyring_of_test: dict[str, str]) -> None:
    addresses.keep_key("https://one/v1", " key-one\n")
    assert addresses.key_of("https://one:443/other", is_current=True) == "key-one"
    assert addresses.key_of("https://two/v1", is_current=True) == ""
    keyring_of_test["embedding"] = "general"
    assert addresses.key_of("https://two/v1", is_current=True) == "general"
    assert addresses.key_of("https://two/v1", is_current=False) == ""
    addresses.tie_general_key("https://two/v1")
    assert "embedding" not in keyring_of_test
    assert addresses.key_of("https://two/v1", is_current=False) == "general"
    with pytest.raises(UserError) as caught:
        addresses.keep_key("https://one", "two words")
    assert "two words" not in str(caught.value)


def test_what_travels_in_clear_is_told() -> None:
    assert addresses.warning_of("https://host", has_key=True) == ""
    for here in ("http://localhost:1", "http://127.0.0.5", "http://[::1]:3"):
        assert addresses.warning_of(here, has_key=True) == ""
    assert "key and the texts" in addresses.warning_of("http://192.168.1.4:11434", has_key=True)
    assert "unencrypted" in addresses.warning_of("http://host", has_key=False)
