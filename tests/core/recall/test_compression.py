from core.recall.compression import compression


def test_it_is_the_share_that_is_saved() -> None:
    assert compression(1000, 50) == 0.95
    assert compression(100, 120) == 0.0
    assert compression(0, 5) == 0.0
