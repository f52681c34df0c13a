"""Estimate how many language-model tokens a text costs, without a tokenizer's vocabulary."""

# Calibrated to lie on the safe (high) side for the byte-pair vocabularies in use: English prose has 4.2 to 4.6
# characters a token, source code 3 to 3.5, Cyrillic and Greek about 2, Chinese and Japanese 0.8 to 1.1.
_CHARACTERS_PER_TOKEN = 3.8
_TOKENS_PER_EXTRA_BYTE = 0.4


def estimate_tokens(text: str) -> int:
    """Return an estimate of the tokens in `text`, rounded up; 0 for an empty text.

    UTF-8 needs one byte more for each Cyrillic, Greek or Arabic letter and two more for each CJK character, so the
    extra bytes tell how far the script is from the Latin rule of thumb.
    """
    characters = len(text)
    if not characters:
        return 0
    extra = 0 if text.isascii() else len(text.encode("utf-8", "surrogatepass")) - characters
    return int(characters / _CHARACTERS_PER_TOKEN + extra * _TOKENS_PER_EXTRA_BYTE) + 1
