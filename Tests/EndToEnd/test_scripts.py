"""The budget of lines: what grew is named, and only who asks for it may raise it."""

import importlib.util
import subprocess

import pytest

from deployment import ROOT

specification = importlib.util.spec_from_file_location("budget", ROOT / "scripts" / "budget.py")
budget = importlib.util.module_from_spec(specification)
specification.loader.exec_module(budget)

# As much comment as is wanted.
FILE = "/// One.\nlet one = 1\n" * 4


@pytest.fixture
def project(tmp_path):
    """A small project with a budget that it fills."""
    for name in ("Sources/One/A.swift", "Sources/Two/B.swift", "Tests/OneTests/ATests.swift"):
        write(tmp_path, name, FILE)
    write(tmp_path, "docs/decisions/limits.md", "one two three\n")
    write(tmp_path, "docs/configuration.md", "| `a.b` | integer | `1` | `2` | What it is. |\n")
    write(tmp_path, "scripts/run.sh", "true\n")
    write(tmp_path, ".gitattributes", "*+Generated.swift linguist-generated\n")
    subprocess.run(["git", "init", "--quiet", tmp_path], check=True)
    for part in budget.Project(tmp_path).sizes():
        assert budget.main(tmp_path, ["--raise", part]) == 0
    # The table is one of the scripts.
    assert budget.main(tmp_path, ["--raise", "scripts"]) == 0
    assert budget.main(tmp_path, []) == 0
    return tmp_path


def write(folder, name, text):
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("Sources/One/A.swift", FILE + "// More.\n", "Sources/One has 9 lines, 1 more than its budget of 8"),
        ("Sources/One/C.swift", "// C.\n", "Sources/One has 2 files, 1 more than its budget of 1"),
        ("Sources/Three/C.swift", "// C.\n", "Sources/Three has 1 lines, and no budget"),
        ("Tests/OneTests/BTests.swift", "// B.\n", "tests has 9 lines, 1 more"),
        ("docs/new.md", "four five\n", "documentation has 18 words, 2 more"),
        ("docs/decisions/reuse.md", "six\n", "decisions has 2 files, 1 more"),
        ("scripts/new.sh", "true\n", "scripts has 3 files, 1 more"),
        ("docs/configuration.md", "| `a.b` | integer | `1` | `2` | x |\n" * 2, "settings has 2 rows, 1 more"),
        ("Sources/One/A.swift", "let one = 1\n" * 8, "Sources have 0.333 lines of comment"),
        ("Sources/One/A.swift", FILE * 12 + FILE * 12, "The median Swift file of Sources has 100 lines"),
    ],
)  # fmt: skip
def test_what_grew_is_named(project, name, text, message, capsys, monkeypatch):
    monkeypatch.setattr(budget, "COMMENTS", 0.75)
    write(project, name, text)
    assert budget.main(project, []) == 1
    assert message in capsys.readouterr().err


def test_an_update_only_lowers(project):
    before = (project / budget.TABLE).read_text()
    write(project, "Sources/One/A.swift", FILE * 2)
    write(project, "Sources/Two/B.swift", "// B.\n")
    assert budget.main(project, ["--update"]) == 0
    after = (project / budget.TABLE).read_text()
    assert '"Sources/One" = {lines = 8, files = 1}' in before and '"Sources/One" = {lines = 8, files = 1}' in after
    assert '"Sources/Two" = {lines = 1, files = 1}' in after
    assert budget.main(project, []) == 1
    assert budget.main(project, ["--raise", "Sources/One"]) == 0
    assert budget.main(project, ["--raise", "Sources"]) == 0
    assert budget.main(project, []) == 0
    (project / "Sources/Two/B.swift").unlink()
    assert budget.main(project, ["--update"]) == 0
    assert "Sources/Two" not in (project / budget.TABLE).read_text()
