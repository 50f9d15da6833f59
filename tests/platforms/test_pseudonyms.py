"""Reviewers without their names."""

import re
import stat
from collections.abc import Callable
from pathlib import Path

import pytest
from exports import make_export, read
from hypothesis import given
from hypothesis import strategies as st

from surpeer import InputError, ReviewProblems, SurpeerError, read_reviews
from surpeer.errors import Problem, UnknownName
from surpeer.io.intake.pseudonyms import find_key, hide, numbered, pseudonym, save_key, without_quotations

Write = Callable[[str, str | bytes], Path]

KEY = b"sixteen bytes..."
NAMES = ["alice@example.org", "bob@example.org", None, "alice@example.org"]
TABLE = "paper,reviewer,rating,p_1,p_2\n"


def test_pseudonyms_are_stable_and_depend_on_the_key() -> None:
    assert pseudonym("alice@example.org", KEY) == pseudonym(" Alice@Example.ORG ", KEY) == "r_e8da6f1e17d03587"
    assert pseudonym("alice@example.org", KEY) != pseudonym("bob@example.org", KEY)
    assert pseudonym("alice@example.org", KEY) != pseudonym("alice@example.org", b"another key of 16")


@given(st.text(), st.text())
def test_different_people_have_different_pseudonyms(one: str, other: str) -> None:
    same = one.strip().casefold() == other.strip().casefold()
    assert (pseudonym(one, KEY) == pseudonym(other, KEY)) == same
    assert re.fullmatch("r_[0-9a-f]{16}", pseudonym(one, KEY))


def test_ways_to_hide() -> None:
    assert hide(NAMES, "keep", None) == NAMES
    assert hide(NAMES, "drop", None) is None
    hidden = hide(NAMES, "pseudonym", KEY)
    assert hidden is not None
    assert hidden[0] == hidden[3] != hidden[1]
    assert hidden[2] is None
    assert numbered(NAMES) == ["reviewer 1", "reviewer 2", None, "reviewer 1"]
    with pytest.raises(UnknownName, match='^unknown way to treat reviewers "hash"; known: keep, drop, pseudonym$'):
        hide(NAMES, "hash", KEY)
    with pytest.raises(InputError, match="^pseudonyms need a key; name a file with --key FILE, which is made if it"):
        hide(NAMES, "pseudonym", None)
    with pytest.raises(InputError, match="^found a key of 5 bytes, expected 16 to 64$"):
        hide(NAMES, "pseudonym", b"short")


def test_a_new_key_is_secret_and_stays(tmp_path: Path) -> None:
    path = tmp_path / "venue.key"
    key = find_key(path)
    assert not path.exists()  # until the reviews have been read
    [note] = save_key(key)
    assert note == f"{path}: a new key for pseudonyms; keep it secret, and keep it to get the same pseudonyms again"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert re.fullmatch(b"[0-9a-f]{64}", key.secret)
    assert find_key(path).secret == key.secret
    assert save_key(find_key(path)) == []
    assert find_key(tmp_path / "other.key").secret != key.secret
    with pytest.raises(InputError, match="the key cannot be written: File exists$"):
        save_key(key)


@pytest.mark.parametrize(("content", "length"), [(b"", 0), (b"short\n", 5), (b" " * 40, 0), (b"fifteen bytes..", 15)])
def test_a_short_key_is_refused(content: bytes, length: int, write: Write) -> None:
    path = write("venue.key", content)
    message = f"{path}: found a key of {length} bytes, expected at least 16; use another file"
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        find_key(path)
    assert path.read_bytes() == content


def test_a_long_key_is_used_as_a_whole(write: Write) -> None:
    one = find_key(write("one.key", b"x" * 100 + b"1")).secret
    other = find_key(write("other.key", b"x" * 100 + b"2")).secret
    assert len(one) == len(other) == 64
    assert one != other


def test_a_key_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=f"^{re.escape(str(tmp_path))}: the key cannot be read: Is a directory$"):
        find_key(tmp_path)
    missing = tmp_path / "no" / "venue.key"
    with pytest.raises(InputError, match=f"^{re.escape(str(missing))}: the key cannot be written: No such file"):
        save_key(find_key(missing))


def test_a_key_and_pseudonyms_need_each_other(write: Write) -> None:
    path = write("reviews.csv", TABLE + "A,alice,1,0.5,0.5\n")
    with pytest.raises(InputError, match="^pseudonyms need a key; name a file with --key FILE"):
        read_reviews(path, reviewers="pseudonym")
    with pytest.raises(InputError, match="^a key is for pseudonyms; add --reviewers pseudonym, or leave the key out$"):
        read_reviews(path, key=path.with_name("venue.key"))
    assert not path.with_name("venue.key").exists()


@pytest.mark.parametrize("way", ["drop", "pseudonym"])
def test_reviewers_of_an_export(way: str) -> None:
    reviewer: list[str | None] = ["alice", "bob", "alice", None]
    reviews = read(make_export({"Score": ["1", "2", "1", "2"]}, reviewer=reviewer), reviewers=way, key=KEY)
    if way == "drop":
        assert reviews.reviewer is None
    else:
        assert reviews.reviewer is not None
        assert reviews.reviewer.to_list() == [
            pseudonym("alice", KEY),
            pseudonym("bob", KEY),
            pseudonym("alice", KEY),
            None,
        ]
    assert "alice" not in repr(reviews) + " ".join(reviews.notes)


SECRET = "alice@example.org"
BROKEN = {
    "twice": TABLE + f"A,{SECRET},1,0.5,0.5\nA,{SECRET},2,0.5,0.5\n",
    "ragged": TABLE + f"A,{SECRET},1\nB,{SECRET},1,0.5,0.5,0.5\n",
    "separators": "Paper;Reviewer;Score\n" + f"1,{SECRET},2\n",
    "cut off": f'[{{"paper": "A", "reviewer": "{SECRET}", "rating"',
    "lines": f'{{"paper": "A", "rating": 1}}\n["{SECRET}"]\n',
    "export twice": f"Paper;Reviewer;Score\n1;{SECRET};2\n1;{SECRET};1\n",
    "export ragged": f"Paper,Reviewer,Score\n1,{SECRET},2,3\n2,{SECRET},1\n",
    "quotes": TABLE + f'A,"{SECRET},1,0.5,0.5\n',
    "rating": TABLE + f"A,{SECRET},7,0.5,0.5\n",
}


@pytest.mark.parametrize("name", BROKEN)
@pytest.mark.parametrize("way", ["drop", "pseudonym"])
def test_no_message_shows_a_name(name: str, way: str, write: Write, tmp_path: Path) -> None:
    path = write("reviews.jsonl" if name == "lines" else "reviews.txt", BROKEN[name])
    key = write("venue.key", KEY) if way == "pseudonym" else None
    with pytest.raises(SurpeerError) as caught:
        read_reviews(path, reviewers=way, key=key)
    assert "alice" not in str(caught.value)
    assert str(caught.value).startswith(str(path))


def test_a_review_given_twice_is_found_though_names_are_dropped(write: Write) -> None:
    path = write("reviews.csv", BROKEN["twice"])
    with pytest.raises(ReviewProblems, match='found a second review of paper "A" by "reviewer 1" '):
        read_reviews(path, reviewers="drop")
    sound = write("sound.csv", TABLE + f"A,{SECRET},1,0.5,0.5\nA,bob,2,0.5,0.5\n")
    assert read_reviews(sound, reviewers="drop").reviewer is None
    hidden = read_reviews(sound, reviewers="pseudonym", key=write("venue.key", KEY)).reviewer
    assert hidden is not None
    assert hidden.to_list() == [pseudonym(SECRET, KEY), pseudonym("bob", KEY)]


def test_columns_stay_in_messages() -> None:
    columns = Problem(None, None, 'the columns "a", "b"', "a column paper")
    assert without_quotations(columns) == columns
    cell = Problem(3, "rating", '"x"', "one of 1, 2")
    assert without_quotations(cell) == cell


def test_no_key_is_left_behind_by_reviews_that_cannot_be_read(write: Write, tmp_path: Path) -> None:
    path = write("reviews.csv", TABLE + "A,alice,7,0.5,0.5\n")
    with pytest.raises(InputError):
        read_reviews(path, reviewers="pseudonym", key=tmp_path / "venue.key")
    assert not (tmp_path / "venue.key").exists()
