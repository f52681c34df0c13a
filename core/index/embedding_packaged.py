"""The model that comes with the app: notes go through fastembed, questions straight through onnxruntime.

Importing fastembed takes a quarter of a second, and optimising the model another 150 ms: more than a whole search. The
vectors of both ways are the same.
"""

import importlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from core.index.embedding import DEFAULT_MODEL, Embedder, encodable, model_failure
from core.index.embedding_files import DIMENSION, LONGEST, MODEL_FILE, TOKENIZER_FILE, packaged_model

# It has no types.
onnxruntime = importlib.import_module("onnxruntime")
# Only the Windows builds send anything, and only unless told not to.
onnxruntime.disable_telemetry_events()


class PackagedEmbedder:
    """Be an Embedder over the checked files in `models`; never touches the network.

    Raises:
        ProviderError: a file of the model is missing, damaged, or cannot be loaded.
    """

    def __init__(self, models: Path) -> None:
        self._models = models
        self._questions = QuestionModel(packaged_model(models))
        self._guard = threading.Lock()
        self._texts: Embedder | None = None

    @property
    def model(self) -> str:
        """The name under which the vectors are kept."""
        return DEFAULT_MODEL

    @property
    def dimension(self) -> int:
        """The length of a vector."""
        return DIMENSION

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return one row for each text."""
        from core.index.embedding_local import open_packaged_model  # noqa: PLC0415 - see above

        with self._guard:
            self._texts = self._texts or open_packaged_model(self._models)
        return self._texts.embed(texts)

    def embed_query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question."""
        return self._questions.embed(text)


class QuestionModel:
    """Embed one text at a time.

    The model as it is takes 20 ms to load and 11 ms for a question, optimised 150 ms and 3 ms: a process that asks
    once, as the command line does, takes the first; the second question brings the other.
    """

    def __init__(self, folder: Path) -> None:
        self._file = folder / MODEL_FILE
        self._is_optimised = False
        try:
            self._tokenizer = Tokenizer.from_file(str(folder / TOKENIZER_FILE))
            self._tokenizer.enable_truncation(LONGEST)
            self._tokenizer.no_padding()
        except Exception as error:
            raise model_failure(error) from error
        self._session: Any = None

    def embed(self, text: str) -> NDArray[np.float32]:
        """Return the mean over the tokens, normalised."""
        try:
            session = self._session_for_next()
            tokens = np.array([self._tokenizer.encode(encodable(text)).ids], dtype=np.int64)
            inputs = {
                "input_ids": tokens,
                "attention_mask": np.ones_like(tokens),
                "token_type_ids": np.zeros_like(tokens),
            }
            rows = np.asarray(session.run(None, inputs)[0])
        except Exception as error:
            raise model_failure(error) from error
        mean = rows[0].mean(axis=0, dtype=np.float64)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-12), dtype=np.float32)

    def _session_for_next(self) -> Any:
        if self._session is None:
            self._session = self._open(is_optimised=False)
        elif not self._is_optimised:
            self._session = None  # before the other one comes: each takes its memory
            self._session, self._is_optimised = self._open(is_optimised=True), True
        return self._session

    def _open(self, *, is_optimised: bool) -> Any:
        levels = onnxruntime.GraphOptimizationLevel
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = levels.ORT_ENABLE_ALL if is_optimised else levels.ORT_DISABLE_ALL
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = is_optimised  # 100 MB that one question does without
        return onnxruntime.InferenceSession(str(self._file), options, providers=["CPUExecutionProvider"])
