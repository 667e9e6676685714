#!/usr/bin/env python3
"""Plants credentials in reports and traces, runs every command in every format and with every option, and looks for them in what comes out.

secrets.py CLI FOLDER FILE... [--all] [--fleet FILE] [--keeper FILE] [--window FILE]: ends with 1 when one is shown, cached or kept by cut --redact.
FILE: exports of nsys, and JSON traces. A rocpd database is made. Without --all, each run is made of the first two files or of one other.
Pages are opened in chromium, where it is installed; a server of mcp is asked with each of its tools.
Planted: a credential in every text column, in keys and values of JSON, in payloads; values of environment variables; arguments, host,
user, folders, what programs printed, which --machine shows and nothing else; a script in names. A kept trace has what is marked (kept).
"""

import argparse
import gzip
import http.server
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import threading

import commands
import mcp_session

# SQL shows whatever it is asked for; a cut without --redact is a copy.
COPIES = {"sql", "cut"}
RAN = "document.title='script-ran'"
SCRIPT = f"""<script>{RAN}</script><img src=x onerror="{RAN}">"><svg onload="{RAN}">'><a href="javascript:{RAN}">x</a>"""


class Listener:
    """A server of this machine that counts what a page asks of it."""

    def __init__(self):
        self.asked = asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                asked.append(self.path)
                self.send_error(404)

            def log_message(self, *_):
                pass

        self.server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def image(self):
        return f'<img src="http://127.0.0.1:{self.server.server_port}/planted">'


def in_browser(browser, pages, listener, folder, environment):
    """The pages in which something ran or which asked for something, and what was not tested; what a page does that must run shows that
    the browser would."""
    untested = []

    def title(path):
        try:
            done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser", "--virtual-time-budget=3000",
                                   "--dump-dom", "file://" + os.path.abspath(path)], capture_output=True, env=environment, timeout=120, check=False)
        except subprocess.TimeoutExpired:
            untested.append(f"the browser does not end with {path}")
            return False
        return re.search(rb"<title>script-ran</title>", done.stdout) is not None

    control = folder + "/control.html"
    pathlib.Path(control).write_text(f"<html><body>{SCRIPT}{listener.image()}</body></html>")
    if not title(control) or not listener.asked:
        return [], [*untested, "the browser runs no scripts: nothing is proved"]
    listener.asked.clear()
    bad = [f"a script runs in {path}" for path in pages if title(path)]
    return bad + [f"a page asks for {path}" for path in listener.asked], untested


class Plants:
    """Unlikely words, each with the place where it was put."""

    def __init__(self):
        self.places = {}
        self.file = ""

    def at(self, place):
        word = f"zq{len(self.places):04d}plant"
        self.places[word] = f"{place} of {self.file}"
        return word

    def found_in(self, data):
        return sorted({self.places[word.decode()] for word in re.findall(rb"zq\d{4}plant", data)})


def text_columns(database):
    """Of words for people: what is looked up by its text stays."""
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'ENUM%' AND name NOT LIKE 'sqlite%'").fetchall():
        for _, column, kind, *_ in database.execute(f'PRAGMA table_info("{table}")').fetchall():
            if (kind.upper() in ("TEXT", "") or "CHAR" in kind.upper()) and (table, column) not in {
                    ("META_DATA_CAPTURE", "name"), ("META_DATA_EXPORT", "name"), ("EXPORT_META_DATA", "name"), ("TARGET_INFO_SYSTEM_ENV", "name"), ("META_DATA_EXPORT", "value"),
                    ("EXPORT_META_DATA", "value"), ("TARGET_INFO_SESSION_START_TIME", "utcTime")}:
                yield table, column


def plant_report(path, plants, script):
    database = sqlite3.connect(path)
    columns = {table: [row[1] for row in database.execute(f'PRAGMA table_info("{table}")')]
               for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()}

    def change(table, statement, *values):
        """Not every export has every table."""
        if table in columns:
            database.executemany(statement, values or [()])

    change("META_DATA_CAPTURE", "INSERT INTO META_DATA_CAPTURE (name, value) SELECT 'PROCESS_0:COMMAND', '/bin/train' "
           "WHERE NOT EXISTS (SELECT 1 FROM META_DATA_CAPTURE WHERE name = 'PROCESS_0:COMMAND')")
    change("META_DATA_CAPTURE", "INSERT INTO META_DATA_CAPTURE (name, value) VALUES (?, ?)",
           ("PROCESS_0:ENVIRONMENT_VARIABLE", "HF_TOKEN=hf_" + plants.at("variable HF_TOKEN")),
           ("PROCESS_0:ENVIRONMENT_VARIABLE", "PLAIN_NAME=" + plants.at("variable PLAIN_NAME")),
           ("PROCESS_0:ENVIRONMENT_VARIABLE", f"A={plants.at('first of two variables')}\nB={plants.at('second of two variables')}"),
           ("PROCESS_0:ARGUMENT_50", "--password=" + plants.at("argument --password=")),
           ("PROCESS_0:ARGUMENT_51", "--api-key"),
           ("PROCESS_0:ARGUMENT_52", plants.at("argument after --api-key")),
           ("PROCESS_0:ARGUMENT_53", f"https://anna:{plants.at('password of an address')}@example.org/data"),
           ("PROCESS_0:ARGUMENT_54", plants.at("argument that stands alone (--machine)")),
           ("PROCESS_0:USER_NAME", plants.at("name of the user (kept)")),
           ("PROCESS_0:WORKING_DIR", "/home/" + plants.at("working folder (kept)")),
           ("api_key", plants.at("value of a fact api_key")))
    change("TARGET_INFO_SYSTEM_ENV", "UPDATE TARGET_INFO_SYSTEM_ENV SET value = ? WHERE name = 'DeviceEnvironment'", ("SECRET_KEY=" + plants.at("DeviceEnvironment"),))
    change("TARGET_INFO_SYSTEM_ENV", "UPDATE TARGET_INFO_SYSTEM_ENV SET value = ? WHERE name = 'Hostname'", (plants.at("host (--machine)"),))
    change("META_DATA_EXPORT", "UPDATE META_DATA_EXPORT SET value = ? WHERE name LIKE '%HOST%'", (plants.at("host that exported (kept)"),))
    change("META_DATA_EXPORT", "UPDATE META_DATA_EXPORT SET value = ? WHERE name LIKE '%PATH%'", ("/home/" + plants.at("folder of the recording (kept)"),))
    (most,) = database.execute("SELECT max(id) FROM StringIds").fetchone()
    change("ProcessStreams", "INSERT INTO StringIds (id, value) VALUES (?, ?)", (most + 1, "logging in with " + plants.at("captured output (kept)")))
    change("ProcessStreams", "UPDATE ProcessStreams SET contentId = ?", (most + 1,))
    change("CUPTI_ACTIVITY_KIND_KERNEL", "UPDATE StringIds SET value = value || ? WHERE id IN (SELECT shortName FROM CUPTI_ACTIVITY_KIND_KERNEL) "
           "OR id IN (SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL)", (script,))
    if "NVTX_EVENTS" in columns:
        for column in {"jsonText": "TEXT", "said": "VARCHAR(80)", "bytes": ""}.items():
            if column[0] not in columns["NVTX_EVENTS"]:
                database.execute(f"ALTER TABLE NVTX_EVENTS ADD COLUMN {' '.join(column)}")
        said, raw = plants.at("column that is not declared as text"), plants.at("bytes")
        change("NVTX_EVENTS", "UPDATE NVTX_EVENTS SET text = text || ? WHERE text IS NOT NULL", (script,))
        change("NVTX_EVENTS", "UPDATE NVTX_EVENTS SET jsonText = ? WHERE rowid % 3 = 0", (json.dumps({"password": plants.at("value of a payload"), "n": 3}),))
        change("NVTX_EVENTS", "UPDATE NVTX_EVENTS SET said = ?, bytes = CAST(? AS BLOB)", (f"token={said}", raw))
    for table, column in text_columns(database):
        database.execute(f'UPDATE "{table}" SET "{column}" = "{column}" || ? WHERE typeof("{column}") = \'text\' AND "{column}" NOT LIKE \'%plant%\' AND "{column}" NOT LIKE \'--%\'',
                         (f" api_key={plants.at(f'credential in {table}.{column}')}",))
    database.commit()
    database.close()


ROCPD = {"metadata": "tag, value", "string": "id INTEGER PRIMARY KEY, string", "info_node": "id INTEGER PRIMARY KEY, hostname",
         "info_process": "id INTEGER PRIMARY KEY, pid, command", "info_thread": "id INTEGER PRIMARY KEY, pid, tid, name",
         "info_agent": "id INTEGER PRIMARY KEY, type, type_index, name, product_name, extdata",
         "info_kernel_symbol": "id INTEGER PRIMARY KEY, kernel_name, display_name", "event": "id INTEGER PRIMARY KEY, category_id, stack_id, extdata",
         "region": 'id INTEGER PRIMARY KEY, pid, tid, start, "end", name_id, event_id',
         "kernel_dispatch": 'id INTEGER PRIMARY KEY, pid, tid, agent_id, stream_id, start, "end", kernel_id, event_id'}


def make_rocpd(path, plants, script):
    """A small recording of rocprofv3, planted."""
    def credential(place):
        return f" api_key={plants.at(place)}"

    pathlib.Path(path).unlink(missing_ok=True)
    database = sqlite3.connect(path)
    rows = {"metadata": [("schema_version", "3.0.3")],
            "string": [(1, "KERNEL_DISPATCH"), (2, "MARKER_CORE_RANGE_API"), (3, "HIP_RUNTIME_API_EXT"), (4, "roctxThreadRangeA"), (5, "hipLaunchKernel" + credential("name of a call"))],
            "info_node": [(1, plants.at("host (--machine)"))], "info_process": [(1, 4711, f"/home/{plants.at('folder of the program')}/train --password={plants.at('argument')} {plants.at('other argument')}")],
            "info_thread": [(1, 1, 4712, "launcher" + credential("name of a thread"))],
            "info_agent": [(1, "CPU", 0, "EPYC", "", "{}"), (2, "GPU", 0, "gfx942" + credential("chip"), "MI300X" + credential("name of a GPU"), json.dumps({"cu_count": 304, "password": plants.at("facts of a GPU")}))],
            "info_kernel_symbol": [(1, "add.kd" + credential("name of a symbol"), "add(float*)" + script + credential("name of a kernel"))], "event": [], "region": [], "kernel_dispatch": []}
    marker = json.dumps({"message": "step" + script + credential("text of a marker"), "password": plants.at("value beside a marker")})
    for i in range(20):
        begin = 7 * 10**12 + 100_000 * i
        rows["event"] += [(3 * i + 1, 2, 0, marker), (3 * i + 2, 3, i + 1, "{}"), (3 * i + 3, 1, i + 1, "{}")]
        rows["region"] += [(2 * i + 1, 1, 1, begin, begin + 90_000, 4, 3 * i + 1), (2 * i + 2, 1, 1, begin + 10, begin + 3000, 5, 3 * i + 2)]
        rows["kernel_dispatch"] += [(i + 1, 1, 1, 2, 0, begin + 5000, begin + 50_000, 1, 3 * i + 3)]
    for table, columns in ROCPD.items():
        database.execute(f"CREATE TABLE rocpd_{table} ({columns})")
        for row in rows[table]:
            database.execute(f"INSERT INTO rocpd_{table} VALUES ({', '.join('?' * len(row))})", row)
    database.commit()
    database.close()


def plant_trace(source, path, plants, script):
    text = pathlib.Path(source).read_bytes()
    document = json.loads(gzip.decompress(text) if source.endswith(".gz") else text)
    document["env"] = {"HF_TOKEN": plants.at("env of a trace")}
    document.setdefault("distributedInfo", {})["environment"] = {"API_KEY": plants.at("environment in distributedInfo")}
    document["host_name"] = plants.at("host of a trace (--machine)")
    document["user"] = plants.at("user of a trace (kept)")
    document["api_key"] = plants.at("value of a key of JSON")
    names, argument, note = plants.at("credential in a name of a trace"), plants.at("argument of an event"), plants.at("credential in an argument of an event")
    others = {"inside": json.dumps([json.dumps({"api_key": plants.at("JSON in JSON in an argument")})]),
              "header": f"Authorization: Bearer {plants.at('header in an argument')}",
              "address": f"https://anna:{plants.at('address in an argument')}@example.org/data"}
    for event in document["traceEvents"]:
        if event.get("ph") == "X":
            event["name"] = str(event.get("name", "")) + script + " token=" + names
            event.setdefault("args", {}).update({"password": argument, "note": f"api_key={note}", **others})
    pathlib.Path(path).write_text(json.dumps(document))


# Files that options read, by name.
FILES = {"view": {"warpline_view": 1, "reports": [], "selected_rows": ["a"], "answers": [{"title": "All", "sql": "SELECT * FROM kernels", "report": 0}],
                  "filter": {"text": "*"}, "marks": [{"range_ns": [0, 10**12], "text": "here"}], "notes": "notes"},
         "config": "gpu_gaps.min_gap_ns = 0\n", "classes": "class mine Mine\nmine add\n", "models": "operator mine::*\nflops 1\n"}
# Values that mean something; of other options a value that their help names.
VALUES = {"--range": "0:", "--a-range": "0:", "--b-range": "0:", "--from": "0", "--to": "3600s", "--where": "dur>=0", "--kind": "kernel", "--kinds": "kernel,cuda_api,nvtx",
          "--steps": "*", "--nvtx": "*", "--a-nvtx": "*", "--b-nvtx": "*", "--a-steps": "0", "--b-steps": "0", "--scale": "kernel=*:0.5",
          "--threshold": "gpu_gaps.min_gap_ns=0", "--thread": "*", "--notes": "notes", "--view": "FOLDER/view", "--config": "FOLDER/config", "--classes": "FOLDER/classes",
          "--models": "FOLDER/models", "--baseline": "FOLDER/baseline", "--a": "REPORT", "--b": "REPORT", "--tables": "TABLES", "--merge": "copies", "--async": "copies"}
TOGETHER = {"--from": ["--to", "3600s"], "--to": ["--from", "0"], "--flops": ["--peak-flops", "1e12"], "--peak-flops": ["--flops", "1e9"]}
TABLES_ONLY = {"--rows", "--top"}
SUMMARY_ONLY = {"--tokens", "--samples", "--flops", "--peak-flops"}


def valid_values(command, option):
    if option.name in VALUES or (command.name, option.name) == ("stats", "--report"):
        return [VALUES.get(option.name, "TABLES")]
    if (command.name, option.name) == ("compare", "--report"):
        return ["budget,kernels,operators,nvtx,api,copies,collectives,memory,steps,findings"]
    if option.values[:len(commands.NUMBERS)] == commands.NUMBERS:
        return ["1", "20"]
    return [value for value in option.values if value not in commands.HOSTILE][:8]


def command_lines(command, report, folder, tables):
    """The command in each of its formats, with and without each of its switches; then with each valid value of its other options. The
    latter with True."""
    formats = next((option.values for option in command.options if option.name == "--format"), [""])
    switches = [option.name for option in command.options if not option.takes_value and option.name not in ("--force", "--schema", "--list")]
    switches = [each for each in switches if each != "--machine"]
    words = [command.name] + (["--range", "0:"] if command.name == "range" else [])
    for place in command.positionals:
        words.append(report if place.is_file else "*" if place.name == "NAME" else f"{folder}/out.sqlite" if place.name == "OUT" else "SELECT 1")
    if command.name == "compare":
        words.append(report)
    for each in formats:
        yield words + (["--format", each] if each else []), False
    for switch in switches:
        yield words + [switch], False
    for option in command.options:
        if not option.takes_value or option.name in ("--format", "--output", "--jobs"):
            continue
        for value in valid_values(command, option):
            value = {"REPORT": report, "TABLES": tables}.get(value, value).replace("FOLDER", folder)
            plain = [word for word in words if word != report] if option.name in ("--a", "--b") else words
            other = ["--b" if option.name == "--a" else "--a", report] if option.name in ("--a", "--b") else []
            shown = ["--summary"] if option.name in SUMMARY_ONLY else ["--format", "json"] if "json" in formats and option.name not in TABLES_ONLY else []
            if option.name in ("--range", "--from", "--to"):
                plain = [word for word in plain if word not in ("--range", "0:")]
            yield plain + other + shown + TOGETHER.get(option.name, []) + [option.name, value], True


def run(words, environment, text=b""):
    done = subprocess.run(words, capture_output=True, env=environment, timeout=300, check=False, input=text)
    return done.stdout, done.stderr, done.returncode


def asked_of_server(program, paths, environment, sessions):
    """What a server of mcp answers, with each of its tools but SQL."""
    tools = [each for each in mcp_session.tools_of(program) if each["name"] != "sql"]
    for seed in range(sessions):
        text = mcp_session.session(tools, random.Random(seed), paths[seed % len(paths)])
        output, errors, _ = run([program, "mcp"], environment, text.encode("utf-8", "surrogatepass"))
        yield output + errors


def files_below(folder):
    return [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]


def kept_by(keeper, paths, environment, folder, plants):
    """What kept traces hold beyond what they may."""
    for path in paths:
        done = subprocess.run([keeper, "--cache", folder, path], capture_output=True, env=environment, timeout=600, check=False)
        if done.returncode != 0:
            yield f"{path} is not kept: {done.stdout + done.stderr}"
    kept = files_below(folder)
    found = {path: plants.found_in(path.read_bytes()) for path in kept}
    if len(kept) < len(paths) or not any(found.values()):
        yield f"{len(kept)} kept traces: nothing is proved"
    yield from (f"a kept trace holds {place}" for places in found.values() for place in places if not is_for_request(place))


def is_for_request(place):
    """Whether a place is shown on request, or kept for it."""
    return "(kept)" in place or "(--machine)" in place


def shown_by_window(window, path, environment, plants):
    """What panels show, and what Report shows on request beyond what it may."""
    variables = {"WARPLINE_PLANTED": os.path.abspath(path), "QT_QPA_PLATFORM": "offscreen"}
    output, errors, code = run([window, "tst_window_secrets", "nothingOfEachColumnIsShown"], {**environment, **variables})
    before, _, asked = (output + errors).partition(b"asked:")
    if not asked:
        yield f"the window ends with {code} for {path}: {before.decode(errors='replace')[-1000:]}"
    yield from (f"the window shows {place}" for place in plants.found_in(before))
    yield from (f"the window shows {place} on request" for place in plants.found_in(asked) if not is_for_request(place))


def plant_all(options, plants, script):
    paths = []
    for i, source in enumerate([*options.files, "made.rocpd"]):
        plants.file = os.path.basename(source)
        is_trace = ".json" in source
        path = f"{options.folder}/planted{i}.{'json' if is_trace else 'db' if source == 'made.rocpd' else 'sqlite'}"
        if is_trace:
            plant_trace(source, path, plants, script)
        elif source == "made.rocpd":
            make_rocpd(path, plants, script)
        else:
            pathlib.Path(path).write_bytes(pathlib.Path(source).read_bytes())
            plant_report(path, plants, script)
        paths.append(path)
    for name, content in FILES.items():
        pathlib.Path(options.folder, name).write_text(content if isinstance(content, str) else json.dumps(content))
    return paths


def sweep(options, planted, environment, rng):
    """Each command line, with its output and errors."""
    cli, _ = commands.read_program(options.program)
    tables = ",".join(line.split()[0] for line in run([options.program, "stats", "--list"], environment)[0].decode().splitlines()[1:] if line.strip())
    pathlib.Path(options.folder, "baseline").write_bytes(run([options.program, "analyze", "--format", "json", planted[0]], environment)[0])
    refused = []
    for command in cli:
        if command.name in COPIES:
            continue
        for place, path in enumerate(planted):
            for i, (words, has_value) in enumerate(command_lines(command, path, options.folder, tables)):
                if not options.all and (has_value or place > 1) and (i + rng.randrange(2)) % len(planted) != place:
                    continue
                output, errors, code = run([options.program, *words], environment)
                refused += [" ".join(words) + " " + errors.decode(errors="replace")[:100]] if code == 2 else []
                yield words, path, output, errors
    for path in planted if options.fleet else []:
        for each in ("json", "markdown", "html", "table"):
            words = [options.fleet, "--format", each, path]
            yield words, path, *run(words, environment)[:2]
    print(f"{len(refused)} refused: {refused[:50]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("folder")
    parser.add_argument("files", nargs="+")
    parser.add_argument("--all", action="store_true", help="every command line for every file")
    parser.add_argument("--fleet", help="warpline-fleet")
    parser.add_argument("--keeper", help="stress-core, which keeps reports of any size in a cache")
    parser.add_argument("--window", help="tst_app_window, which looks into each panel")
    parser.add_argument("--browser", help="opens pages, and must; one that is not there: none does. Default: chromium, which need not")
    options = parser.parse_args()
    options.folder = os.path.abspath(options.folder)
    program, folder = options.program, options.folder
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    places = {"HOME": "home", "XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "settings", "XDG_DATA_HOME": "data", "XDG_STATE_HOME": "state", "XDG_RUNTIME_DIR": "run", "TMPDIR": "tmp"}
    environment = {**os.environ, **{variable: f"{folder}/{name}" for variable, name in places.items()}, "LC_ALL": "C.UTF-8"}
    for name in places.values():
        os.mkdir(f"{folder}/{name}", mode=0o700)
    plants = Plants()
    listener = Listener()
    pages = {}
    planted = plant_all(options, plants, SCRIPT + listener.image())
    leaks = set()
    runs = 0
    for words, path, output, errors in sweep(options, planted, environment, random.Random(1)):
        runs += 1
        leaks |= {f"{words[0]} shows {place}: {' '.join(words)[:300]}" for place in plants.found_in(output + errors)}
        is_page = b"<html" in output[:2000].lower()
        if is_page:
            page = pathlib.Path(folder) / f"{os.path.basename(words[0])}-{os.path.basename(path)}.html"
            pages[str(page)] = page.write_bytes(output)
        if is_page and (b"<script" in output.lower() or re.search(rb"<[^>]*\son\w+\s*=", output)):
            leaks.add(f"{words[0]} writes a script: {' '.join(words)}")
    for answer in asked_of_server(program, planted, environment, 40 * (len(planted) if options.all else 1)):
        runs += 1
        leaks |= {f"mcp shows {place}" for place in plants.found_in(answer)}
    for path in planted:
        if path.endswith(".sqlite"):
            run([program, "cut", "--redact", "--force", path, folder + "/redacted.sqlite"], environment)
            leaks |= {f"cut --redact keeps {place}" for place in plants.found_in(pathlib.Path(folder + "/redacted.sqlite").read_bytes())}
    for path in files_below(folder + "/cache"):
        leaks |= {f"the cache keeps {place}: {path.name}" for place in plants.found_in(path.read_bytes())}
    if options.keeper:
        leaks |= set(kept_by(options.keeper, planted if options.all else [planted[0], planted[1], planted[-1]], environment, folder + "/kept", plants))
    for path in (planted if options.all else planted[:1]) if options.window else []:
        leaks |= set(shown_by_window(options.window, path, environment, plants))
    browser = shutil.which(options.browser or "chromium")
    if browser:
        bad, untested = in_browser(browser, pages, listener, folder, environment)
        leaks |= {*bad, *(untested if options.browser else [])}
        print("".join(f"not tested in a browser: {each}\n" for each in untested), end="")
    print(f"{len(pages)} pages in {browser or 'no browser'}")
    print(f"{len(plants.places)} planted in {len(planted)} files, {runs} runs, {len(leaks)} leaks")
    print("\n".join(sorted(leaks)))
    # Unless something shows them, the test could not fail.
    shown, *_ = run([program, "sql", planted[0], "SELECT value FROM META_DATA_CAPTURE"], environment)
    asked = {place for path in planted for place in plants.found_in(run([program, "info", "--machine", path], environment)[0])}
    there = {place for path in planted for place in plants.found_in(pathlib.Path(path).read_bytes())}
    wanted = {place for place in there if "(--machine)" in place}
    print(f"--machine shows {len(asked)}: {', '.join(sorted(asked))}" + "".join(f"\nit lacks {place}" for place in wanted - asked))
    return 1 if leaks or not plants.found_in(shown) or asked != wanted or runs < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
