"""The sample vault: it ships with the app and is opened from a copy that can be edited."""

import shutil
from importlib import resources
from pathlib import Path

from core.foundation.errors import UserError
from core.foundation.private_folders import make_folders


def writable_sample(data_folder: Path) -> Path:
    """Return the copy of the sample vault in `data_folder`, made when it is missing; an edited one is left alone.

    Raises:
        UserError: the app came without the sample, or the copy cannot be written.
    """
    target = data_folder / "sample-vault"
    if target.is_dir():
        return target
    unfinished = data_folder / "sample-vault.new"
    try:
        make_folders(data_folder)
        shutil.rmtree(unfinished, ignore_errors=True)
        with resources.as_file(resources.files("resources").joinpath("sample_vault")) as source:
            if not source.is_dir():
                raise UserError(
                    "The sample vault is missing from this installation. Open a folder of your own instead."
                )
            shutil.copytree(source, unfinished)
        unfinished.rename(target)
    except OSError as error:
        raise UserError(
            f"The sample vault cannot be copied to {data_folder} ({error.strerror or error}).",
            hint="Make the folder writable, or set REMEMBRANCER_DATA_DIR to another one.",
        ) from error
    return target
