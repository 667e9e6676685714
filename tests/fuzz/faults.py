#!/usr/bin/env python3
"""What goes wrong around warpline-cli: killed while it writes, a full disk, no place for its cache, too little memory.

faults.py CLI REPORT FOLDER [--kills N] [--seed N]: ends with 1 where a file is half written under its final name, a file that
was there is lost, or the program ends without a message or by a signal.
"""

import argparse
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys
import time

MEBI = 2**20
# OUT is the file that is written.
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
        self.environment = {**os.environ, "XDG_CACHE_HOME": options.folder + "/cache", "TMPDIR": options.folder}
        os.makedirs(options.folder, exist_ok=True)

    def words(self, command, out):
        places = {"OUT": out, "REPORT": self.options.report, "FOLDER": self.options.folder}
        return [self.options.program] + [places.get(word, word.replace("FOLDER", self.options.folder)) for word in command]

    def run(self, words, limit=None, environment=None):
        return subprocess.run(words, capture_output=True, env=environment or self.environment, preexec_fn=limit, timeout=120, check=False)

    def expect(self, holds, what):
        self.injected += 1
        if not holds:
            self.found.append(what)

    def expect_message(self, done, what):
        """Code 0, or a documented one with words; never a signal."""
        self.expect(0 <= done.returncode <= 9 and (done.returncode == 0 or done.stderr.strip()), f"{what}: code {done.returncode} {done.stderr[:200]}")


def kept(path):
    return path.read_bytes() if path.exists() else None


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
            # A cut and a page hold the time of writing: of these the length tells.
            is_whole = now == whole or (now is not None and abs(len(now) - len(whole)) <= 64 and now[-16:] == whole[-16:])
            faults.expect(now == before or is_whole, f"{command[0]} killed: {len(now or b'')} bytes instead of {len(whole)}")


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


def take_the_memory(faults):
    """From where the program can start at all, 128 KiB more each time, to where it has all that it needs."""
    def limit(size):
        return lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))

    least = next(size for size in range(8 * MEBI, 4096 * MEBI, MEBI)
                 if faults.run([faults.options.program, "--version"], limit(size)).returncode == 0)
    short = 0
    for command in [*READING, WRITING[0]]:
        for step in range(48):
            out = pathlib.Path(faults.options.folder) / "memory"
            done = faults.run(faults.words(command, str(out)), limit(least + step * MEBI // 8))
            short += done.returncode != 0
            faults.expect_message(done, f"{command[0]} in {least // MEBI} MiB and {step * 128} KiB")
    faults.expect(short > 5, "no run was short of memory")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("report")
    parser.add_argument("folder")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    faults = Faults(options)
    before = pathlib.Path(options.report).read_bytes()
    kill_while_writing(faults, random.Random(options.seed))
    fill_the_disk(faults)
    deny_the_cache(faults)
    take_the_memory(faults)
    faults.expect(pathlib.Path(options.report).read_bytes() == before, "the report is changed")
    for left in pathlib.Path(options.folder).glob("*.part"):
        left.unlink()  # of what was killed
    print(f"{faults.injected} faults, {len(faults.found)} finds")
    print("\n".join(faults.found))
    return 1 if faults.found else 0


if __name__ == "__main__":
    sys.exit(main())
