"""The pictures of the application in the documentation: there, of one width, and small."""

import pytest
import write_web_pictures as pictures
from PIL import Image

NAMES = ("import-problems", "my-papers", "overview", "paper", "ranking", "review", "review-phone")
MOST_BYTES = 200_000


@pytest.mark.parametrize("name", NAMES)
def test_a_picture_is_there_and_small(name: str) -> None:
    path = pictures.FOLDER / f"{name}.png"
    assert path.stat().st_size <= MOST_BYTES
    expected = pictures.PHONE if "phone" in name else pictures.WIDE
    with Image.open(path) as picture:
        assert picture.width == expected["width"]


def test_every_picture_is_looked_at() -> None:
    assert sorted(path.stem for path in pictures.FOLDER.iterdir()) == sorted(NAMES)
