# SPDX-License-Identifier: Apache-2.0
"""The inputs of a kit that it holds as recipes: making them on the kit's host.

``data/recipes.txt`` has a line ``file PATH SHA256 SIZE`` for each such file. Its further lines are
``stored OFFSET SIZE``, the next bytes of ``data/stored.bin``, and what ``make_data.cpp`` makes. A
kit carries this module, so it needs nothing but the standard library of Python 3.8.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.files import sha256_of
from aclnn_cts.run.process import digest_of, start_command

RECIPES, STORED, MAKER = "data/recipes.txt", "data/stored.bin", "make_data"
_PARTIAL = ".partial"


@dataclass(frozen=True)
class Recipe:
    """How a file is made.

    Attributes:
        stored: Offset, size, and place in the stored bytes of each part that was stored.
        made: The lines of the parts that are made.
    """

    path: str
    sha256: str
    size: int
    stored: Sequence[tuple[int, int, int]]
    made: Sequence[str]


def read_recipes(kit: Path) -> Iterator[Recipe]:
    """Yield the recipes of a kit, if it has any."""
    path = kit / RECIPES
    text = path.read_text() if path.is_file() else ""
    place = 0
    for part in text.split("file ")[1:]:
        heading, *lines = part.splitlines()
        name, sha256, size = heading.split()
        stored, made = [], []
        for line in lines:
            if not line.startswith("stored "):
                made.append(line)
                continue
            offset, count = map(int, line.split()[1:])
            stored.append((offset, count, place))
            place += count
        yield Recipe(name, sha256, int(size), stored, made)


def make_inputs(kit: Path, maker: Path) -> None:
    """Make the files that are not there yet, and compare each with its digest.

    Args:
        maker: The program that ``make_data.cpp`` was built to.

    Raises:
        NotTrustworthyError: This host makes other data.
        OSError: A file cannot be written.
    """
    folder = kit / "data"
    missing = [r for r in read_recipes(kit) if digest_of(folder / r.path) != r.sha256]
    if not missing:
        return
    with (kit / STORED).open("rb") as stored:
        for recipe in missing:
            path = folder / (recipe.path + _PARTIAL)
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("wb") as file:
                file.truncate(recipe.size)
                for offset, size, place in recipe.stored:
                    stored.seek(place)
                    file.seek(offset)
                    file.write(stored.read(size))
    lines = (line for r in missing for line in (f"file {r.path}{_PARTIAL}", *r.made))
    result = subprocess.run(  # noqa: S603
        [*start_command(maker), str(folder)],
        input="".join(f"{line}\n" for line in lines).encode(),
        stderr=subprocess.PIPE,
        check=False,
    )
    if result.returncode:
        raise OSError(0, result.stderr.decode("utf-8", "replace").strip(), str(folder))
    for recipe in missing:
        path = folder / (recipe.path + _PARTIAL)
        if sha256_of(path) != recipe.sha256:
            raise NotTrustworthyError(
                f"{path}: this host does not make the data that were packed; build with another "
                "compiler (CXX), or pack the kit with --store-inputs"
            )
        path.replace(folder / recipe.path)
