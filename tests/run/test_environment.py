# SPDX-License-Identifier: Apache-2.0
"""What a run ran on is what the loader really takes, and stays the same to the end."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from aclnn_cts.errors import NotTrustworthyError
from aclnn_cts.run.build import Compiler, find_compiler
from aclnn_cts.run.environment import (
    Environment,
    Library,
    describe_environment,
    require_same_libraries,
)
from aclnn_cts.run.toolkit import Toolkit, linked_libraries, loader_environment


@dataclass(frozen=True)
class Installed:
    """What a run is about to run on."""

    toolkit: Toolkit
    compiler: Compiler
    programs: tuple[Path, ...]
    devices: tuple[int, ...]
    variables: dict[str, str]

    def describe(self, installation: Path = Path("/none")) -> Environment:
        """What is recorded of it."""
        facts = (self.toolkit, self.compiler, self.programs, self.devices, self.variables)
        return describe_environment(*facts, installation)


@pytest.fixture(scope="module")
def compiler() -> Compiler:
    return find_compiler()


@pytest.fixture
def installed(compiler: Compiler, tmp_path: Path) -> Installed:
    """A toolkit of one library, and a program that needs it; it fails if anybody starts it."""
    libraries, source = tmp_path / "toolkit" / "lib64", tmp_path / "source.cpp"
    libraries.mkdir(parents=True)
    source.write_text("int Answer() { return 42; }\n")
    library = libraries / "libanswer.so"
    for arguments in (
        ["-shared", "-fPIC", str(source), "-o", str(library)],
        ["-x", "c++", "-", "-x", "none", str(library), "-o", str(tmp_path / "program")],
    ):
        text = "int Answer();\nint main() { return *static_cast<volatile int *>(0) + Answer(); }\n"
        subprocess.run([compiler.path, *arguments], input=text, text=True, check=True)
    toolkit = Toolkit(tmp_path / "toolkit", "hardware", version="8.0.0")
    return Installed(toolkit, compiler, (tmp_path / "program",), (1, 3), {"PATH": os.defpath})


def library_of(environment: Environment, name: str) -> Library:
    return next(each for each in environment.libraries if each.name == name)


def test_what_is_recorded(installed: Installed, tmp_path: Path) -> None:
    """Host, releases, devices, and each library's file and digest; the program is not started."""
    (tmp_path / "driver").mkdir()
    (tmp_path / "driver" / "version.info").write_text("Version=24.1\n")
    found = installed.describe(tmp_path)
    assert found.host
    assert (found.architecture, found.compiler) == (os.uname().machine, installed.compiler.version)
    assert (found.toolkit, found.toolkit_version) == (str(tmp_path / "toolkit"), "8.0.0")
    assert (found.driver, found.firmware, found.devices) == ("24.1", "", (1, 3))
    library = tmp_path / "toolkit" / "lib64" / "libanswer.so"
    assert (
        library_of(found, "libanswer.so").sha256 == hashlib.sha256(library.read_bytes()).hexdigest()
    )
    assert any(each.name.startswith("libc.so") for each in found.libraries)


def test_the_simulated_device(installed: Installed) -> None:
    """It is called so, and has no driver, whatever is installed besides."""
    simulated = replace(installed, toolkit=replace(installed.toolkit, kind="simulator"))
    found = simulated.describe()
    assert (found.toolkit, found.driver, found.firmware) == ("simulator", "", "")


def test_what_stands_before_in_the_search(installed: Installed, tmp_path: Path) -> None:
    """This toolkit's folder comes first, also before one that the user's variables name."""
    variables = loader_environment(installed.toolkit, {"LD_LIBRARY_PATH": "/elsewhere", "A": "b"})
    folders = f"{tmp_path / 'toolkit' / 'lib64'}{os.pathsep}/elsewhere"
    assert variables == {"LD_LIBRARY_PATH": folders, "A": "b"}
    bare = loader_environment(installed.toolkit, {})
    assert bare == {"LD_LIBRARY_PATH": str(tmp_path / "toolkit" / "lib64")}


def test_a_library_that_is_not_found(compiler: Compiler, installed: Installed) -> None:
    """It is named, with the program that needs it, and no run begins."""
    library = installed.toolkit.libraries / "libneeded.so"
    (program,) = installed.programs
    command = [compiler.path, "-shared", "-fPIC", "-x", "c++", "/dev/null", "-o", str(library)]
    subprocess.run([*command, f"-Wl,-soname,{library.name}"], check=True)
    text = "int main() {}\n"
    linked = ["-Wl,--no-as-needed", f"-L{library.parent}", "-lneeded", "-o", str(program)]
    command = [compiler.path, "-x", "c++", "-", *linked]
    subprocess.run(command, input=text, text=True, check=True)
    variables = loader_environment(installed.toolkit, installed.variables)
    assert linked_libraries(program, variables)[library.name] == library.resolve()
    library.unlink()
    assert linked_libraries(program, variables)[library.name] is None
    sentence = r"program needs libneeded\.so, which is not found; read the toolkit's set_env\.sh"
    with pytest.raises(NotTrustworthyError, match=sentence):
        installed.describe()


def test_a_program_that_is_none(installed: Installed, tmp_path: Path) -> None:
    """What cannot be started has no libraries to tell."""
    with pytest.raises(NotTrustworthyError, match="its libraries are unknown"):
        linked_libraries(tmp_path / "none", {})
    shutil.copy("/dev/null", installed.programs[0])
    with pytest.raises(NotTrustworthyError, match="its libraries are unknown"):
        installed.describe()


def test_a_program_that_the_loader_does_not_read(
    compiler: Compiler, installed: Installed, tmp_path: Path
) -> None:
    """One without a loader, or that it cannot read, never counts as one without libraries."""
    static = tmp_path / "static"
    command = [compiler.path, "-static", "-x", "c++", "-", "-o", str(static)]
    subprocess.run(command, input="int main() {}\n", text=True, check=True)
    with pytest.raises(NotTrustworthyError, match=r"static: its libraries are unknown: .* none"):
        linked_libraries(static, {})
    (program,) = installed.programs
    content = bytearray(program.read_bytes())
    place = content.index(b"/lib")  # its loader: another program that answers nothing
    end = content.index(b"\0", place)
    content[place:end] = b"/bin/false".ljust(end - place, b"\0")
    program.write_bytes(content)
    with pytest.raises(NotTrustworthyError, match="program: its libraries are unknown: "):
        installed.describe()


def test_a_library_that_the_loader_cannot_read(installed: Installed) -> None:
    """Its last words are told, and no run begins."""
    (installed.toolkit.libraries / "libanswer.so").write_bytes(b"no library" * 100)
    sentence = r"are unknown: .*libanswer\.so: invalid ELF header \(status \d+\)"
    with pytest.raises(NotTrustworthyError, match=sentence):
        installed.describe()


def test_releases_do_not_mix() -> None:
    """A library that came, went or changed is named; where nothing did, all is well."""
    before = Environment(
        toolkit="/cann", toolkit_version="8.0", libraries=(Library("liba.so", "/a", "1"),)
    )
    require_same_libraries(before, replace(before, host="another", devices=(1,)))
    moved = replace(before, libraries=(Library("liba.so", "/b", "1"),))
    require_same_libraries(before, moved)
    changed = replace(before, toolkit_version="8.5", libraries=(Library("liba.so", "/a", "2"),))
    sentence = r"liba\.so has changed since the run began \(/cann 8\.0 then, /cann 8\.5 now\)"
    with pytest.raises(NotTrustworthyError, match=sentence):
        require_same_libraries(before, changed)
    with pytest.raises(NotTrustworthyError, match=r"liba\.so has changed"):
        require_same_libraries(before, replace(before, libraries=()))
