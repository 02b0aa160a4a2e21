#!/usr/bin/env python3
"""Writes a program's man page, in mdoc, from the program's own description of its commands.

    PROGRAM --experimental-dump-help | manual.py SECTION DATE
"""

import json
import sys

FILES = {
    "tokend": [
        ("/etc/tokend/tokend.yaml", "The configuration, unless another one is named."),
        ("/var/lib/tokend/audit.jsonl", "The audit trail, in the package's configuration."),
    ],
    "tokenctl": [("/etc/tokend/tokend.yaml", "The configuration that doctor and keys promote read.")],
}
ENVIRONMENT = {
    "fleet-engine-emulator": {
        "FLEET_ENGINE_EMULATOR_HOST": "Set for the command of exec: HOST:PORT of the REST API.",
        "FLEET_ENGINE_EMULATOR_GRPC_HOST": "Set for the command of exec: HOST:PORT of the gRPC API.",
        "FLEET_ENGINE_EMULATOR_CONTROL_HOST": "Set for the command of exec: HOST:PORT of the control plane.",
    }
}
ENVIRONMENT_OF_SERVICE = {
    "TOKEND_CONFIG": "The configuration file, if none is named.",
    "TOKEND_LISTEN": "HOST:PORT to listen on, instead of service.listen.",
    "TOKEND_LOG_LEVEL": "The minimum log level.",
    "NO_COLOR": "Turns the log's colours off.",
}
SEE_ALSO = {"tokend": ["tokenctl 1", "systemctl 1"], "tokenctl": ["tokend 8"],
            "fleet-engine-emulator": ["tokend 8"]}


def escaped(text):
    """Text without meaning to the formatter."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    text = "".join(character if character.isascii() else f"\\[u{ord(character):04X}]" for character in text)
    return "\n".join("\\&" + line if line[:1] in ".'" else line for line in text.split("\n"))


def quoted(text):
    return '"' + escaped(text).replace('"', "\\(dq") + '"'


def literal(lines):
    return [".Bd -literal", *(escaped(line) for line in lines), ".Ed"]


def prose(text):
    """A command's discussion: paragraphs, and examples and tables as they are."""
    lines = []
    for paragraph in text.split("\n\n"):
        head, *rest = paragraph.split("\n")
        if rest:
            lines += [".Pp", escaped(head)] if head else []
            lines += literal(rest)
        else:
            lines += [".Pp", escaped(head)]
    return lines


def options(command):
    lines = [".Bl -tag -width Ds"]
    for argument in command.get("arguments", []):
        names = [name["name"] for name in argument.get("names", [])]
        if not argument["shouldDisplay"] or set(names) & {"help", "version"}:
            continue
        value = argument["valueName"]
        if argument["kind"] == "positional":
            lines.append(f".It Ar {escaped(value)}")
        else:
            # mdoc writes one dash before each name.
            flags = " , ".join(f"Fl {escaped(name if len(name) == 1 else '-' + name)}" for name in names)
            lines.append(f".It {flags}" + (f" Ar {quoted(value)}" if argument["kind"] == "option" else ""))
        text = argument.get("abstract", "")
        if values := argument.get("allValues") or argument.get("allValueStrings"):
            text += f" One of: {', '.join(values)}."
        if default := argument.get("defaultValue"):
            text += f" (default: {default})"
        lines.append(escaped(text))
    return [*lines, ".El"] if len(lines) > 1 else []


def commands(command, path):
    """The leaves below a command, each with its path."""
    below = [item for item in command.get("subcommands", []) if item["shouldDisplay"] and item["commandName"] != "help"]
    if not below and path:
        yield path, command
    for item in below:
        yield from commands(item, [*path, item["commandName"]])


def manual(description, section, date):
    command = description["command"]
    name = command["commandName"]
    lines = [f".Dd {date}", f".Dt {name.upper()} {section}", ".Os", ".Sh NAME", f".Nm {name}"]
    lines += [f".Nd {escaped(command['abstract'].rstrip('.'))}", ".Sh SYNOPSIS"]
    lines += [f".Nm\n.Cm {' '.join(path)}\n.Op Ar options" for path, _ in commands(command, [])]
    lines += [".Sh DESCRIPTION"]
    discussion, _, statuses = command.get("discussion", "").partition("EXIT STATUS:\n")
    lines += prose(discussion.strip()) if discussion.strip() else [escaped(command["abstract"])]
    if own := options(command):
        lines += [".Sh OPTIONS", *own]
    lines += [".Sh COMMANDS"]
    for path, item in commands(command, []):
        lines += [f".Ss {' '.join([name, *path])}", escaped(item["abstract"])]
        lines += prose(item.get("discussion", "").partition("EXIT STATUS:")[0].strip()) if item.get("discussion") else []
        lines += options(item)
    lines += [".Sh ENVIRONMENT", ".Bl -tag -width Ds"]
    lines += [f".It Ev {variable}\n{escaped(text)}" for variable, text in ENVIRONMENT.get(name, ENVIRONMENT_OF_SERVICE).items()] + [".El"]
    if name in FILES:
        lines += [".Sh FILES", ".Bl -tag -width Ds"]
        lines += [f".It Pa {path}\n{escaped(text)}" for path, text in FILES[name]] + [".El"]
    if statuses:
        lines += [".Sh EXIT STATUS", *literal(statuses.split("\n"))]
    lines += [".Sh SEE ALSO", " ,\n".join(f".Xr {page}" for page in SEE_ALSO[name])]
    return "\n".join(line for line in lines if line) + "\n"


if __name__ == "__main__":
    sys.stdout.write(manual(json.load(sys.stdin), *sys.argv[1:]))
