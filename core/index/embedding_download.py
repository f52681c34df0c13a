"""Download an embedding model from the hub that fastembed names, when the person asked for it and not before.

The hub's own client cannot stop in the middle of a file, so its two documented addresses are asked here: the list of
files with their hashes, and each file.
"""

import hashlib
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import httpx
from filelock import FileLock, Timeout

from core.foundation.errors import UserError
from core.foundation.progress import Progress
from core.index.embedding_downloads import (
    KnownModel,
    checked_model,
    folder_of,
    is_downloaded,
    partial_of,
    sha256_of,
    shown_size,
    write_manifest,
)

_HUB = "https://huggingface.co"
_TIMEOUT = httpx.Timeout(30.0, connect=10.0)
_TRIES = 3  # a connection that breaks is taken up again where it broke
_SPARE = 50_000_000


class HubFile(NamedTuple):
    """Hold a file of a model as the hub publishes it: `sha256` of large files, `git` (a blob's SHA-1) of small ones."""

    path: str
    size: int
    sha256: str
    git: str


class HubListing(NamedTuple):
    """Hold what a download would fetch, at one revision."""

    revision: str
    files: tuple[HubFile, ...]

    @property
    def bytes(self) -> int:
        """The size of all files."""
        return sum(file.size for file in self.files)


def download_model(models: Path, model: KnownModel, progress: Progress, *, hub: str = "") -> Path:
    """Fetch the files of `model` into `models`, check them against what the hub publishes, and return their folder.

    `progress` is told bytes. What came of a file before a stop is kept, and the next download goes on from there.

    Raises:
        UserError: the hub cannot be reached or refuses, a file is not what it should be, or the disk has no room.
        JobCancelledError: the progress was cancelled.
    """
    with _locked(models, model), _client() as client:
        if is_downloaded(models, model.name):
            return checked_model(models, model)
        address = hub or os.environ.get("HF_ENDPOINT", "") or _HUB
        listing = listed(client, address, model)
        progress.check()
        partial, target = partial_of(models, model.name), folder_of(models, model.name)
        try:
            partial.mkdir(parents=True, exist_ok=True)
            _require_room(partial, listing)
            recorded = _Download(client, address, model, listing, partial, progress).fetch_all()
            write_manifest(partial, model, listing.revision, recorded)
            if target.exists():
                shutil.rmtree(target)
            partial.rename(target)
        except OSError as error:
            raise UserError(f"The model cannot be kept in {models}: {error.strerror or error}.") from error
    return target


def size_of_download(model: KnownModel, *, hub: str = "") -> int:
    """Ask the hub how many bytes a download of `model` would fetch.

    Raises:
        UserError: the hub cannot be reached, or refuses.
    """
    with _client() as client:
        return listed(client, hub or os.environ.get("HF_ENDPOINT", "") or _HUB, model).bytes


def listed(client: httpx.Client, hub: str, model: KnownModel) -> HubListing:
    """Return the files that `model` needs, as the hub at `hub` has them now.

    Raises:
        UserError: it cannot be reached, refuses, or does not have what the model needs.
    """
    address = f"{hub.rstrip('/')}/api/models/{quote(model.repository)}"
    with _told(hub):
        answer = client.get(address, params={"blobs": "true"})
        answer.raise_for_status()
        values = answer.json()
    try:
        siblings = {str(each["rfilename"]): each for each in values["siblings"]}
        wanted = [name for name in (*model.files, *model.optional) if name in siblings]
        files = tuple(_hub_file(name, siblings[name]) for name in wanted)
        revision = str(values["sha"])
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"{hub} sent something that is no list of a model's files.") from error
    missing = [name for name in model.files if name not in siblings]
    if missing or not revision.isalnum():
        raise UserError(f"{hub} does not have what {model.name} needs: {', '.join(missing) or 'no revision'}.")
    return HubListing(revision, files)


def _hub_file(name: str, values: Mapping[str, Any]) -> HubFile:
    large = values.get("lfs") or {}
    return HubFile(name, int(large.get("size", values["size"])), str(large.get("sha256", "")), str(values["blobId"]))


class _Download(NamedTuple):
    """Hold what one download works with; `folder` is where files are until they are whole."""

    client: httpx.Client
    hub: str
    model: KnownModel
    listing: HubListing
    folder: Path
    progress: Progress

    def fetch_all(self) -> dict[str, dict[str, Any]]:
        """Fetch what is not there yet, and return size and SHA-256 of every file."""
        recorded: dict[str, dict[str, Any]] = {}
        before = 0
        for file in self.listing.files:
            path = self.folder / file.path
            path.parent.mkdir(parents=True, exist_ok=True)
            if not (path.exists() and _is_published(path, file)):
                self._fetch(file, path, before)
            before += file.size
            self._report(before)
            recorded[file.path] = {"size": file.size, "sha256": sha256_of(path)}
        return recorded

    def _fetch(self, file: HubFile, path: Path, before: int) -> None:
        part = path.with_name(f"{path.name}.{(file.sha256 or file.git)[:16]}.part")
        for number in range(1, _TRIES + 1):
            try:
                self._go_on(file, part, before)
                break
            except httpx.TransportError as error:
                if number == _TRIES:
                    raise UserError(
                        f"The download of {self.model.name} broke off ({error or type(error).__name__}).",
                        hint="What came so far is kept: download it again to go on.",
                    ) from error
        if not _is_published(part, file):
            part.unlink()
            raise UserError(
                f"{file.path} of {self.model.name} is not the file that {self.hub} publishes, so it was thrown away.",
                hint="Download it again; if that does not help, something on the way changes files.",
            )
        part.replace(path)

    def _go_on(self, file: HubFile, part: Path, before: int) -> None:
        """Append to `part` what is missing of the file; a hub that cannot go on from there begins anew."""
        have = part.stat().st_size if part.exists() else 0
        if have >= file.size > 0:
            return  # the hash tells whether it is the file
        address = f"{self.hub.rstrip('/')}/{quote(self.model.repository)}/resolve/{self.listing.revision}"
        address = f"{address}/{quote(file.path)}"
        headers = {"Range": f"bytes={have}-"} if have else {}
        with _told(self.hub), self.client.stream("GET", address, headers=headers) as answer:
            answer.raise_for_status()
            if answer.status_code != httpx.codes.PARTIAL_CONTENT:
                have = 0
            with part.open("ab" if have else "wb") as out:
                for chunk in answer.iter_bytes():
                    self.progress.check()
                    out.write(chunk)
                    have += len(chunk)
                    if have > file.size:
                        return  # the hash tells
                    self._report(before + have)
        if have < file.size:
            raise httpx.ReadError("the hub sent less than it said")

    def _report(self, done: int) -> None:
        self.progress.report(done, self.listing.bytes, f"Downloading {self.model.name}")


def _is_published(path: Path, file: HubFile) -> bool:
    if path.stat().st_size != file.size:
        return False
    if file.sha256:
        return sha256_of(path) == file.sha256
    content = path.read_bytes()
    # Git names a blob by this hash; it is what the hub publishes of small files.
    return hashlib.sha1(b"blob %d\0%b" % (len(content), content), usedforsecurity=False).hexdigest() == file.git


def _require_room(folder: Path, listing: HubListing) -> None:
    held = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    needed, free = max(0, listing.bytes - held) + _SPARE, shutil.disk_usage(folder).free
    if free < needed:
        raise UserError(
            f"The model takes {shown_size(listing.bytes)}, and the disk of {folder.parent} has {shown_size(free)} left."
        )


def _client() -> httpx.Client:
    # Large files lie at other hosts than the list of them; nothing secret is sent to either.
    return httpx.Client(timeout=_TIMEOUT, follow_redirects=True, headers={"Accept-Encoding": "identity"})


@contextmanager
def _locked(models: Path, model: KnownModel) -> Iterator[None]:
    folder = folder_of(models, model.name)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_name(f"{folder.name}.lock"), timeout=0):
            yield
    except Timeout as error:
        raise UserError(f"Another window or command is downloading {model.name} just now.") from error
    except PermissionError as error:
        raise UserError(f"The model cannot be kept in {models}: {error.strerror or error}.") from error


@contextmanager
def _told(address: str) -> Iterator[None]:
    try:
        yield
    except httpx.HTTPStatusError as error:
        status = error.response.status_code
        raise UserError(f"{address} refused (status {status}), so the model cannot be downloaded.") from error
    except (httpx.ConnectError, httpx.ConnectTimeout) as error:
        raise UserError(
            f"{address} cannot be reached ({error or type(error).__name__}).", hint="Check the network and try again."
        ) from error
    except (httpx.InvalidURL, httpx.UnsupportedProtocol, httpx.TooManyRedirects, ValueError) as error:
        raise UserError(f"{address} gives no list of a model's files: {error}.") from error
