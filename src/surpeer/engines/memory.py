"""How much memory a run may take, and what fits into it.

Loads no library: what libraries are to do with memory has to be said before they are loaded.
"""

import contextlib
import ctypes
import gc
import os
from pathlib import Path

# What is left for other programs where nobody said how much memory there is for us.
SHARE_OF_FREE = 0.7

# Bytes for each review and for each paper that computing takes beside the reviews themselves, measured.
PER_REVIEW = 60
PER_REVIEW_AND_SUM = 4
PER_PAPER = 500

# The same for each column of texts, of which there are copies, however short they are; and for each byte of a row where
# there are any. Measured, where each review is the only one of its paper.
PER_TEXT, COPIES_OF_TEXT = 70, 2.2

# How often texts of papers are there while papers are ranked.
COPIES_TO_RANK = 3

# Bytes for each sum of a paper while it is added up, measured. How many papers there are is not known before all is
# read, so that each may have one review only.
PER_SUM = 20

# What DuckDB takes by itself once it has added up anything, and for each sum that it is asked for.
DATABASE, PER_SUM_OF_QUERY = 60_000_000, 300_000

# The same for each review, for each of its sums, and for each byte of a row where there are texts; measured, where each
# review is the only one of its paper.
PER_REVIEW_IN_DATABASE, PER_SUM_IN_DATABASE, COPIES_IN_DATABASE = 110, 50, 4.2

# Reviews whose sums are one table: the more, the more papers are alike and scored once. Of the memory beside the
# program a table takes one over TABLES: there are several, with copies, and what is made of them.
LEAST_OF_TABLE, MOST_OF_TABLE = 1 << 13, 1 << 21
TABLES = 36

# Bytes for each kind of papers, so that all kinds together take a small part of the memory.
PER_KIND = 2000

# Python with numpy, scipy and polars.
ITSELF = 150_000_000

# Batches of reviews on their way.
BATCHES = 120_000_000

LEAST = 384_000_000
"""What can be asked for."""

# The least that reading takes, beside levels and what files take as long as any of their rows are read; measured.
TO_READ = 258_000_000

# Bytes that learning takes, and for each paper and level, pair of levels, and sum that predictions with many decimals
# and those that leave something open have more than others; measured.
LEARNING, TO_LEARN_LEVEL, TO_LEARN_PAIR, TO_LEARN_SUM = 50_000_000, 260, 60, 20

# How often sums to learn from are there at the same time: as they were found, by track, and what is made of them.
SAMPLES = 3

# Bytes for each pair of levels that batches on their way take, measured.
PER_LEVELS = 1_800_000

# The part of what is left that is planned with.
NOT_TO_THE_BRIM = 0.95

# Settings of the system's allocator, by the numbers that its header gives them.
M_ARENA_MAX, M_MMAP_THRESHOLD, M_TRIM_THRESHOLD = -8, -3, -1
LARGE_PIECE = 1 << 24
MEDIUM_PIECE = 1 << 20

# Settings of allocators that libraries bring along; they count when a library is loaded. Otherwise pyarrow keeps what
# it had from all others, and polars keeps it for one or two seconds: up to a fifth of the memory.
ALLOCATOR_OF_PYARROW, OF_SYSTEM = "ARROW_DEFAULT_MEMORY_POOL", "system"
ALLOCATOR_OF_POLARS, FOR_A_TENTH = "_RJEM_MALLOC_CONF", "dirty_decay_ms:100,muzzy_decay_ms:0"

# So much freed memory is kept for the next piece: the system takes its time to hand out memory that is empty.
KEPT = 1 << 24

MEMORY_OF_LINUX = Path("/proc/meminfo")
OWN_MEMORY = Path("/proc/self/status")


def memory_limit(asked: int | None) -> int | None:
    """Bytes that the whole process may take; None where nobody knows."""
    if asked is not None:
        return asked
    free = free_memory()
    return None if free is None else int(free * SHARE_OF_FREE)


def free_memory() -> int | None:
    """Bytes that programs can have without others being put on disk; None where nobody can tell."""
    return _read(MEMORY_OF_LINUX, "MemAvailable:")


def reviews_fit(
    rows: int, bytes_per_row: int, sums: int, limit: int | None, texts: int = 0, database: bool = False
) -> bool:
    """Whether so many reviews can be added up in memory.

    sums : how many there are for each paper; texts : how many columns are texts; database : whether DuckDB does it
    """
    if database:
        adding_up, copies = PER_REVIEW_IN_DATABASE + sums * PER_SUM_IN_DATABASE, COPIES_IN_DATABASE
    else:
        adding_up, copies = max(PER_REVIEW + sums * PER_REVIEW_AND_SUM, sums * PER_SUM), COPIES_OF_TEXT
    if texts:
        adding_up += texts * PER_TEXT + int(copies * bytes_per_row)
    return limit is None or ITSELF + rows * (bytes_per_row + adding_up) <= limit


def reviews_of_table(sums: int, limit: int | None) -> int:
    """Of how many reviews sums are kept in one table, of those that are in memory at the same time, if each is the only
    one of its paper. sums : how many there are for each paper"""
    if limit is None:
        return MOST_OF_TABLE
    return max(LEAST_OF_TABLE, min(MOST_OF_TABLE, (limit - ITSELF) // TABLES // (8 * (1 + sums))))


def papers_fit(papers: int, limit: int | None, texts: int = 0) -> bool:
    """Whether so many papers can be ranked in memory. texts : bytes of their ids, titles and tracks that are texts"""
    return limit is None or ITSELF + papers * PER_PAPER + texts * COPIES_TO_RANK <= limit


def kinds_fit(limit: int | None) -> int:
    """How many kinds of papers can be kept beside papers that are on disk."""
    return (ITSELF if limit is None else max(0, limit - ITSELF)) // PER_KIND


def least_memory(levels: int, papers: int, more_sums: int = 0, database: int = 0) -> int:
    """The least memory that a run can keep to.

    papers : that the method learns from, 0 if it does not; more_sums : of each paper, than whole per cents have
    database : bytes that it takes by itself, if there is one
    """
    beside_batches = max(_to_learn(papers, levels, more_sums), levels**2 * PER_LEVELS)
    return max(LEAST, ITSELF + BATCHES + beside_batches + database)


def least_to_read(held: int, levels: int = 2, database: int = 0) -> int:
    """The same for files of which reading any row takes so many bytes, before anything is learned."""
    least = least_memory(levels, papers=0, database=database)
    return max(least, held + TO_READ + levels**2 * PER_LEVELS + database)


def left_to_look(limit: int) -> int:
    """What files may take to say what is in them, before any row is read."""
    return max(0, limit - TO_READ)


def memory_to_learn(sample: int, papers: int, levels: int) -> int:
    """What it takes to learn from a sample of so many bytes, of which so many papers at most are of one track."""
    return ITSELF + BATCHES + SAMPLES * sample + _to_learn(papers, levels)


def sample_that_fits(limit: int) -> int:
    """Bytes of a sample, at most, for which there is memory."""
    return max(0, limit - ITSELF - BATCHES - LEARNING) // SAMPLES


def _to_learn(papers: int, levels: int, more_sums: int = 0) -> int:
    of_paper = levels * TO_LEARN_LEVEL + levels**2 * TO_LEARN_PAIR + more_sums * TO_LEARN_SUM
    return LEARNING + papers * of_paper if papers else 0


def left_of(limit: int) -> int:
    """The limit that is as good as this one for a part of the run that begins now, and expects a fresh process.

    What was freed is given back to the system first, as far as that can be asked for; some of it is kept for a while.
    """
    gc.collect()
    give_back()
    left = int(limit * NOT_TO_THE_BRIM) - max(0, (own_memory() or ITSELF) - ITSELF)
    return max(ITSELF + (limit - ITSELF) // 4, left)  # with next to nothing, every paper would have a file of its own


def have_libraries_keep_little() -> None:
    """Have libraries that are not loaded yet give memory back soon.

    Polars leaves its own settings in the environment of programs that are started from where it is loaded. The last
    ones count.
    """
    os.environ.setdefault(ALLOCATOR_OF_PYARROW, OF_SYSTEM)
    before = os.environ.get(ALLOCATOR_OF_POLARS)
    os.environ[ALLOCATOR_OF_POLARS] = f"{before},{FOR_A_TENTH}" if before else FOR_A_TENTH


def keep_little() -> None:
    """Have freed memory used again by all threads, and large pieces given back at once, where that can be asked for.

    By default every thread keeps some of what it had, which can double the memory of a process.
    """
    os.environ.setdefault(ALLOCATOR_OF_PYARROW, OF_SYSTEM)
    with contextlib.suppress(OSError, AttributeError):
        library = ctypes.CDLL(None)
        library.mallopt(M_ARENA_MAX, 1)
        library.mallopt(M_MMAP_THRESHOLD, LARGE_PIECE)
        library.mallopt(M_TRIM_THRESHOLD, KEPT)


def keep_least() -> None:
    """Have pieces that are not small given back at once, too, which takes some time. Between dictionaries and pages of
    Parquet files that come and go, pieces of some megabytes leave gaps: a fourth of the memory was taken that nobody
    used."""
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, MEDIUM_PIECE)


def give_back() -> None:
    """Give memory that was freed back to the system, where that can be asked for: it would be kept for later."""
    with contextlib.suppress(OSError, AttributeError):  # there is such a function on Linux
        ctypes.CDLL(None).malloc_trim(0)


def own_memory() -> int | None:
    """Bytes that this process has now; None where nobody can tell."""
    return _read(OWN_MEMORY, "VmRSS:")


def _read(path: Path, name: str) -> int | None:
    try:
        lines = path.read_text().splitlines()
    except OSError:
        return None
    found = [line.split()[1] for line in lines if line.startswith(name)]
    return int(found[0]) * 1024 if found else None
