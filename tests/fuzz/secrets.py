#!/usr/bin/env python3
"""Plants credentials in a report and in a trace, runs every command in every format, and looks for them in what comes out.

secrets.py CLI REPORT.sqlite TRACE.json.gz FOLDER: ends with 1 when one is shown, cached or kept by cut --redact.
Pages are opened in chromium, where it is installed; a server of mcp is asked with each of its tools.
Planted: a credential in every text column, in keys and values of JSON, in payloads; values of environment variables; arguments, host,
user, folders, what programs printed, which --machine shows and nothing else; a script in names.
"""

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


def in_browser(browser, pages, listener, folder):
    """The pages in which something ran or which asked for something; what a page does that must run shows that the browser would."""
    def title(path):
        done = subprocess.run([browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/browser", "--virtual-time-budget=3000",
                               "--dump-dom", "file://" + os.path.abspath(path)], capture_output=True, timeout=120, check=False)
        return re.search(rb"<title>script-ran</title>", done.stdout) is not None

    control = folder + "/control.html"
    pathlib.Path(control).write_text(f"<html><body>{SCRIPT}{listener.image()}</body></html>")
    if not title(control) or not listener.asked:
        return ["the browser runs no scripts: nothing is proved"]
    listener.asked.clear()
    bad = [f"a script runs in {path}" for path in pages if title(path)]
    return bad + [f"a page asks for {path}" for path in listener.asked]


class Plants:
    """Unlikely words, each with the place where it was put."""

    def __init__(self):
        self.places = {}

    def at(self, place):
        word = f"zq{len(self.places):03d}plant"
        self.places[word] = place
        return word

    def found_in(self, data):
        return sorted({self.places[word.decode()] for word in re.findall(rb"zq\d{3}plant", data)})


def text_columns(database):
    """Of words for people: what is looked up by its text stays."""
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'ENUM%'").fetchall():
        for _, column, kind, *_ in database.execute(f"PRAGMA table_info({table})").fetchall():
            if kind == "TEXT" and (table, column) not in {("META_DATA_CAPTURE", "name"), ("META_DATA_EXPORT", "name"), ("TARGET_INFO_SYSTEM_ENV", "name"),
                                                          ("META_DATA_EXPORT", "value"), ("TARGET_INFO_SESSION_START_TIME", "utcTime")}:
                yield table, column


def plant_report(path, plants, script):
    database = sqlite3.connect(path)
    values = [
        ("PROCESS_0:ENVIRONMENT_VARIABLE", "HF_TOKEN=hf_" + plants.at("variable HF_TOKEN")),
        ("PROCESS_0:ENVIRONMENT_VARIABLE", "PLAIN_NAME=" + plants.at("variable PLAIN_NAME")),
        ("PROCESS_0:ENVIRONMENT_VARIABLE", f"A={plants.at('first of two variables')}\nB={plants.at('second of two variables')}"),
        ("PROCESS_0:ARGUMENT_50", "--password=" + plants.at("argument --password=")),
        ("PROCESS_0:ARGUMENT_51", "--api-key"),
        ("PROCESS_0:ARGUMENT_52", plants.at("argument after --api-key")),
        ("PROCESS_0:ARGUMENT_53", f"https://anna:{plants.at('password of an address')}@example.org/data"),
        ("PROCESS_0:ARGUMENT_54", plants.at("argument that stands alone (--machine)")),
        ("PROCESS_0:USER_NAME", plants.at("name of the user")),
        ("PROCESS_0:WORKING_DIR", "/home/" + plants.at("working folder")),
    ]
    database.executemany("INSERT INTO META_DATA_CAPTURE (name, value) VALUES (?, ?)", values)
    database.execute("UPDATE TARGET_INFO_SYSTEM_ENV SET value = ? WHERE name = 'DeviceEnvironment'", ("SECRET_KEY=" + plants.at("DeviceEnvironment"),))
    database.execute("UPDATE TARGET_INFO_SYSTEM_ENV SET value = ? WHERE name = 'Hostname'", (plants.at("host (--machine)"),))
    database.execute("UPDATE META_DATA_EXPORT SET value = ? WHERE name LIKE '%HOST%'", (plants.at("host that exported"),))
    database.execute("UPDATE META_DATA_EXPORT SET value = ? WHERE name LIKE '%PATH%'", ("/home/" + plants.at("folder of the recording"),))
    columns = [row[1] for row in database.execute("PRAGMA table_info(ProcessStreams)")]
    if columns:
        (most,) = database.execute("SELECT max(id) FROM StringIds").fetchone()
        database.execute("INSERT INTO StringIds (id, value) VALUES (?, ?)", (most + 1, "logging in with " + plants.at("captured output")))
        database.execute("UPDATE ProcessStreams SET contentId = ?", (most + 1,))
    for table, column in (("StringIds", "value"),):
        database.execute(f"UPDATE {table} SET {column} = {column} || ? WHERE id IN (SELECT shortName FROM CUPTI_ACTIVITY_KIND_KERNEL) "
                         f"OR id IN (SELECT demangledName FROM CUPTI_ACTIVITY_KIND_KERNEL)", (script,))
    database.execute("UPDATE NVTX_EVENTS SET text = text || ? WHERE text IS NOT NULL", (script,))
    database.execute("UPDATE NVTX_EVENTS SET jsonText = ? WHERE rowid % 3 = 0", (json.dumps({"password": plants.at("value of a payload"), "n": 3}),))
    database.execute("ALTER TABLE NVTX_EVENTS ADD COLUMN said VARCHAR(80)")
    database.execute("ALTER TABLE NVTX_EVENTS ADD COLUMN bytes")
    said, raw = plants.at("column that is not declared as text"), plants.at("bytes")
    database.execute("UPDATE NVTX_EVENTS SET said = ?, bytes = CAST(? AS BLOB)", (f"token={said}", raw))
    for table, column in text_columns(database):
        database.execute(f"UPDATE {table} SET {column} = {column} || ? WHERE typeof({column}) = 'text' AND {column} NOT LIKE '%plant%' AND {column} NOT LIKE '--%'",
                         (f" api_key={plants.at(f'credential in {table}.{column}')}",))
    database.commit()
    database.close()


def plant_trace(source, path, plants, script):
    document = json.loads(gzip.decompress(pathlib.Path(source).read_bytes()))
    document["env"] = {"HF_TOKEN": plants.at("env of a trace")}
    document.setdefault("distributedInfo", {})["environment"] = {"API_KEY": plants.at("environment in distributedInfo")}
    document["host_name"] = plants.at("host of a trace (--machine)")
    document["user"] = plants.at("user of a trace")
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


def command_lines(command, report, folder):
    """The command in each of its formats, with and without each of its switches."""
    formats = next((option.values for option in command.options if option.name == "--format"), [""])
    switches = [option.name for option in command.options if not option.takes_value and option.name not in ("--force", "--schema", "--list")]
    switches = [each for each in switches if each != "--machine"]
    words = [command.name] + (["--range", "0:"] if command.name == "range" else [])
    for place in command.positionals:
        words.append(report if place.is_file else "*" if place.name == "NAME" else f"{folder}/out.sqlite" if place.name == "OUT" else "SELECT 1")
    if command.name == "compare":
        words.append(report)
    for each in formats:
        shown = ["--format", each] if each else []
        yield words + shown
    for switch in switches:
        yield words + [switch]


def run(words, environment, text=b""):
    done = subprocess.run(words, capture_output=True, env=environment, timeout=300, check=False, input=text)
    return done.stdout, done.stderr


def asked_of_server(program, paths, environment, sessions):
    """What a server of mcp answers, with each of its tools but SQL."""
    tools = [each for each in mcp_session.tools_of(program) if each["name"] != "sql"]
    for seed in range(sessions):
        text = mcp_session.session(tools, random.Random(seed), paths[seed % len(paths)])
        output, errors = run([program, "mcp"], environment, text.encode("utf-8", "surrogatepass"))
        yield output + errors


def files_below(folder):
    return [path for path in pathlib.Path(folder).rglob("*") if path.is_file()]


def main():
    program, report, trace, folder = sys.argv[1:5]
    os.makedirs(folder, exist_ok=True)
    environment = {**os.environ, "XDG_CACHE_HOME": folder + "/cache", "XDG_CONFIG_HOME": folder + "/config"}
    plants = Plants()
    listener = Listener()
    pages = {}
    planted = [folder + "/planted.sqlite", folder + "/planted.json"]
    pathlib.Path(planted[0]).write_bytes(pathlib.Path(report).read_bytes())
    plant_report(planted[0], plants, SCRIPT + listener.image())
    plant_trace(trace, planted[1], plants, SCRIPT + listener.image())
    leaks = set()
    runs = 0
    cli, _ = commands.read_program(program)
    for command in cli:
        for path in planted:
            for words in command_lines(command, path, folder) if command.name not in COPIES else []:
                output, errors = run([program, *words], environment)
                runs += 1
                leaks |= {f"{command.name} shows {place}: {' '.join(words)}" for place in plants.found_in(output + errors)}
                is_page = b"<html" in output[:2000].lower()
                if is_page:
                    page = pathlib.Path(folder) / f"{command.name}{pathlib.Path(path).suffix}.html"
                    pages[str(page)] = page.write_bytes(output)
                if is_page and (b"<script" in output.lower() or re.search(rb"<[^>]*\son\w+\s*=", output)):
                    leaks.add(f"{command.name} writes a script: {' '.join(words)}")
    for answer in asked_of_server(program, planted, environment, 40):
        runs += 1
        leaks |= {f"mcp shows {place}" for place in plants.found_in(answer)}
    run([program, "cut", "--redact", "--force", planted[0], folder + "/redacted.sqlite"], environment)
    leaks |= {f"cut --redact keeps {place}" for place in plants.found_in(pathlib.Path(folder + "/redacted.sqlite").read_bytes())}
    for path in files_below(folder + "/cache"):
        leaks |= {f"the cache keeps {place}: {path.name}" for place in plants.found_in(path.read_bytes())}
    browser = shutil.which("chromium")
    if browser:
        leaks |= set(in_browser(browser, pages, listener, folder))
    print(f"{len(pages)} pages in {browser or 'no browser'}")
    print(f"{len(plants.places)} planted, {runs} runs, {len(leaks)} leaks")
    print("\n".join(sorted(leaks)))
    # Unless something shows them, the test could not fail.
    shown, _ = run([program, "sql", planted[0], "SELECT value FROM META_DATA_CAPTURE"], environment)
    asked = {place for path in planted for place in plants.found_in(run([program, "info", "--machine", path], environment)[0])}
    wanted = {place for place in plants.places.values() if "--machine" in place}
    print(f"--machine shows {len(asked)}: {', '.join(sorted(asked))}")
    return 1 if leaks or not plants.found_in(shown) or asked != wanted or runs < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
