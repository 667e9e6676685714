#!/usr/bin/env python3
"""Makes a large trace of PyTorch's profiler out of a small one: its events again and again, one after another in
time, with numbers of their own.

    tile_trace.py trace.json.gz large.json MEGABYTES
    tile_trace.py --json large.json            how long Python's json takes to read it, and its memory

The output is plain text (gzip it as wanted), as large as asked for, about.
"""
import gzip
import re
import resource
import sys
import time

TIMES = re.compile(r'"ts": (\d+)\.?(\d*)')
NUMBERS = re.compile(r'"(correlation|External id|id)": (\d+)')


def text_of(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rb") as file:
        return file.read().decode("utf-8", "replace")


def tile(source, target, megabytes):
    text = text_of(source)
    begin = text.index('"traceEvents": [') + len('"traceEvents": [')
    end = text.rindex("],")
    head, events, tail = text[:begin], text[begin:end].rstrip(), text[end:]
    # Names of processes and the recorder's marks are written once, at the end.
    times = [int(match.group(1)) for match in TIMES.finditer(events)]
    length = max(times) - min(times) + 1000
    highest = max(int(match.group(2)) for match in NUMBERS.finditer(events)) + 1
    with open(target, "w", encoding="utf-8") as file:
        file.write(head)
        written = 0
        copy = 0
        while written < megabytes * 1e6:
            shift, offset = copy * length, copy * highest
            moved = TIMES.sub(lambda m: f'"ts": {int(m.group(1)) + shift}.{m.group(2) or 0}', events)
            moved = NUMBERS.sub(lambda m: f'"{m.group(1)}": {int(m.group(2)) + offset}', moved)
            file.write(("," if copy else "") + moved)
            written += len(moved)
            copy += 1
        file.write("\n  " + tail)
    print(f"{copy} copies, {written / 1e6:.0f} MB")


def read_with_json(path):
    import json

    started = time.perf_counter()
    with open(path, "rb") as file:
        events = len(json.load(file)["traceEvents"])
    seconds = time.perf_counter() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3
    print(f"Python's json: {events} events in {seconds:.1f} s, {peak:.0f} MB at most")


if __name__ == "__main__":
    if sys.argv[1] == "--json":
        read_with_json(sys.argv[2])
    else:
        tile(sys.argv[1], sys.argv[2], float(sys.argv[3]))
