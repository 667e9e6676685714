#!/usr/bin/env python3
"""What goes wrong around warpline-cli: killed while it writes, a full disk, no place for its cache, too little memory, reads that
fail or are short, files that change while they are read. And what must not happen: network, programs, writing.

faults.py CLI REPORT FOLDER [--trace FILE] [--shim FILE] [--window tst_app_window] [--viewer warpline] [--kills N] [--seed N] [--only NAME...]: ends with 1 where a file is half written under its final name, a file that
was there is lost, or the program ends without a message or by a signal.
"""

import argparse
import gzip
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

import extremes
import mcp_session

MEBI = 2**20
# OUT is the written file.
WRITING = [["export", "--force", "--output", "OUT", "REPORT"], ["cut", "--force", "--redact", "REPORT", "OUT"],
           ["report", "--force", "--output", "OUT", "REPORT"], ["analyze", "--format", "html", "--force", "--output", "OUT", "REPORT"],
           ["stats", "--report", "cuda_gpu_kern_sum", "--format", "csv", "--output", "FOLDER/stats", "--force", "REPORT"],
           ["history", "--format", "json", "--force", "--output", "OUT", "REPORT"]]
READING = [["analyze", "REPORT"], ["stats", "REPORT"], ["events", "--top", "5", "REPORT"], ["steps", "REPORT"], ["sql", "REPORT", "SELECT * FROM kernels"]]


class Faults:
    def __init__(self, options):
        self.options = options
        self.found = []
        self.injected = 0
        self.fonts = pathlib.Path(options.folder) / "fonts"  # not the user's list of fonts
        self.environment = {**os.environ, "XDG_CACHE_HOME": options.folder + "/cache", "XDG_CONFIG_HOME": options.folder + "/config", "XDG_DATA_HOME": options.folder + "/data",
                            "XDG_RUNTIME_DIR": options.folder + "/run", "TMPDIR": options.folder, "FONTCONFIG_FILE": str(self.fonts / "fonts.conf")}
        for name in ("config", "data", "run", "fonts"):
            os.makedirs(f"{options.folder}/{name}", mode=0o700, exist_ok=True)
        (self.fonts / "fonts.conf").write_text(f"<fontconfig><dir>/usr/share/fonts</dir><cachedir>{self.fonts}/cache</cachedir></fontconfig>\n")

    def words(self, command, out):
        places = {"OUT": out, "REPORT": self.options.report, "FOLDER": self.options.folder}
        taken = [word for word in command if command[0] != "sql" or word != "--no-cache"]  # which sql does not know
        return [self.options.program] + [places.get(word, word.replace("FOLDER", self.options.folder)) for word in taken]

    def run(self, words, limit=None, environment=None):
        try:
            return subprocess.run(words, capture_output=True, env=environment or self.environment, preexec_fn=limit, timeout=120, check=False)
        except subprocess.TimeoutExpired as hang:
            return subprocess.CompletedProcess(words, -signal.SIGKILL, hang.stdout or b"", b"a hang")

    def expect(self, holds, what):
        self.injected += 1
        if not holds:
            self.found.append(what)

    def expect_message(self, done, what):
        """Code 0, or a documented one with words; never a signal."""
        self.expect(0 <= done.returncode <= 9 and (done.returncode == 0 or done.stderr.strip()), f"{what}: code {done.returncode} {done.stderr[:200]}")


def kept(path):
    return path.read_bytes() if path.exists() else None


def code_of(started, seconds):
    """The code of a program, which is killed when it has not ended by then."""
    try:
        return started.wait(seconds)
    except subprocess.TimeoutExpired:
        started.kill()
        started.wait()
        return "it goes on"


def kill_while_writing(faults, rng):
    """The file is what it was before, or what a whole run writes."""
    for command in WRITING:
        out = pathlib.Path(faults.options.folder) / "written"
        if "FOLDER/stats" in command:
            out = pathlib.Path(faults.options.folder) / "stats_cuda_gpu_kern_sum.csv"
        words = faults.words(command, str(out))
        out.unlink(missing_ok=True)
        begin = time.monotonic()
        faults.run(words)
        length = time.monotonic() - begin
        whole = kept(out)
        faults.expect(whole, f"{command[0]} writes nothing")
        for i in range(faults.options.kills // len(WRITING)):
            before = b"what was there" if i % 2 else None
            out.unlink(missing_ok=True)
            if before:
                out.write_bytes(before)
            started = subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=faults.environment)
            time.sleep(rng.uniform(0, length * 1.1))
            started.send_signal(rng.choice([signal.SIGKILL, signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            started.wait()
            now = kept(out)
            # A cut and a page contain the time of writing: compares only their lengths.
            is_whole = now == whole or (now is not None and abs(len(now) - len(whole)) <= 64 and now[-16:] == whole[-16:])
            faults.expect(now == before or is_whole, f"{command[0]} killed: {len(now or b'')} bytes instead of {len(whole)}")
    remove_what_is_left(faults)


def remove_what_is_left(faults):
    """Parts of killed runs go with the next run that writes the same file, once nobody has written to them for a while."""
    for left in pathlib.Path(faults.options.folder).glob("*.part"):
        os.utime(left, (1, 1))
    for command in WRITING:
        faults.run(faults.words(command, faults.options.folder + "/written"))
    left = [path.name for path in pathlib.Path(faults.options.folder).glob("*.part")]
    faults.expect(not left, f"parts of killed runs stay: {left}")


def whole(path):
    """Whether a file under its final name is complete, judged by its content: people name files as they like. None: it may be cut."""
    data = path.read_bytes()
    if path.suffix in (".part", ".lock"):
        return None
    if data.startswith(b"SQLite format 3"):
        with sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True) as database:
            return database.execute("PRAGMA quick_check").fetchone() == ("ok",)
    if data.startswith(b"\x1f\x8b"):
        try:
            return bool(gzip.decompress(data))
        except (EOFError, OSError):
            return False
    if ".conf" in path.suffixes:  # lines of settings, or none; a killed window may leave them under a temporary name, .conf.aBcDeF
        return not data or data.endswith(b"\n") and all(not line or line.startswith("[") or "=" in line for line in data.decode("utf-8").splitlines())
    if data[:1] in (b"{", b"["):
        try:
            json.loads(data)
            return True
        except ValueError:
            return False
    ends = {b"<!doctype": b"</html>", b"<html": b"</html>", b"\x89PNG": b"IEND\xaeB`\x82", b"<svg": b"</svg>", b"<?xml": b"</svg>"}
    for begin, end in ends.items():
        if data.lower().startswith(begin) or data.startswith(begin):
            return data.rstrip().endswith(end)
    return data.endswith(b"\n") if data else False


def expect_whole(faults, folder, what, kinds, spared=()):
    """No file below `folder` is half; `kinds` counts what is there."""
    for path in folder.rglob("*"):
        is_whole = whole(path) if path.is_file() and path.name not in spared else None
        if is_whole is not None:
            kind = "settings" if path.suffix == ".conf" else path.read_bytes()[:6].decode("utf-8", "replace")
            kinds[kind] = kinds.get(kind, 0) + 1
            faults.expect(is_whole, f"{what}: {path.relative_to(folder)} is half a file of {path.stat().st_size} bytes")
            if not is_whole:
                shutil.copy(path, pathlib.Path(faults.options.folder) / f"half-{what.split(',')[0].replace(' ', '-')}-{path.name}")


# Reports of tst_monkey. Its windows write settings, views, exports, parts of reports and pictures.
MONKEY_REPORTS = ["reports/streams.sqlite", "operators/mix.json.gz", "reports/payload.sqlite", "reports/um.sqlite", "reports/python_samples.sqlite",
                  "reports/halo_one.sqlite", "loops/loader.json.gz"]


def kill_windows(faults, rng):
    """Windows in which random things are done, tst_monkey, end at random moments: what they wrote under final names is whole, and the
    next one starts with the settings that were there. With the shim, every second one ends in the middle of a write or before a file
    gets its name."""
    folder = pathlib.Path(faults.options.folder) / "windows"
    environment = {**faults.environment, "XDG_CONFIG_HOME": f"{folder}/config", "XDG_DATA_HOME": f"{folder}/data", "TMPDIR": str(folder),
                   "QT_QPA_PLATFORM": "offscreen", "WARPLINE_MONKEY_ACTIONS": "100000", "WARPLINE_MONKEY_LOG": "1", "QTEST_FUNCTION_TIMEOUT": "3600000"}
    kinds = {}
    ends = {"a time": 0, "a write": 0, "its own": 0}
    begin = time.monotonic()
    for i in range(faults.options.kills):
        shutil.rmtree(folder, ignore_errors=i == 0)
        os.makedirs(folder / "config")
        seed = faults.options.seed * 1000 + i
        fault = {"LD_PRELOAD": faults.options.shim, "FAULT": "kill", "FAULT_PATH": str(folder), "FAULT_AFTER": str(int(10 ** rng.uniform(0, 2.5)))}
        report = rng.choice(MONKEY_REPORTS)
        said = pathlib.Path(faults.options.folder) / f"said-{seed}"
        with said.open("wb") as out:
            started = subprocess.Popen([faults.options.window, "tst_monkey", "-nocrashhandler", "anything:" + report], stdout=out, stderr=out, cwd=folder,
                                       env={**environment, "WARPLINE_MONKEY_SEED": str(seed), **(fault if i % 2 and faults.options.shim else {})})
        try:
            code = started.wait(rng.uniform(2, faults.options.patience))
            ends["a write" if code == -signal.SIGKILL else "its own"] += 1
            faults.expect(code >= 0 or code == -signal.SIGKILL, f"the window of seed {seed}, {report}, ends by signal {-code}, see {said}")
        except subprocess.TimeoutExpired:
            started.send_signal(rng.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
            ends["a time"] += 1
            try:
                started.wait(60)
            except subprocess.TimeoutExpired:
                faults.expect(False, f"the window of seed {seed}, {report}, goes on after a signal")
                started.kill()
                started.wait()
        expect_whole(faults, folder, f"seed {seed}, {report}", kinds)
        if not faults.found or str(said) not in faults.found[-1]:
            said.unlink()
        if (i + 1) % 25 == 0:
            print(f"{i + 1} windows in {time.monotonic() - begin:.0f} s, ended by {ends}, {len(faults.found)} finds {faults.found[-1:]}", flush=True)
    print(f"{faults.options.kills} windows ended by {ends}, files: {kinds}")
    faults.expect(kinds.get("settings"), "no window wrote settings: nothing is proved")


# Where windows write, as a part of names; on a read-only disk a view gets its name at once.
PLACES = {"settings": "/config/", "exports": "/out/", "everything": "/faulty/"}
SPOILED = ("cut", "grow", "replace", "remove")  # by tst_monkey itself, while the report is open
FAULTS = [*((fault, place) for fault in ("full", "broken") for place in PLACES), *(("read-only", place) for place in ("settings", "exports", "views")),
          *((fault, "report") for fault in (*SPOILED, "eio", "slow", "interrupted", "short"))]
# Messages of windows: each at least once in a long run.
TOLD = {"settings": "Settings, bookmarks and notes", "everything": "Cannot write", "views": "Cannot write", "eio": "cannot be read", "remove": "does not exist"}


def fail_windows(faults, rng):
    """Random actions in windows whose disk is full or fails, whose folders are read-only, whose report cannot be read, is slow, or
    changes: they end by themselves, leave no half file and no changed report, and say what could not be written or read."""
    options = faults.options
    folder = pathlib.Path(options.folder) / "faulty"
    config = folder / "config/warpline-test/tst_monkey.conf"
    reports = MONKEY_REPORTS if options.actions > 60 else MONKEY_REPORTS[:2]
    told, files = {}, {}
    begin = time.monotonic()
    for i in range(options.kills):
        shutil.rmtree(folder, ignore_errors=True)
        for name in ("config", "data", "run", "tmp"):
            (folder / name).mkdir(parents=True, mode=0o700)
        seed = options.seed * 1000 + i
        fault, place = FAULTS[i % len(FAULTS)]
        report = rng.choice(reports)
        after = int(10 ** rng.uniform(0, 2)) if place != "exports" else 0  # there are few
        variables = {"XDG_CONFIG_HOME": folder / "config", "XDG_DATA_HOME": folder / "data", "XDG_RUNTIME_DIR": folder / "run", "TMPDIR": folder / "tmp",
                     "QT_QPA_PLATFORM": "offscreen", "WARPLINE_MONKEY_SEED": seed, "WARPLINE_MONKEY_ACTIONS": options.actions, "WARPLINE_MONKEY_LOG": 1,
                     "WARPLINE_MONKEY_FAULT": fault, "QTEST_FUNCTION_TIMEOUT": 3600000}
        if fault == "read-only":
            variables |= {"GUARD": "write", "GUARD_PATHS": f"{folder}:{faults.fonts}", "GUARD_DENIED": PLACES.get(place, ".warpline"), "GUARD_LOG": "/dev/stderr"}
        elif fault not in SPOILED:
            variables |= {"FAULT": fault, "FAULT_PATH": PLACES.get(place, "/" + os.path.basename(report)), "FAULT_AFTER": after}
        what = f"seed {seed}, {report}, {fault} {place} from {after} on"
        said = pathlib.Path(options.folder) / f"said-{seed}"
        with said.open("wb") as out:
            try:
                code = subprocess.run([options.window, "tst_monkey", "-nocrashhandler", "anything:" + report], stdout=out, stderr=out, cwd=folder,
                                      env=shim_of(faults, **variables), timeout=max(300, options.patience), check=False).returncode
            except subprocess.TimeoutExpired:
                code = "a hang"
        before = len(faults.found)
        faults.expect(code == 0, f"{what}: {code}, see {said}")
        spared = {"QtProject.conf"}  # Qt's own
        if fault in SPOILED:
            spared |= {os.path.basename(report), "same"}
        if not config.with_name("tst_monkey.conf.last").exists():
            spared.add(config.name)  # half of the first settings of all: nothing is lost
        expect_whole(faults, folder, what, files, spared)
        text = said.read_text(errors="replace")
        told.setdefault((fault, place), set()).update(re.findall("^(?:message|status|box): (.*)", text, re.MULTILINE))
        if len(faults.found) == before:
            said.unlink()
        if (i + 1) % 50 == 0:
            print(f"{i + 1} windows in {time.monotonic() - begin:.0f} s, {len(faults.found)} finds {faults.found[-1:]}", flush=True)
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{options.kills} windows with faults, files: {files}, {spent.ru_utime + spent.ru_stime:.0f} s of processor time so far")
    for kind, messages in told.items():
        (pathlib.Path(options.folder) / ("told-" + "-".join(kind))).write_text("\n".join(sorted(messages)) + "\n")
        wanted = TOLD.get(kind[0], TOLD.get(kind[1], ""))
        if options.kills >= 10 * len(FAULTS):
            faults.expect(any(wanted in message for message in messages), f"no window says \"{wanted}\" of {kind}")


def kill_viewers(faults, rng):
    """Windows end while they keep a large report in the cache, in the middle of a write or before the file gets its name, or the disk
    is full or fails: no file is there, or one from which the report opens as from itself."""
    folder = pathlib.Path(faults.options.folder) / "viewers"
    environment = {**faults.environment, "XDG_CONFIG_HOME": f"{folder}/config", "XDG_CACHE_HOME": f"{folder}/cache", "TMPDIR": str(folder), "QT_QPA_PLATFORM": "offscreen"}
    expected = faults.run([faults.options.program, "info", "--no-cache", faults.options.large]).stdout
    ends = {"a write": 0, "a time": 0}
    for i in range(faults.options.kills):
        shutil.rmtree(folder, ignore_errors=i == 0)
        os.makedirs(folder / "config")
        kind = ("kill", "full", "kill", "broken")[i % 4]
        fault = {"LD_PRELOAD": faults.options.shim, "FAULT": kind, "FAULT_PATH": f"{folder}/cache", "FAULT_AFTER": str(int(10 ** rng.uniform(0, 2)))}
        with subprocess.Popen([faults.options.viewer, "--fresh", faults.options.large], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**environment, **fault}) as started:
            try:
                code = started.wait(faults.options.patience)
                faults.expect(code == -signal.SIGKILL and kind == "kill", f"viewer {i} ends by {code} with {kind}")
                ends["a write"] += 1
            except subprocess.TimeoutExpired:
                started.kill()
                ends["a time"] += 1
            if kind != "kill":
                faults.expect(not list((folder / "cache").rglob("*.part")), f"viewer {i} leaves a part on a disk that is {kind}")
        left = [path for path in (folder / "cache").rglob("*") if path.is_file() and path.suffix != ".part"]
        done = faults.run([faults.options.program, "info", faults.options.large], environment={**environment, "LD_PRELOAD": ""})
        faults.expect(done.stdout == expected, f"viewer {i} left {[(path.name, path.stat().st_size) for path in left]}: {done.stdout[-200:]} {done.stderr[-200:]}")
        parts = len(list((folder / "cache").rglob("*.part")))
        print(f"viewer {i + 1}: ended by {ends}, {parts} parts, {len(left)} whole files, {len(faults.found)} finds", flush=True)
    faults.expect(ends["a write"], "no window was killed while it wrote its cache: nothing is proved")


def kill_keepers(faults, rng):
    """stress-core, two threads of which keep the report at once, ends in the middle of a write to the cache, before a file gets its
    name, or between writes: a file under its final name is whole, and the next start reads the report right, from that file."""
    options = faults.options
    folder = pathlib.Path(options.folder) / "keepers"
    traces = folder / "warpline/traces"
    shutil.rmtree(folder, ignore_errors=True)
    traces.mkdir(parents=True)
    environment = {**faults.environment, "XDG_CACHE_HOME": str(folder)}
    keep = [options.keeper, "--cache", str(traces), options.report]
    read = [options.program, "events", "--format", "csv", options.report]
    expected = faults.run([*read, "--no-cache"]).stdout

    def expect_read(what):
        """A file that is read has its time set; a broken one is left, and the report read instead."""
        named = [path for path in traces.iterdir() if path.suffix != ".part"]
        for _ in range(2):  # on a busy machine a whole one may be left as well, but not twice
            for path in named:
                os.utime(path, (1, 1))
            done = faults.run(read, environment=environment)
            faults.expect((done.returncode, done.stdout) == (0, expected), f"{what}: another answer, {done.returncode} {done.stderr[-200:]}")
            is_read = all(path.stat().st_mtime > 1 for path in named)
            if is_read:
                break
        faults.expect(is_read, f"{what}: half a file is among {named}")
        return len(named)

    def expect_kept(what):
        """A keeper that writes removes the parts of those that were killed, once they are old."""
        for path in traces.iterdir():
            if path.suffix == ".part":
                os.utime(path, (1, 1))
            else:
                path.unlink()
        done = faults.run(keep, environment=environment)
        left = list(traces.glob("*.part"))
        faults.expect(done.returncode == 0 and not left and expect_read(what) == 1, f"{what}: the next keeper ends with {done.returncode} and leaves {left}")

    expect_kept("no kill")
    ends = {"in a write": 0, "between writes": 0, "at its end": 0}
    names = 0
    for i in range(options.kills):
        for path in traces.iterdir():
            path.unlink()
        after = rng.randrange(80)  # writes of both threads
        fault = {"LD_PRELOAD": options.shim, "FAULT": "kill", "FAULT_PATH": str(traces), "FAULT_AFTER": str(after)} if i % 4 else {}
        with subprocess.Popen(keep, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={**environment, **fault}) as started:
            if not fault:
                while started.poll() is None and not any(traces.iterdir()):
                    time.sleep(0.0001)
                time.sleep(rng.uniform(0, 0.001))
                started.kill()
            code = code_of(started, 120)
        parts = [path.stat().st_size for path in traces.glob("*.part")]
        ends["at its end" if not parts else "in a write" if fault else "between writes"] += 1
        what = f"keeper {i}, {'write ' + str(after) if fault else 'a time'}, parts of {parts} bytes"
        faults.expect(code in (0, -signal.SIGKILL), f"{what}: ends with {code}")
        names += expect_read(what)
        if i % 10 == 0:
            expect_kept(what)
    print(f"{options.kills} keepers ended {ends}, {names} of them with a file under its final name")
    faults.expect(ends["in a write"] > options.kills // 4, "too few kills in the middle of a write")


def fill_the_disk(faults):
    """A limit of file sizes stands in for a full disk: writing fails at any point."""
    def limit(size):
        def set_limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return set_limit

    for command in WRITING:
        for size in (0, 1, 4096, 20_000):
            out = pathlib.Path(faults.options.folder) / "full"
            out.write_bytes(b"what was there")
            done = faults.run(faults.words(command, str(out)), limit(size))
            faults.expect_message(done, f"{command[0]} on a disk with {size} bytes left")
            if done.returncode != 0:
                faults.expect(kept(out) == b"what was there", f"{command[0]} on a full disk loses the file that was there")
    for command in READING:
        with open("/dev/full", "wb") as full:
            done = subprocess.run(faults.words(command, ""), stdout=full, stderr=subprocess.PIPE, env=faults.environment, timeout=120, check=False)
        faults.expect(done.returncode == 4 and done.stderr.strip(), f"{command[0]} to a full device: code {done.returncode}")


def deny_the_cache(faults):
    """A file in place of the cache folder: what is asked is answered all the same."""
    blocked = pathlib.Path(faults.options.folder) / "blocked"
    blocked.write_bytes(b"")
    for command in [*READING, ["history", "REPORT"]]:
        for folder in (str(blocked), "/proc/no/such", ""):
            plain = faults.run(faults.words(command, ""))
            done = faults.run(faults.words(command, ""), environment={**faults.environment, "XDG_CACHE_HOME": folder})
            faults.expect((done.returncode, done.stdout) == (plain.returncode, plain.stdout), f"{command[0]} without a cache folder: code {done.returncode}")


def limited(what, size):
    return lambda: resource.setrlimit(what, (size, resource.getrlimit(what)[1]))


def without_threads():
    """No stack of a thread fits into memory. No limit where the hard one forbids such stacks."""
    is_free = resource.getrlimit(resource.RLIMIT_STACK)[1] == resource.RLIM_INFINITY
    return [limited(resource.RLIMIT_STACK, 2**50)] if is_free else []


def take_the_memory(faults):
    """From where the program can start at all, 1 MiB more each time, to where it has all that it needs. Without any thread it answers
    the same. A window says that it ends."""
    options = faults.options
    out = pathlib.Path(options.folder) / "memory"

    def least_of(program):
        return next(size for size in range(8 * MEBI, 4096 * MEBI, MEBI)
                    if faults.run([program, "--version"], limited(resource.RLIMIT_AS, size)).returncode in (0, 3))

    least = least_of(options.program)
    short = 0
    for source in filter(None, [options.report, options.trace]):
        for command in [*READING[:options.commands], WRITING[0], ["analyze", "--jobs", "2", "REPORT", "REPORT"]]:
            if command[0] == "sql" and source != options.report:
                continue
            words = [source if word == options.report else word for word in faults.words(command, str(out))]
            plain = faults.run(words)
            for step in range(32):
                done = faults.run(words, limited(resource.RLIMIT_AS, least + step * MEBI))
                short += done.returncode != 0
                faults.expect_message(done, f"{command[0]} {source} in {least // MEBI + step} MiB")
            for step in range(64):  # where it just begins, exceptions may have no memory either; 127: the loader of programs has none
                done = faults.run(words, limited(resource.RLIMIT_AS, least - MEBI + step * MEBI // 64))
                faults.expect(done.returncode in (0, 127) or (done.returncode == 3 and done.stderr), f"{command[0]} {source} where it just begins: {done.returncode} {done.stderr[:200]}")
            for limit in without_threads():
                done = faults.run(words, limit)
                faults.expect((done.returncode, done.stdout) == (plain.returncode, plain.stdout), f"{command[0]} {source} without threads: {done.returncode} {done.stderr[:200]}")
    faults.expect(short > 5, "no run was short of memory")
    if options.viewer:
        picture = pathlib.Path(options.folder) / "memory.png"
        least = least_of(options.viewer)
        environment = {**faults.environment, "QT_QPA_PLATFORM": "offscreen"}
        codes = set()
        for limit in [*(limited(resource.RLIMIT_AS, size) for size in range(least, least + 1536 * MEBI, 64 * MEBI)), *without_threads()]:
            picture.unlink(missing_ok=True)
            done = faults.run([options.viewer, "--no-cache", "--screenshot", str(picture), options.report], limit, environment)
            codes.add(done.returncode)
            faults.expect(done.returncode in (0, 3) and (done.returncode == 0 or b"warpline: " in done.stderr), f"a picture in little memory: {done.returncode} {done.stderr[-200:]}")
            faults.expect(picture.exists() == (done.returncode == 0) and not list(picture.parent.glob("memory.png*.part")), "a picture in little memory leaves a part of it")
        faults.expect(codes == {0, 3}, f"pictures in little memory all end with {codes}")
        shutil.rmtree(faults.fonts / "cache", ignore_errors=True)  # out of memory, fontconfig keeps an empty list of fonts for all


def shim_of(faults, **variables):
    return {**faults.environment, "LD_PRELOAD": faults.options.shim, **{name: str(value) for name, value in variables.items()}}


def fail_reads(faults):
    """Short and interrupted reads change nothing. A failing disk is named; a file that changes ends in an answer or a message."""
    for source in filter(None, [faults.options.report, faults.options.trace]):
        path = pathlib.Path(faults.options.folder) / ("read" + "".join(pathlib.Path(source).suffixes[-2:]))
        for command in READING[:faults.options.commands]:
            if command[0] == "sql" and source != faults.options.report:
                continue
            words = [str(path) if word == faults.options.report else word for word in faults.words([*command, "--no-cache"], "")]
            shutil.copy(source, path)
            plain = faults.run(words)
            for fault in ("short", "interrupted", "eio", "cut", "grow", "replace", "remove"):
                for after in (0, 2, 5, 10, 40, 150, 400) if fault not in ("short", "interrupted") else (0,):
                    shutil.copy(source, path)
                    shutil.copy(faults.options.other, str(path) + ".other")
                    done = faults.run(words, environment=shim_of(faults, FAULT=fault, FAULT_PATH=path, FAULT_AFTER=after))
                    what = f"{command[0]} {path.name}, {fault} from read {after} on"
                    faults.expect_message(done, what)
                    same = (done.returncode, done.stdout) == (plain.returncode, plain.stdout)
                    if fault in ("short", "interrupted"):
                        faults.expect(same, f"{what}: another answer")
                    if fault == "eio":
                        told = b"cannot be read" in done.stderr or b"I/O error" in done.stderr
                        faults.expect(same or told, f"{what}: {done.returncode} {done.stderr[:200]}")


SILENT = 10  # seconds after which programs say that the disk is silent


class Hung:
    """A program over a copy of the report whose disk never answers, from read `after` on (-1: not even whether it is there); or the disk of `path`."""

    def __init__(self, faults, what, words, after, end=None, path="/away/", **places):
        folder = pathlib.Path(faults.options.folder) / "away"
        folder.mkdir(exist_ok=True)
        report = str(folder / "report.sqlite")
        if not os.path.exists(report):
            shutil.copy(faults.options.report, report)
        self.what = f"{what}, silent from read {after} on"
        self.errors = (pathlib.Path(faults.options.folder) / f"silent-{what.replace(' ', '-')}-{after}").open("w+b")
        self.mark = pathlib.Path(f"{self.errors.name}-hangs")
        self.mark.unlink(missing_ok=True)
        self.started = subprocess.Popen([report if word == faults.options.report else word for word in words], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                                        env=shim_of(faults, FAULT="hang", FAULT_PATH=path, FAULT_AFTER=after, FAULT_END=end or "/nowhere", FAULT_HUNG=self.mark, QT_QPA_PLATFORM="offscreen", **places))

    def hangs(self):
        """Waits until it does."""
        end = time.monotonic() + 30
        while not self.mark.exists() and self.started.poll() is None and time.monotonic() < end:
            time.sleep(0.05)
        return self.mark.exists()

    def code(self, seconds):
        return code_of(self.started, seconds)

    def said(self):
        self.errors.seek(0)
        return self.errors.read()

    def says(self, text, seconds):
        """Waits until it says so: a busy machine delays it."""
        end = time.monotonic() + seconds
        while text not in self.said() and time.monotonic() < end:
            time.sleep(0.2)
        return text in self.said()


def hang_for_ever(faults):
    """The disk of the report never answers, as one of the network that is away: signals end commands and windows at once, each says
    what it waits for, mcp answers, and nothing half is left. All of them wait at the same time."""
    options = faults.options
    out = pathlib.Path(options.folder) / "kept"
    out.write_bytes(b"what was there")
    end = pathlib.Path(options.folder) / "answers-again"
    end.unlink(missing_ok=True)
    ended = []
    for i, command in enumerate([*READING, WRITING[0]][:options.commands + 1] + [WRITING[0]]):
        for after in (0, 1, 5):
            ended.append(Hung(faults, f"{command[0]} {i}", faults.words([*command, *([] if command in WRITING else ["--no-cache"])], str(out)), after))
    # The disk that is written to hangs as well, when the file is to be removed.
    away = pathlib.Path(options.folder) / "away-out"
    shutil.rmtree(away, ignore_errors=True)
    away.mkdir()
    ended.append(Hung(faults, "cut there", faults.words(["cut", "--force", "REPORT", str(away / "part.sqlite")], ""), 1, path="/away-out/"))
    # A cache only makes it faster: commands do without.
    (pathlib.Path(options.folder) / "away-cache/warpline/traces").mkdir(parents=True, exist_ok=True)
    cached = Hung(faults, "cache", faults.words(READING[0], ""), -1, path="/away-cache/", XDG_CACHE_HOME=options.folder + "/away-cache")
    patient = Hung(faults, "patient", faults.words([*READING[0], "--no-cache"], ""), 2, str(end))
    mcp = Hung(faults, "mcp", [options.program, "mcp"], 1)
    report = options.folder + "/away/report.sqlite"
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "open_reports", "arguments": {"paths": [report]}}}
    lines = [*mcp_session.START, call, {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}, {**call, "id": 3}, {**call, "id": 4}]
    glossary = {"jsonrpc": "2.0", "id": 6, "method": "tools/call", "params": {"name": "words", "arguments": {"term": "occupancy"}}}
    mcp.started.stdin.write(mcp_session.as_text([*lines, {"jsonrpc": "2.0", "id": 5, "method": "ping"}, glossary]).encode())
    mcp.started.stdin.close()
    batches = Hung(faults, "mcp batch", [options.program, "mcp"], 1)
    older = json.loads(json.dumps(mcp_session.START).replace("2025-06-18", "2025-03-26"))
    batches.started.stdin.write(mcp_session.as_text([*older, [call, {"jsonrpc": "2.0", "id": 3, "method": "ping"}]]).encode())
    batches.started.stdin.close()
    windows = []
    if options.viewer:
        settings = {"XDG_CONFIG_HOME": options.folder + "/away-config", "XDG_DATA_HOME": options.folder + "/away-data", "XDG_RUNTIME_DIR": options.folder}
        home = Hung(faults, "settings", [options.viewer, "--fresh", options.report], -1, path="/away-home/", **{**settings, "XDG_CONFIG_HOME": options.folder + "/away-home"})
        windows = [Hung(faults, "window", [options.viewer, "--fresh", "--no-cache", options.report], after, **settings) for after in (0, 1, 5)]
        # The report is drawn, and something may still wait for its disk: the program ends all the same.
        late = [Hung(faults, "picture of sql", [options.viewer, "--panel", "sql", "--screenshot", f"{options.folder}/silent{after}.png", options.report], after, **settings)
                for after in (20, 60)]
        picture = Hung(faults, "picture", [options.viewer, "--screenshot", options.folder + "/silent.png", options.report], 2, **settings)
    for each in [*ended, *windows]:
        faults.expect(each.hangs(), f"{each.what}: does not hang")
    time.sleep(1.5)
    for i, each in enumerate([*ended, *windows]):
        signalled = (signal.SIGINT, signal.SIGTERM)[i % 2]
        begin = time.monotonic()
        each.started.send_signal(signalled)
        code = each.code(20)
        faults.expect(code == -signalled and time.monotonic() - begin < 3, f"{each.what}: {code} after {time.monotonic() - begin:.1f} s, {each.said()[:200]}")
        faults.expect(each in windows or b"The disk did not answer" in each.said(), f"{each.what}: says {each.said()[:200]}")
    left = [path.name for path in pathlib.Path(options.folder).glob("*.part")]
    faults.expect(kept(out) == b"what was there" and not left, f"signals leave {left}")
    code = mcp.code(SILENT + 30)
    answers = [json.loads(line) for line in mcp.started.stdout.read().splitlines()]
    faults.expect([answer["id"] for answer in answers] == [1, 5, 6, 3, 4], f"mcp answers {[answer['id'] for answer in answers]} while the disk is silent")
    faults.expect(all("has not answered" in str(answer["result"]) for answer in answers[3:]), f"mcp says {answers[3:]}")
    faults.expect("occupancy" in str(answers[2]["result"].get("structuredContent")), f"mcp says {answers[2]} where it needs no disk")
    batch_code = batches.code(SILENT + 30)
    answers = [json.loads(line) for line in batches.started.stdout.read().splitlines()]
    faults.expect(batch_code == 3 and len(answers) == 2 and [answer["id"] for answer in answers[1]] == [2, 3], f"mcp answers a batch with {answers} and {batch_code}")
    faults.expect(code == 3, f"mcp ends with {code} where the disk is silent")
    faults.expect(patient.says(b"The disk has not answered for", SILENT + 30) and b"/away/report.sqlite" in patient.said(), f"{patient.what}: says {patient.said()[:200]}")
    end.write_bytes(b"")
    printed, _ = patient.started.communicate(timeout=120)
    faults.expect(patient.started.returncode == 0 and printed, f"{patient.what}: {patient.started.returncode} when the disk answers again")
    code = cached.code(60)
    faults.expect(code == 0 and cached.mark.exists(), f"{cached.what}: {code} {cached.said()[:300]}")
    if options.viewer:
        faults.expect(home.says(b"may not answer", SILENT + 30) and b"away-home" in home.said(), f"{home.what}: says {home.said()[:300]}")
        home.started.terminate()
        faults.expect(home.code(20) == -signal.SIGTERM, f"{home.what}: goes on")
        code = picture.code(60)
        faults.expect(code == 3 and b"has not answered" in picture.said(), f"{picture.what}: {code} {picture.said()[:300]}")
        for each in late:
            code = each.code(60)
            faults.expect(code in (0, 3), f"{each.what}: {code}")


def fail_writes(faults):
    """The disk is full, or fails, at the first write or a later one."""
    for command in WRITING:
        out = pathlib.Path(faults.options.folder) / "written"
        for fault in ("full", "broken"):
            for after in (0, 1, 2, 5):
                out.write_bytes(b"what was there")
                done = faults.run(faults.words(command, str(out)), environment=shim_of(faults, FAULT=fault, FAULT_PATH="/written", FAULT_AFTER=after))
                faults.expect_message(done, f"{command[0]}, {fault} from write {after} on")
                if done.returncode != 0:
                    faults.expect(kept(out) == b"what was there", f"{command[0]}, {fault}: loses the file that was there")


HOSTILE_SQL = ["ATTACH 'FOLDER/attached' AS x", "VACUUM INTO 'FOLDER/vacuumed'", "CREATE TABLE x (y)", "DELETE FROM StringIds", "PRAGMA journal_mode=WAL",
               "SELECT load_extension('x')", "SELECT writefile('FOLDER/x', 'y')", "SELECT readfile('/etc/passwd')", "SELECT edit('x', 'sh')",
               "PRAGMA temp_store_directory='FOLDER'", "CREATE TEMP TABLE x AS SELECT 1", "SELECT fts3_tokenizer('simple', x'00')",
               "SELECT * FROM StringIds ORDER BY random() LIMIT 9", "CREATE VIRTUAL TABLE x USING csv(filename='/etc/passwd')", "DETACH main"]


ENDLESS_SQL = ["WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r",
               "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r",
               "WITH RECURSIVE r(x) AS (SELECT 'a' UNION ALL SELECT x || x FROM r) SELECT length(x) FROM r",
               "SELECT count(*) FROM kernels a, kernels b, kernels c, kernels d, kernels e"]
HOSTILE_FILTERS = ["name=$(touch FOLDER/x)", "name=`touch FOLDER/x`", "name~/(a*)*(a*)*(a*)*b/", "name~/(?:.*.*.*.*)*x/", "name=@ELSEWHERE", "name=file://ELSEWHERE", "ELSEWHERE",
                   "name='; ATTACH 'ELSEWHERE' AS x; --'", "name~/.{1,1000}{1,1000}/", "not " * 500 + "name=x", "name=%s%n%n"]
# What commands read besides what they are given: locales, libraries, facts of the machine.
SYSTEM_PATHS = ["/usr", "/lib", "/lib64", "/proc/self", "/proc/meminfo", "/proc/stat", "/sys", "/dev/null", "/dev/urandom", "/etc/localtime", "/etc/ld.so.cache", "/etc/ssl"]


def guard_reads(faults):
    """Queries, filters and view files of a stranger read no file but the report and themselves, and end within their limits. A set of
    reports reads what it lists, and shows nothing of what is no report."""
    folder = pathlib.Path(faults.options.folder) / "guarded-reads"
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("given", "tmp", "run", "data"):
        (folder / name).mkdir(parents=True, mode=0o700)
    report = str(shutil.copy(faults.options.report, folder / "given"))
    elsewhere = str(shutil.copy(faults.options.report, folder / "elsewhere.sqlite"))
    log = folder / "log"
    places = {"FOLDER": str(folder), "ELSEWHERE": elsewhere}
    own = {"XDG_CONFIG_HOME": folder / "config", "XDG_DATA_HOME": folder / "data", "XDG_RUNTIME_DIR": folder / "run", "HOME": folder, "TMPDIR": folder / "tmp"}
    allowed = ":".join([*SYSTEM_PATHS, faults.environment["XDG_CACHE_HOME"], *(str(folder / name) for name in ("given", "config", "tmp"))])

    def filled(text):
        for word, place in places.items():
            text = text.replace(word, place)
        return text

    def bounded(words, what="network,spawn,read", text=b"", seconds=20):
        """Its code and output; what it reads beyond, or that it goes on for long, is a find."""
        log.write_bytes(b"")
        environment = shim_of(faults, GUARD=what, GUARD_PATHS=allowed if "read" in what else "", GUARD_LOG=log, **own)
        words = [filled(word) for word in words]
        try:
            done = subprocess.run(words, input=text, capture_output=True, env=environment, cwd=folder / "given", timeout=seconds, check=False)
        except subprocess.TimeoutExpired:
            faults.expect(False, f"{' '.join(words)[:300]} goes on after {seconds} s")
            return -1, b""
        faults.expect(0 <= done.returncode <= 9, f"{' '.join(words)[:300]}: code {done.returncode}, {log.read_text()}")
        faults.expect(b"root:" not in done.stdout + done.stderr, f"{' '.join(words)[:300]} shows /etc/passwd")
        return done.returncode, done.stdout

    program = faults.options.program
    for statement in ENDLESS_SQL:
        code, _ = bounded([program, "sql", "--seconds", "1", "--rows", "1000", report, statement])
        faults.expect(code in (2, 3, 7), f"sql ends with {code}: {statement}")
    statements = [filled(each) for each in [*HOSTILE_SQL, f"SELECT * FROM (ATTACH '{elsewhere}' AS y)", "SELECT readfile('ELSEWHERE')", *ENDLESS_SQL]]
    for statement in statements[:-len(ENDLESS_SQL)]:
        bounded([program, "sql", report, statement])
    for each in HOSTILE_FILTERS:
        bounded([program, "events", "--no-cache", "--top", "5", report, "--where", each])
    calls = [("open_reports", {"paths": [report]})] + [("sql", {"report": "r1", "sql": each}) for each in statements[:-len(ENDLESS_SQL)]]
    for tool in mcp_session.tools_of(program):
        calls += [(tool["name"], {"report": "r1", "where": filled(each)}) for each in HOSTILE_FILTERS if "where" in tool["inputSchema"].get("properties", {})]
    lines = [{"jsonrpc": "2.0", "id": 2 + i, "method": "tools/call", "params": {"name": name, "arguments": each}} for i, (name, each) in enumerate(calls)]
    _, answers = bounded([program, "mcp"], text=mcp_session.as_text([*mcp_session.START, *lines]).encode(), seconds=60)
    faults.expect(answers.count(b"\n") > len(calls), f"mcp answers {answers.count(bytes([10]))} of {len(calls)} hostile calls")
    rows = {key: [each, "/etc/passwd", "../../etc/passwd"] for key, each in {"open": elsewhere, "pinned": "$(touch x)", "hidden": "#0"}.items()}
    marks = [{"range_ns": [-2**63, 2**63 - 1], "text": f"<img src='file://{elsewhere}'><script>fetch('/etc/passwd')</script>", "color": "/etc/passwd"}] * 50
    session = json.loads(faults.run([program, "info", "--format", "json", report]).stdout)["reports"][0]["range_ns"]
    view = {"warpline_view": 1, "reports": [{"bytes": os.path.getsize(report), "session_ns": [session["start"], session["end"]], "file": elsewhere, "path": "/etc/passwd"}], "rows": rows, "marks": marks,
            "answers": [{"title": "$(touch x)", "sql": each, "report": i % 3} for i, each in enumerate(statements)], "filter": {"text": filled(HOSTILE_FILTERS[2])},
            "search": "(a*)*b", "steps": "*" * 5000, "thresholds": {"../../etc/passwd": 1e308}, "notes": f"<iframe src='file://{elsewhere}'></iframe>", "include": "/etc/passwd"}
    views = [json.dumps(view), json.dumps({**view, "answers": [view] * 100}), "[" * 100_000, json.dumps(view)[:-9], json.dumps({**view, "marks": marks * 201})]
    for i, text in enumerate(views):
        (folder / f"given/view{i}.warpline").write_text(text)
        code, page = bounded([program, "report", "--no-cache", "--view", str(folder / f"given/view{i}.warpline"), report])
        faults.expect((code == 0) == (i < 2) and b"<script" not in page and b"<iframe" not in page, f"view {i}: code {code}")
    (folder / "given/set.warpline").write_text(json.dumps({"warpline_reports": 1, "reports": [{"file": each, "label": "$(touch x)"} for each in (
        os.path.basename(report), "/etc/passwd", "../../../../../../etc/passwd", "/dev/zero", "/proc/self/mem", "| sh", "given", "set.warpline")]}))
    for words in (["compare", "set.warpline", "set.warpline"], ["ranks", "set.warpline"], ["history", "set.warpline"], ["analyze", "set.warpline"]):
        bounded([program, words[0], "--no-cache", *(str(folder / "given" / each) for each in words[1:])], "network,spawn")
    made = sorted(path.name for path in folder.rglob("*") 
                  if path.is_file() and path.name not in ("log", "elsewhere.sqlite", os.path.basename(report)) and path.suffix != ".warpline")
    faults.expect(not made, f"hostile filters, views and sets wrote {made}")
    if faults.options.viewer:
        # The view lies next to the report: its queries run in the window.
        shutil.copy(folder / "given/view0.warpline", pathlib.Path(report).with_suffix(".warpline"))
        picture = str(folder / "given/picture.png")
        more = [os.path.dirname(faults.options.viewer), str(faults.fonts), "/proc", "/etc/passwd", "/etc/nsswitch.conf", "/etc/machine-id", "/var/lib/dbus/machine-id",
                *(str(folder / name) for name in ("data", "run", ".cache", ".fontconfig"))]
        variables = {**own, "QT_QPA_PLATFORM": "offscreen", "GUARD": "network,spawn,read", "GUARD_LOG": log, "GUARD_PATHS": ":".join([allowed, *more])}
        log.write_bytes(b"")
        done = subprocess.run([faults.options.viewer, "--no-cache", "--screenshot", picture, report], capture_output=True, env=shim_of(faults, **variables), timeout=300, check=False)
        faults.expect(done.returncode == 0, f"a picture with a hostile view: code {done.returncode}, {log.read_text()}")
    # Unless a program is ended, the guard of reads could not fail.
    log.write_bytes(b"")
    done = subprocess.run([program, "info", "--no-cache", elsewhere], capture_output=True, env=shim_of(faults, GUARD="read", GUARD_PATHS=allowed, GUARD_LOG=log), check=False)
    faults.expect(done.returncode == 78 and elsewhere in log.read_text(), "the guard of reads guards nothing")


def guard_window(faults):
    """The same over windows: nothing is written but settings, the cache and what is exported, no socket is made but the one by which
    windows of one user find each other, no program is started. Offscreen: there is no display to talk to."""
    folder = pathlib.Path(faults.options.folder) / "guarded-window"
    shutil.rmtree(folder, ignore_errors=True)
    log = pathlib.Path(faults.options.folder) / "guarded-window.log"
    for name in ("home", "current", "config", "cache", "data", "run", "out", "report", "tmp"):
        (folder / name).mkdir(parents=True, mode=0o700)
    report = shutil.copy(faults.options.report, folder / "report")

    def run(words, allowed=("config", "cache", "data", "run", "out"), seconds=0, **variables):
        """Its code, and what it did beyond what it may. With `seconds` it is ended after them."""
        log.write_bytes(b"")
        environment = {"HOME": folder / "home", "XDG_CONFIG_HOME": folder / "config", "XDG_CACHE_HOME": folder / "cache", "XDG_DATA_HOME": folder / "data",
                       "XDG_RUNTIME_DIR": folder / "run", "TMPDIR": folder / "tmp", "QT_QPA_PLATFORM": "offscreen", "GUARD": "network,spawn,write",
                       "GUARD_PATHS": ":".join([str(faults.fonts), *(str(folder / name) for name in allowed)]), "GUARD_LOG": log, **variables}
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder / "current", env=shim_of(faults, **environment)) as started:
            try:
                code = started.wait(seconds or 300)
            except subprocess.TimeoutExpired:
                started.terminate()
                code = code_of(started, 60)
        return code, log.read_text()

    if faults.options.viewer:
        for panel in extremes.panels_of(faults.options.viewer)[:faults.options.commands]:
            done = run([faults.options.viewer, "--panel", panel, "--screenshot", str(folder / "out/picture.png"), report])
            faults.expect(done == (0, ""), f"a picture of {panel} under the guard: {done}")
        # One that stays open until it is ended, in a folder of its own that others find; then without a place for its settings.
        done = run([faults.options.viewer, report], seconds=4)
        faults.expect(done == (-signal.SIGTERM, ""), f"the window under the guard: {done}")
        places = {str(path.relative_to(folder)) for name in ("home", "current", "report", "tmp") for path in (folder / name).rglob("*")}
        faults.expect(places == {"report/" + os.path.basename(report)}, f"the window wrote {places}")
        code, noted = run([faults.options.viewer, report], allowed=("out",), seconds=20)
        faults.expect(code == 78 and noted, "the guard of the window guards nothing")
    if faults.options.window:
        done = run([faults.options.window, "tst_monkey", "-nocrashhandler"], allowed=("config", "cache", "data", "run", "tmp"), WARPLINE_MONKEY_SEED=faults.options.seed)
        faults.expect(done == (0, ""), f"random actions under the guard: {done}")


def without_network(faults):
    """In a namespace of the network of its own, from which not even this machine is reached, and under the guard: the same answers."""
    alone = ["unshare", "--map-root-user", "--net"]
    if not shutil.which("unshare") or subprocess.run([*alone, "true"], capture_output=True, check=False).returncode != 0:
        print("unshare is not allowed: nothing runs in a namespace without a network")
        return
    options = faults.options
    environment = shim_of(faults, GUARD="network", QT_QPA_PLATFORM="offscreen")
    session = [*mcp_session.START, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "open_reports", "arguments": {"paths": [options.report]}}}]
    programs = [(faults.words([*command, "--no-cache"], ""), "") for command in READING[:options.commands]] + [([options.program, "mcp"], mcp_session.as_text(session))]
    if options.viewer:
        programs.append(([options.viewer, "--screenshot", options.folder + "/alone.png", options.report], ""))
    runs = [(words, text, alone, environment) for words, text in programs]
    fleet = str(pathlib.Path(options.program).with_name("warpline-fleet"))
    if os.path.exists(fleet) and shutil.which("ip"):  # MPI needs the loopback device, and makes sockets of its own
        runs.append(([fleet, options.report], "", [*alone, "sh", "-c", 'ip link set lo up && exec "$@"', "sh"], faults.environment))
    for words, text, place, variables in runs:
        plain, done = (subprocess.run([*before, *words], input=text.encode(), capture_output=True, env=variables, timeout=120, check=False) for before in ([], place))
        faults.expect(0 <= done.returncode <= 9 and (done.returncode, done.stdout) == (plain.returncode, plain.stdout), f"{words[:3]} without a network: {done.returncode} instead of {plain.returncode} {done.stderr[:200]}")
    reach = "import socket; socket.create_connection(('127.0.0.1', 9), 1)"
    done = subprocess.run([*alone, sys.executable, "-c", reach], capture_output=True, check=False)
    faults.expect(b"unreachable" in done.stderr, f"the namespace has a network: {done.stderr[-200:]}")


def guard(faults):
    """The kernel ends the program that reaches for the network, starts a program, or writes: nothing that reads a report does,
    whatever is asked."""
    def free(words, text=b"", what="network,spawn,write"):
        done = subprocess.run(words, input=text, capture_output=True, env=shim_of(faults, GUARD=what), timeout=120, check=False)
        faults.expect(0 <= done.returncode <= 9, f"{' '.join(words)[:200]}: code {done.returncode} under the guard of {what}")
        return done

    begin = free(faults.words(["info", "--no-cache", "REPORT"], ""))
    if begin.returncode == 77:
        print("the kernel takes no filter: nothing is guarded")
        return
    for command in READING:
        free(faults.words([*command, "--no-cache"], ""))
    hostile = [statement.replace("FOLDER", faults.options.folder) for statement in HOSTILE_SQL]
    for statement in hostile:
        done = free(faults.words(["sql", "--no-cache", "REPORT"], "") + [statement])
        faults.expect("random" in statement or done.returncode != 0, f"sql takes {statement}")
    calls = [("sql", {"report": "r1", "sql": statement}) for statement in hostile]
    calls += [("open_reports", {"paths": [path]}) for path in ("/etc/passwd", "/proc/self/mem", faults.options.folder, "| sh", "$(touch x)")]
    lines = [*mcp_session.START, {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "open_reports", "arguments": {"paths": [faults.options.report]}}}]
    lines += [{"jsonrpc": "2.0", "id": 9 + i, "method": "tools/call", "params": {"name": name, "arguments": each}} for i, (name, each) in enumerate(calls)]
    # It keeps results in files without a name.
    done = free([faults.options.program, "mcp"], mcp_session.as_text(lines).encode(), "network,spawn")
    made = [name for name in ("attached", "vacuumed", "x") if os.path.exists(f"{faults.options.folder}/{name}") or os.path.exists(name)]
    faults.expect(not made, f"hostile questions wrote {made}")
    faults.expect(done.stdout.count(b"\n") >= len(calls), "mcp does not answer every call")
    faults.expect(b"root:" not in done.stdout, "mcp shows /etc/passwd")
    for command in WRITING:
        free(faults.words(command, faults.options.folder + "/guarded"), what="network,spawn")
    guard_reads(faults)
    guard_window(faults)
    without_network(faults)
    # Unless a program is ended, the guard could not fail.
    refused = subprocess.run(faults.words(WRITING[0], faults.options.folder + "/guarded"), capture_output=True, env=shim_of(faults, GUARD="write"), check=False)
    faults.expect(refused.returncode == -signal.SIGSYS, "the guard guards nothing")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("report")
    parser.add_argument("folder")
    parser.add_argument("--trace", help="a trace, to be read as well")
    parser.add_argument("--other", help="a report that takes the place of the one that is read; default: the trace")
    parser.add_argument("--shim", help="warpline-shim: reads and writes that fail, and the guard")
    parser.add_argument("--window", help="tst_app_window, whose windows of tst_monkey are killed")
    parser.add_argument("--viewer", help="warpline, whose windows the guard watches")
    parser.add_argument("--keeper", help="stress-core, which keeps the report in a cache, however small it is")
    parser.add_argument("--large", help="a report of ten million events or more, which windows keep in the cache")
    parser.add_argument("--patience", type=float, default=12, help="seconds that a window lives at most")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--commands", type=int, default=99, help="how many commands are given reads that fail, and how many panels are drawn under the guard")
    parser.add_argument("--actions", type=int, default=150, help="how many actions a window with faults is given")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", default=[], help="kill, windows, faulty, viewers, keepers, disk, cache, memory, reads, writes, hanging, guard")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell lets what it runs in the background ignore it, and with it the windows
    options.folder = os.path.abspath(options.folder)
    for name in ("program", "shim", "window", "viewer", "keeper"):
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    options.other = options.other or options.trace or options.report
    faults = Faults(options)
    before = pathlib.Path(options.report).read_bytes()
    kinds = {"kill": lambda each: kill_while_writing(each, random.Random(options.seed)), "windows": lambda each: kill_windows(each, random.Random(options.seed)), "viewers": lambda each: kill_viewers(each, random.Random(options.seed)), "keepers": lambda each: kill_keepers(each, random.Random(options.seed)), "faulty": lambda each: fail_windows(each, random.Random(options.seed)), "disk": fill_the_disk, "cache": deny_the_cache,
             "memory": take_the_memory, "reads": fail_reads, "writes": fail_writes, "hanging": hang_for_ever, "guard": guard}
    for name, inject in kinds.items():
        missing = (name in ("reads", "writes", "hanging", "guard", "faulty") and not options.shim) or (name in ("windows", "faulty") and not options.window)
        missing = missing or (name == "keepers" and not (options.keeper and options.shim))
        missing = missing or (name == "viewers" and not (options.viewer and options.large and options.shim))
        if (not options.only or name in options.only) and not missing:
            inject(faults)
    faults.expect(pathlib.Path(options.report).read_bytes() == before, "the report is changed")
    print(f"{faults.injected} faults, {len(faults.found)} finds")
    print("\n".join(faults.found))
    return 1 if faults.found else 0


if __name__ == "__main__":
    sys.exit(main())
