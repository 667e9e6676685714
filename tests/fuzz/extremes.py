#!/usr/bin/env python3
"""Makes reports that are extreme and whole, and runs every command and the window's picture of each panel over them.

extremes.py FOLDER REPORT.sqlite [--program CLI] [--window WINDOW] [--only NAME...]: without a program it only makes them. Prints the
longest time and the most memory of commands and of pictures. Ends with 1 where a run is a find, see fuzz.py.
"""

import argparse
import multiprocessing
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sqlite3
import sys
import tempfile
import time

import commands
import fuzz

RUNTIME = "CUPTI_ACTIVITY_KIND_RUNTIME"
KERNELS = "CUPTI_ACTIVITY_KIND_KERNEL"


def numbers(count):
    return f"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < {count - 1})"


def rows_of(database, table, count, changes):
    """`count` rows like the first of `table`, with columns changed by expressions of i."""
    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    chosen = ", ".join(changes.get(name, f'"{name}"') for name in columns)
    database.execute(f"INSERT INTO {table} {numbers(count)} SELECT {chosen} FROM n, (SELECT * FROM {table} LIMIT 1)")


def last_end(database):
    return database.execute(f"SELECT max(end) FROM {RUNTIME}").fetchone()[0]


def streams(database):
    rows_of(database, KERNELS, 20_000, {"start": "start + i * 1000", "end": "start + i * 1000 + 900", "streamId": "7 + i % 1000", "correlationId": "1000000 + i"})


def threads(database):
    rows_of(database, RUNTIME, 50_000, {"start": "start + i * 1000", "end": "start + i * 1000 + 900", "globalTid": "(globalTid & ~16777215) + 1 + i % 10000",
                                        "correlationId": "2000000 + i"})


def processes(database):
    rows_of(database, RUNTIME, 30_000, {"start": "start + i * 3000", "end": "start + i * 3000 + 900", "globalTid": "((1 + i) << 24) + 1 + i",
                                        "correlationId": "2000000 + i"})
    rows_of(database, KERNELS, 30_000, {"start": "start + i * 3000 + 1000", "end": "start + i * 3000 + 1900", "globalPid": "(1 + i) << 24",
                                        "correlationId": "2000000 + i"})


def gpus(database):
    rows_of(database, KERNELS, 2_000, {"start": "start + i * 1000", "end": "start + i * 1000 + 900", "deviceId": "i", "correlationId": "1000000 + i"})


def null_streams(database):
    database.execute("CREATE TABLE IF NOT EXISTS TARGET_INFO_CUDA_NULL_STREAM (streamId INTEGER, processId INTEGER, contextId INTEGER, vmId INTEGER)")
    database.execute(f"INSERT INTO TARGET_INFO_CUDA_NULL_STREAM (streamId, processId, contextId, vmId) {numbers(100_000)} SELECT i, 1, 1, 0 FROM n")


def nvtx_deeper(database):
    """Ranges inside each other around 20,000 launches: of the default domain and of a framework."""
    begin, tid = database.execute(f"SELECT start, globalTid FROM {RUNTIME} LIMIT 1").fetchone()
    rows_of(database, RUNTIME, 20_000, {"start": f"{begin} + 100000 + i * 3000", "end": f"{begin} + 100900 + i * 3000", "correlationId": "2000000 + i"})
    rows_of(database, KERNELS, 20_000, {"start": f"{begin} + 101000 + i * 3000", "end": f"{begin} + 101900 + i * 3000", "correlationId": "2000000 + i"})
    database.execute("INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) "
                     f"{numbers(20_000)} SELECT {begin} + i, {begin} + 90000000 - i, 59, 'aten::op' || i || ', op_id = ' || i, {tid}, 0 FROM n")


def nvtx_deep(database):
    begin, tid = database.execute(f"SELECT start, globalTid FROM {RUNTIME} LIMIT 1").fetchone()
    end = last_end(database)
    database.execute(f"INSERT INTO NVTX_EVENTS (start, end, eventType, text, globalTid, domainId) {numbers(500)} "
                     f"SELECT {begin} + i, {end} - i, 59, 'level ' || i, {tid}, 0 FROM n")


def long_names(database):
    database.execute("UPDATE StringIds SET value = value || replace(hex(zeroblob(500000)), '0', 'n') WHERE id IN "
                     f"(SELECT demangledName FROM {KERNELS} UNION SELECT shortName FROM {KERNELS})")
    database.execute("UPDATE NVTX_EVENTS SET text = replace(hex(zeroblob(500000)), '00', 'range ') WHERE text IS NOT NULL")


def many_names(database):
    (most,) = database.execute("SELECT max(id) FROM StringIds").fetchone()
    database.execute(f"INSERT INTO StringIds (id, value) {numbers(1_000_000)} SELECT {most} + 1 + i, 'kernel_' || i || '<float>' FROM n")
    rows_of(database, KERNELS, 1_000_000, {"start": "start + i * 1000", "end": "start + i * 1000 + 900", "demangledName": f"{most} + 1 + i",
                                           "shortName": f"{most} + 1 + i", "correlationId": "3000000 + i"})


def scale(database, factor, shift=0):
    for (table,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
        columns = {row[1] for row in database.execute(f'PRAGMA table_info("{table}")')}
        for column in {"start", "end"} & columns:
            if not table.startswith("ENUM_"):
                database.execute(f'UPDATE "{table}" SET "{column}" = CAST("{column}" * {factor} AS INTEGER) + {shift}')


def thirty_days(database):
    scale(database, 30 * 86_400 * 10**9 / last_end(database))


def ten_nanoseconds(database):
    scale(database, 10 / last_end(database))


def ten_nanoseconds_late(database):
    scale(database, 10 / last_end(database), 2**61)


MAKERS = [streams, threads, processes, gpus, null_streams, nvtx_deep, nvtx_deeper, long_names, many_names, thirty_days, ten_nanoseconds, ten_nanoseconds_late]


def make(maker, report, folder):
    path = pathlib.Path(folder) / (maker.__name__ + ".sqlite")
    shutil.copy(report, path)
    database = sqlite3.connect(path)
    maker(database)
    database.commit()
    database.close()
    return str(path)


def lines_of(command, report, folder):
    """The command as it is, and in each format but the first."""
    formats = next((option.values for option in command.options if option.name == "--format"), [])
    words = [command.name] + (["--range", "0:"] if command.name == "range" else [])
    for place in command.positionals:
        words.append(report if place.is_file else "*" if place.name == "NAME" else f"{folder}/out.sqlite" if place.name == "OUT" else "SELECT count(*) FROM kernels")
    words += [report] if command.name == "compare" else ["--force"] if command.name == "cut" else []
    return [words] + [words + ["--format", each] for each in formats[1:]]


def panels_of(window):
    text = subprocess.run([window, "--help"], capture_output=True, text=True, env={**os.environ, "QT_QPA_PLATFORM": "offscreen"}, check=False).stdout
    return re.findall(r"\w+", re.search(r"to the front: ([a-z,\s]+)\.", text).group(1))


def run_all(options, lines, report):
    """(the longest seconds, its command, MB of the run that takes most, finds); in a process of its own, whose children are measured."""
    found = []
    slowest = (0, "")
    with tempfile.TemporaryDirectory(prefix="warpline-extremes-") as folder:
        runner = fuzz.Runner(options, folder)
        for words in lines:
            begin = time.monotonic()
            complaint = runner.complaint([word.replace("FOLDER", folder) for word in words], files=[report])
            slowest = max(slowest, (time.monotonic() - begin, " ".join(words[1:3]) if words[0] == options.program else "--panel " + words[4]))
            if complaint:
                found.append(f"{pathlib.Path(report).stem}: {' '.join(words[1:])}: {complaint}")
    return (*slowest, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1000, found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("folder")
    parser.add_argument("report")
    parser.add_argument("--program")
    parser.add_argument("--window")
    parser.add_argument("--patience", type=float, default=120)
    parser.add_argument("--gigabytes", type=float, default=6)
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    for name in ("program", "window", "folder"):
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    os.makedirs(options.folder, exist_ok=True)
    found = []
    runs = 0
    cli = commands.read_program(options.program)[0] if options.program else []
    panels = panels_of(options.window) if options.window else []
    for maker in MAKERS:
        if options.only and maker.__name__ not in options.only:
            continue
        report = make(maker, options.report, options.folder)
        print(f"{maker.__name__}: {os.path.getsize(report) / 1e6:.1f} MB", flush=True)
        asked = [[options.program, *words, "--no-cache"] for command in cli for words in lines_of(command, report, "FOLDER")]
        pictures = [[options.window, "--fresh", "--no-cache", "--panel", panel, "--screenshot", "FOLDER/picture.png", report] for panel in panels]
        for what, lines in (("commands", asked), ("pictures", pictures)):
            if lines:
                with multiprocessing.Pool(1) as pool:
                    seconds, command, megabytes, finds = pool.apply(run_all, (options, lines, report))
                print(f"  {len(lines)} {what}: at most {seconds:.1f} s ({command}) and {megabytes:.0f} MB, {len(finds)} finds", flush=True)
                found += finds
                runs += len(lines)
    print(f"{runs} runs, {len(found)} finds")
    print("\n".join(found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
