#!/usr/bin/env python3
"""Every JSON document of every command has the keys and types that its schema in docs/cli/schema says.

check_schemas.py CLI SCHEMAS FOLDER...: asks CLI about all reports in the folders.
check_schemas.py --fields SCHEMAS: prints docs/cli/fields.md. Exits with 77 where the
module jsonschema is missing, else with the number of documents that are wrong.
"""

import json
import pathlib
import subprocess
import sys

try:
    import jsonschema
except ImportError:
    print("python3-jsonschema is not installed: nothing is checked")
    sys.exit(77)

WHOLE = 10_000_000  # bytes of a report, up to which it is looked at

# Commands for each report. FILE is replaced by it; the codes are the allowed ones.
ASKED = [
    ("info FILE", {0}),
    ("info FILE --format ndjson", {0}),
    ("range --range 0s:100000s FILE", {0}),
    ("analyze FILE", {0}),
    ("analyze --fail-on info --rule gpu_gaps FILE", {0, 1, 8, 9}),
    ("steps FILE", {0}),
    ("operators FILE", {0}),
    ("steps --summary --tokens 3 FILE", {0}),
    ("steps --critical-path FILE", {0}),
    ("stats FILE", {0}),
    ("stats --report cuda_gpu_kern_sum,nvtx_sum FILE", {0}),
    ("ranks FILE", {0, 9}),
    ("compare FILE FILE", {0, 5, 6}),
    ("compare --report budget,cuda_gpu_kern_sum FILE FILE", {0, 5, 6}),
    ("history FILE", {0, 8}),
    ("samples FILE", {0}),
    ("samples --source nvtx FILE", {0}),
    ("samples --list FILE", {0}),
    ("events --top 200 FILE", {0}),
    ("events --top 20 --format ndjson FILE", {0}),
    ("events --nest nvtx FILE", {0}),
    ("name FILE *Launch* --by thread", {0, 2}),
    ("sql --tables FILE", {0, 3}),
    ("sql --question top-kernels FILE", {0, 2, 3}),
    ("sql --rows 1 FILE|SELECT 1 UNION SELECT 2.5 UNION SELECT 'x' UNION SELECT NULL", {3, 7}),
]
# Commands without a report, and errors, which are data, too.
ONCE = [
    ("analyze --list", 0, []),
    ("stats --list", 0, []),
    ("sql --questions", 0, []),
    ("words", 0, []),
    ("words idle", 0, []),
    ("words no_such_word", 2, ["wrong_usage"]),
    ("info /nowhere.sqlite", 3, ["unreadable_report"]),
    ("info /nowhere.sqlite /nowhere2.sqlite", 3, ["unreadable_report", "unreadable_report"]),
    ("analyze /nowhere.sqlite", 3, ["unreadable_report"]),
    ("analyze --rule no_such_rule /nowhere.sqlite", 2, ["wrong_usage"]),
    ("analyze --no-such-option /nowhere.sqlite", 2, ["wrong_usage"]),
    ("compare /nowhere.sqlite", 2, ["wrong_usage"]),
    ("sql /nowhere.sqlite|SELECT 1", 3, ["unreadable_report"]),
    ("events --where nme=5 /nowhere.sqlite", 2, ["wrong_usage"]),
    ("ranks /nowhere", 3, ["unreadable_report"]),
    ("history /nowhere", 3, ["unreadable_report"]),
]


def closed(schema):
    """`schema` for which a key that it does not name is wrong: nothing is written that is not described."""
    if isinstance(schema, list):
        return [closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: closed(value) for key, value in schema.items()}
    if isinstance(schema.get("properties"), dict) and schema.get("type") == "object":
        made.setdefault("additionalProperties", False)
    return made


def wrong_times(value, path=""):
    """Keys that end in _ns and are neither whole numbers, nor estimates, nor, in range_ns, stretches of time."""
    if isinstance(value, list):
        for i, each in enumerate(value):
            yield from wrong_times(each, f"{path}[{i}]")
    if not isinstance(value, dict):
        return
    for key, each in value.items():
        place = f"{path}.{key}"
        if key.endswith("_ns") and each is not None:
            whole = isinstance(each, int) and not isinstance(each, bool)
            keys = set(each) if isinstance(each, dict) else set()
            stretch = keys in ({"start", "end"}, {"low", "high"})
            if not (stretch if key.endswith("range_ns") else whole or keys == {"low", "expected", "high"}):
                yield place
        yield from wrong_times(each, place)


def validators(folder):
    made = {}
    for path in sorted(folder.glob("*.json")):
        schema = json.loads(path.read_text())
        jsonschema.Draft202012Validator.check_schema(schema)
        assert schema["$id"] == f"urn:warpline:schema:{path.stem}", path
        made[path.stem] = jsonschema.Draft202012Validator(closed(schema))
    return made


def type_text(schema, defs):
    """"integer or null", "array of event"."""
    if "$ref" in schema:
        return schema["$ref"].rsplit("/", 1)[1]
    if "const" in schema:
        return f"`{schema['const']}`"
    if "enum" in schema:
        return ", ".join("null" if each is None else f"`{each}`" for each in schema["enum"])
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return " or ".join(type_text(each, defs) for each in schema[choice])
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    text = " or ".join(names)
    if "array" in names and "items" in schema:
        return text.replace("array", f"array of {type_text(schema['items'], defs)}")
    if isinstance(schema.get("additionalProperties"), dict):
        return text.replace("object", f"map of {type_text(schema['additionalProperties'], defs)}")
    return text


def field_lines(schema, defs, path=""):
    """A line of the table for each key of `schema`, with those of the objects in it."""
    for key, each in schema.get("properties", {}).items():
        name = f"{path}{key}"
        yield f"| `{name}` | {type_text(each, defs)} | {each.get('description', '')} |"
        inner = each.get("items", each)
        more = "[]." if inner is not each else "."
        if isinstance(inner.get("additionalProperties"), dict):
            inner, more = inner["additionalProperties"], more[:-1] + ".*."
        yield from field_lines(inner, defs, name + more)


def fields_page(folder):
    """docs/cli/fields.md: the keys of all schemas as tables."""
    page = [
        "# JSON fields",
        "",
        "After this page you know every key that `--format json` writes. It is made from the [schemas](schema) by",
        "`tests/app/check_schemas.py --fields`, and a test compares the two. [Contract](contract.md) has the envelope.",
    ]
    for path in sorted(folder.glob("*.json")):
        schema = json.loads(path.read_text())
        defs = schema["$defs"]
        page += ["", f"## {path.stem}", "", f"{schema['description']}."]
        entries = schema["properties"]["reports"]["items"]
        refs = [each["$ref"].rsplit("/", 1)[1] for each in entries.get("oneOf", [entries])]
        for name in refs + [each for each in defs if each not in refs + ["range", "error"]]:
            title = "An entry of `reports`" if name in refs else f"`{name}`"
            about = defs[name].get("description", "")
            page += ["", title + (f", {about[0].lower()}{about[1:]}" if about else "") + ":", ""]
            page += ["| Key | Type | Meaning |", "|---|---|---|", *field_lines(defs[name], defs)]
    return "\n".join(page) + "\n"


def words(text, file):
    line, *rest = text.split("|", 1)
    return [str(file) if word == "FILE" else word for word in line.split()] + rest


class Check:
    def __init__(self, cli, schemas):
        self.cli = cli
        self.schemas = schemas
        self.documents = 0
        self.wrong = 0

    def complain(self, asked, what):
        self.wrong += 1
        print(f"{' '.join(asked)}: {what}")

    def documents_of(self, asked, text):
        try:
            if "ndjson" in asked:
                return [json.loads(line) for line in text.splitlines()]
            return [json.loads(text)]
        except ValueError as error:
            self.complain(asked, f"no JSON: {error}")
            return []

    def ask(self, asked, codes, errors=None):
        if "--format" not in asked:
            asked = asked[:1] + ["--format", "json"] + asked[1:]
        run = subprocess.run([self.cli, *asked], capture_output=True, text=True, check=False)
        if run.returncode not in codes:
            self.complain(asked, f"exit code {run.returncode}: {run.stderr}")
        for document in self.documents_of(asked, run.stdout):
            self.documents += 1
            command = document.get("command")
            if command != asked[0]:
                self.complain(asked, f"command {command}")
                continue
            for error in self.schemas[command].iter_errors(document):
                best = jsonschema.exceptions.best_match([error])
                self.complain(asked, f"{best.json_path}: {best.message[:300]}")
                break
            for place in wrong_times(document):
                self.complain(asked, f"{place} is no time")
                break
            told = [error["code"] for error in document["errors"]]
            if errors is not None and told != errors:
                self.complain(asked, f"errors {told}")


def main():
    if sys.argv[1] == "--fields":
        print(fields_page(pathlib.Path(sys.argv[2])), end="")
        return
    cli, schemas, *folders = sys.argv[1:]
    check = Check(cli, validators(pathlib.Path(schemas)))
    for text, code, errors in ONCE:
        check.ask(words(text, ""), {code}, errors)
    for name in check.schemas:
        printed = subprocess.run([cli, name, "--schema"], capture_output=True, text=True, check=False)
        if printed.stdout != (pathlib.Path(schemas) / f"{name}.json").read_text():
            check.complain([name, "--schema"], "is not the schema in the folder")
    if (pathlib.Path(schemas).parent / "fields.md").read_text() != fields_page(pathlib.Path(schemas)):
        check.complain(["fields.md"], "is not what --fields prints")
    for folder in folders:
        for report in sorted(pathlib.Path(folder).rglob("*")):
            if not report.name.endswith((".sqlite", ".json.gz")) or report.stat().st_size > WHOLE:
                continue
            for text, codes in ASKED:
                check.ask(words(text, report), codes)
    print(f"{check.documents} documents, {check.wrong} wrong")
    sys.exit(min(check.wrong, 70))


if __name__ == "__main__":
    main()
