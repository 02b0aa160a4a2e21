#!/usr/bin/env python3
"""Prints the JSON schema of tokend.yaml, for editors, from the tables of docs/configuration.md."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).parents[1]
NAME = "^[A-Za-z0-9_-]{1,64}$"
TEXT = {"type": "string", "minLength": 1}


def rows():
    """Each setting's path, type, default and meaning, as in the tables, whose cells are tested against the parser."""
    for line in (ROOT / "docs" / "configuration.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if len(cells) == 5 and re.fullmatch(r"`[\w.*]+`", cells[0]):
            yield cells[0].strip("`"), cells[1], cells[2], cells[4]


def integers(bounds):
    """An integer between bounds, or the only one that there is."""
    first, _, last = bounds.partition(" to ")
    return {"type": "integer", "minimum": int(first), "maximum": int(last or first)}


def schema(kind, codes):
    """The schema of a type in the tables, which has some names in backticks."""
    if kind.startswith("list of "):
        return {"type": "array", "items": schema(kind.removeprefix("list of "), codes)}
    if kind.startswith("integer, "):
        return integers(kind.removeprefix("integer, "))
    if kind.startswith("duration, "):
        return {"type": "string", "pattern": "^(0|[1-9][0-9]*)[smh]$"}
    if kind == "Boolean":
        return {"type": "boolean"}
    if kind == "text, integer or Boolean":
        return {"type": ["string", "integer", "boolean"]}
    if kind == "text or list of texts":
        return {"anyOf": [TEXT, {"type": "array", "items": TEXT, "minItems": 1}]}
    if kind.endswith("a list of IDs, or a mapping"):
        return {"anyOf": [TEXT, {"type": "array", "items": TEXT, "minItems": 1}, {"type": "object"}]}
    # Without the words between them, only names are left.
    if codes and not re.sub(r"`\w+`|, |\bor\b", "", kind).strip():
        return {"enum": codes}
    return dict(TEXT)


def main():
    """Puts each setting in its place, and what describes it."""
    document = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "tokend.yaml",
        "description": "The configuration of tokend, for editors. `tokend check` is the authority.",
        "required": ["version", "kinds", "callers", "grants"],
    }
    models = {}

    def place(path):
        """The schema at a path, with all that is above it."""
        node = document
        for name in path.split("."):
            node = next((choice for choice in node.get("anyOf", []) if choice["type"] == "object"), node)
            node.update({"type": "object", "additionalProperties": node.get("additionalProperties", False)})
            if name == "*":
                if not node["additionalProperties"]:
                    node["additionalProperties"] = {}
                node = node["additionalProperties"]
            else:
                node = node.setdefault("properties", {}).setdefault(name, {})
        return node

    for path, kind, default, meaning in rows():
        codes = re.findall(r"`([^`]+)`", kind)
        node = place(path)
        if kind.startswith("as "):
            models[path] = codes[0]
        elif kind != "mapping":
            node.update(schema(kind, codes))
            if node.get("type") == "array" and default != "`[]`":
                node["minItems"] = 1
        # The first sentence says what it is.
        node["description"] = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.split(r"(?<=\.) ", meaning)[0]).replace("`", "")
        parent, _, name = path.rpartition(".")
        if default == "required" and parent:
            place(parent).setdefault("required", []).append(name)
        elif default == "one of these":
            choices = place(parent)
            choices = next((choice for choice in choices.get("anyOf", []) if choice["type"] == "object"), choices)
            choices.setdefault("oneOf", []).append({"required": [name]})
    for path, model in models.items():
        node = place(path)
        node.update({**place(model), "description": node["description"]})
    # A caller has one of these; the tables say it in words.
    caller = place("callers.*")
    methods = [name for name, below in caller["properties"].items() if below["type"] == "object"]
    caller["oneOf"] = [{"required": [name]} for name in methods]
    for section in ("callers", "grants", "webhooks"):
        place(section)["propertyNames"] = {"pattern": NAME}
    place("kinds")["propertyNames"] = place("grants.*.kinds")["items"]
    print(json.dumps(document, indent=2, ensure_ascii=False))


if __name__ == "__main__":
    main()
