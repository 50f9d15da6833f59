"""No large file is kept in the repository: each stays in everybody's copy for good, also after it was removed."""

import shutil
import subprocess
import sys
from pathlib import Path

MOST_BYTES = 1_000_000


def main() -> None:
    git = shutil.which("git")
    listed = git and subprocess.run([git, "ls-files", "-z"], check=False, capture_output=True, text=True)
    if not listed or listed.returncode != 0:  # sources without a repository, such as an sdist
        print("no repository: sizes of files are not checked")
        return
    sizes = {name: Path(name).stat().st_size for name in listed.stdout.split("\0") if name and Path(name).is_file()}
    large = [
        f"{name}: found {size:,} bytes, expected {MOST_BYTES:,} at most"
        for name, size in sizes.items()
        if size > MOST_BYTES
    ]
    if large:
        sys.exit("\n".join([*large, "take them out: git rm --cached FILE"]))
    print("no large file is tracked")


if __name__ == "__main__":
    main()
