#!/usr/bin/env python3
"""Checks that the Swift examples of the documentation compile unchanged, with the imports that they show.

Each example becomes the body of two functions, one on the main actor and one nonisolated. They are compiled as in an app: in Swift 5
mode, in Swift 6 mode, and in Swift 6 mode with the main actor by default, as in new Xcode projects; Examples/RiderApp and the
adapters too. An example without imports uses those of the examples before it in its file; in a source file, all modules.
Tests/Snippets/Context.swift has the declarations of the surrounding app, Tests/Shims those of Apple's and Google's frameworks. A
page that shows a file of Examples must show it unchanged.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCC = ROOT / "Sources/TokenProvider/Documentation.docc"
SWIFT = os.environ.get("SWIFT", "swift")
MODES = [
    "-swift-version 5",
    "-swift-version 6 -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature ExistentialAny",
    "-swift-version 6 -default-isolation MainActor -enable-upcoming-feature NonisolatedNonsendingByDefault "
    "-enable-upcoming-feature InferIsolatedConformances -enable-upcoming-feature MemberImportVisibility",
]
# A part of Foundation is a module of its own on Linux.
NETWORKING = "#if canImport(FoundationNetworking)\nimport FoundationNetworking\n#endif\n"
OF_SOURCES = NETWORKING + "".join(
    f"import {module}\n"
    for module in ["Foundation", "GoogleRidesharingConsumer", "GoogleRidesharingDriver", "TokenProvider", "TokenProviderTesting"]
)


def run(*command):
    return subprocess.run(list(map(str, command)), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def blocks(path):
    """Each block of Swift in a page or in the comments of a source: the text above it, its first line's number, and its lines."""
    lines = path.read_text().splitlines()
    if path.suffix == ".swift":
        lines = [re.sub(r"^ */// ?", "", line) if re.match(r" *///", line) else "" for line in lines]
    start = None
    for number, line in enumerate(lines):
        if start is None and re.fullmatch(r" *```swift *", line):
            start = number
        elif start is not None and re.match(r" *```", line):
            yield "\n".join(lines[:start]).rstrip().rpartition("\n")[2], start + 2, lines[start + 1 : number]
            start = None


def code(path, number):
    """The source of a file's examples, each with the imports that the page has shown until then."""
    imports = OF_SOURCES if path.suffix == ".swift" else ""
    for count, (above, first, lines) in enumerate(blocks(path)):
        if above.startswith("<!-- Examples/") or lines[0].startswith("// swift-tools-version") or lines[0].lstrip().startswith(".package("):
            continue
        for line in lines:
            if re.match(r"import (?!PackageDescription)", line):
                imports += (NETWORKING if line == "import Foundation" else "") + line + "\n"
        # An empty line preserves the line numbers of the rest.
        body = "\n".join("" if line.startswith("import ") else line for line in lines)
        # A test cannot be local to a function.
        is_test = any(line.startswith("@Test") for line in lines)
        heads = ["struct {}"] if is_test else ["nonisolated func {}() async throws", "@MainActor func {}_main() async throws"]
        yield imports + "".join(
            f'{head.format(f"snippet{number}_{count}")} {{\n#sourceLocation(file: "{path}", line: {first})\n{body}\n#sourceLocation()\n}}\n'
            for head in heads
        )


def typecheck(files, modes=MODES, *, options=()):
    """Compiles files together in each mode, without writing anything."""
    modules = run(SWIFT, "build", "--package-path", "Tests/Shims", "--show-bin-path").strip() + "/Modules"
    resources = re.search(r'"runtimeResourcePath": "(.*?)"', run("swiftc", "-print-target-info"))[1]
    for mode in modes:
        run("swiftc", "-typecheck", "-suppress-warnings", *options, "-I", modules, "-plugin-path", f"{resources}/host/plugins/testing",
            *mode.split(), *files)  # fmt: skip


def check_manifests(pages, folder):
    """Checks each line that adds the package to a manifest, and the guide's first program with its whole one."""
    whole, program = [lines for _, _, lines in blocks(DOCC / "UseItInAServer.md")][:2]
    fragments = [lines for page in pages for _, _, lines in blocks(page) if lines[0].lstrip().startswith(".package(")]
    # The oldest version that the guides name for `traits`.
    head = ["// swift-tools-version: 6.1", "import PackageDescription", 'let package = Package(name: "app", dependencies: [']
    for manifest in [whole, *([*head, *fragment, "])"] for fragment in fragments)]:
        # This package on disk, by the name that it has by its URL.
        path = f'.package(name: "fleet-token", path: "{ROOT}",'
        (folder / "Package.swift").write_text(re.sub(r"\.package\(url: [^,]*, from: [^,]*,", path, "\n".join(manifest)))
        run(SWIFT, "package", "--package-path", folder, "dump-package")
    (folder / "main.swift").write_text("\n".join(program))
    typecheck([folder / "main.swift"], ["-swift-version 6"], options=["-module-name", "rider"])


def check_shown(pages):
    """Checks that each block below a line `<!-- Examples/FILE -->` is that file."""
    for page in pages:
        for name, shown in re.findall(r"^<!-- (Examples/.*) -->\n\n?```.*\n((?:.*\n)*?)```", page.read_text(), re.MULTILINE):
            assert (ROOT / name).read_text() == shown, f"{page.name} shows another {name}"


def main():
    run(SWIFT, "build", "--package-path", "Tests/Shims")
    sources = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "Sources").rglob("*.md"), *(ROOT / "Sources").rglob("*.swift")]
    pages = [path for path in sorted(sources) if "```swift" in path.read_text()]
    options = ["-parse-as-library", "-module-name", "Snippets"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        snippets = [text for number, path in enumerate(pages) for text in code(path, number)]
        assert len(snippets) > 3, "no examples found in the documentation"
        files = [folder / f"snippet{number}.swift" for number in range(len(snippets))]
        for file, text in zip(files, snippets):
            file.write_text(text)
        typecheck([ROOT / "Tests/Snippets/Context.swift", *files], options=options)
        typecheck([*ROOT.glob("Examples/RiderApp/*.swift"), *ROOT.glob("Examples/Adapters/*.swift")], options=options)
        check_manifests(pages, folder)
    check_shown([ROOT / "README.md", *DOCC.glob("*.md")])


if __name__ == "__main__":
    try:
        main()
    except (AssertionError, subprocess.CalledProcessError) as error:
        sys.exit(f"check-snippets: {error}")
