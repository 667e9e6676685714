#!/usr/bin/env python3
"""Runs warpline-cli, and the window without a display, over mutants of reports and traces: tests/fuzz/README.md.

fuzz.py --program build/asan/bin/warpline-cli --seconds 600 tests/data/reports/*.sqlite
A find is a crash, a report of a sanitizer, a hang, too much memory, a changed input, an exit code that is not documented,
a failure without a message, JSON that is not JSON, a test of random actions that fails. Each is made smaller and kept.
Ends with 1 when there was one.
"""

import argparse
import glob
import hashlib
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import commands
import mcp_session
import mutate

SANITIZER = re.compile(r"ERROR: AddressSanitizer|runtime error:|LeakSanitizer|ThreadSanitizer|UndefinedBehavior|Assertion .* failed|terminate called")
# Texts of the standard library instead of a message of ours.
RAW = re.compile(r"std::(?:bad|out|length|runtime|logic)|bad_alloc|_M_range_check|basic_string|stoi|stod|bad optional|invalid_argument|filesystem error|\[json\.exception")


def is_sanitized(program):
    with open(program, "rb") as file:
        return b"__asan_init" in file.read()


class Runner:
    """Runs command lines with limits and says what was wrong with a run; empty: nothing."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.documented = set(range(10))
        self.gigabytes = options.gigabytes
        self.environment = {
            **os.environ, "QT_QPA_PLATFORM": "offscreen", "XDG_CACHE_HOME": folder + "/cache", "XDG_CONFIG_HOME": folder + "/config",
            "XDG_DATA_HOME": folder + "/data", "XDG_RUNTIME_DIR": folder + "/runtime", "TMPDIR": folder + "/tmp", "LC_ALL": "C.UTF-8",
            "ASAN_OPTIONS": f"exitcode=99:detect_leaks=0:hard_rss_limit_mb={int(1024 * self.gigabytes)}:allocator_may_return_null=1:abort_on_error=0",
            "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1:exitcode=99"}
        for name in ("cache", "config", "data", "runtime", "tmp"):
            os.makedirs(f"{folder}/{name}", mode=0o700, exist_ok=True)
        self.sanitized = {}

    def limits(self, words):
        program = words[0] if words[0] != "env" else next(word for word in words[1:] if "=" not in word)
        if program not in self.sanitized:
            self.sanitized[program] = is_sanitized(program)
        sanitized = self.sanitized[program]

        def limit():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if not sanitized:  # whose shadow takes terabytes of addresses
                resource.setrlimit(resource.RLIMIT_AS, (int(self.gigabytes * 2**30),) * 2)
            resource.setrlimit(resource.RLIMIT_FSIZE, (2**31,) * 2)
        return limit

    def run(self, words, text=""):
        """(exit code or None for a hang, standard output, standard error)"""
        try:
            started = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment,
                                       cwd=self.folder, preexec_fn=self.limits(words), start_new_session=True)
        except OSError:  # an argument that is longer than the system takes
            return 0, b"", ""
        try:
            output, errors = started.communicate(text.encode("utf-8", "surrogatepass"), timeout=self.options.patience)
            return started.returncode, output, errors.decode("utf-8", "replace")
        except subprocess.TimeoutExpired:
            os.killpg(started.pid, signal.SIGKILL)
            started.communicate()
            return None, b"", ""

    def complaint(self, words, text="", files=()):
        """What is wrong with how `words` ran, over `files`, which must stay as they are."""
        before = [fingerprint(path) for path in files]
        code, output, errors = self.run(words, text)
        if any(fingerprint(path) != was for path, was in zip(files, before)):
            return "an input file is changed"
        for path in files:
            beside = [each.name for each in pathlib.Path(path).parent.glob(pathlib.Path(path).name + "-*")]
            if beside:
                return f"left next to the report: {beside[0]}"
        if code is None:
            return f"runs for longer than {self.options.patience} s"
        if code < 0 or code == 99 or SANITIZER.search(errors):
            return f"crash {code}: {signature(errors)}"
        if words[0] == "env":
            failed = re.search(rb"FAIL!  :.*\n.*", output)
            return f"{failed.group(0).decode('utf-8', 'replace')}" if failed else "" if code == 0 else f"exit code {code}"
        if code not in self.documented:
            return f"exit code {code} is not documented: {errors[:200]}"
        if code >= 2 and not errors.strip() and not output.strip() and "--output" not in words:
            return f"exit code {code} without a word"
        if RAW.search(errors):
            return f"raw message: {errors.strip()[:200]}"
        return output_complaint(words, code, output)


def output_complaint(words, code, output):
    try:
        text = output.decode("utf-8")
    except UnicodeDecodeError as error:
        return "" if "cut" in words and "-" in words else f"output is not UTF-8: {error}"
    if words.count("--format") == 1 and words[-1] != "--format" and code in (0, 1) and text and not {"--schema", "--help", "-h", "help"} & set(words):
        wanted = words[words.index("--format") + 1]
        documents = {"json": [text], "sarif": [text], "chrome": [text], "ndjson": text.splitlines()}.get(wanted, [])
        try:
            for document in documents:
                json.loads(document)
        except json.JSONDecodeError as error:
            return f"--format {wanted} is not JSON: {error}"
    if "html" in words and re.search(r"<script", text, re.IGNORECASE):
        return "a script in HTML"
    return ""


def fingerprint(path):
    try:
        return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()
    except OSError:
        return "none"


def signature(errors):
    """The kind of crash and the first functions of ours on the stack."""
    kind = re.search(r"AddressSanitizer: [\w-]+|runtime error: .*|Assertion .* failed|what\(\): .*|terminate called.*", errors)
    ours = re.findall(r"#\d+ \S+ in (.*?) (/\S*/(?:core|app|views)/\S+)", errors)
    places = [f"{place.rsplit('/', 1)[-1]}" for _, place in ours[:2]]
    return " ".join([re.sub(r"0x[0-9a-f]+|\d{5,}", "N", kind.group(0)) if kind else "no report", *places])


def copy_samples(mutant, made):
    """The files next to a mutant that options name, see commands.sample()."""
    before, now = (os.path.basename(each).encode() for each in (mutant, made))  # a set of reports names it
    for path in glob.glob(glob.escape(mutant) + ".*.warpline") if made != mutant else []:
        pathlib.Path(made + path[len(mutant):]).write_bytes(pathlib.Path(path).read_bytes().replace(before, now))


def smaller(runner, base, steps, words, text, mutant, complaint):
    """Fewer mutations and fewer options that still lead to the same complaint."""
    def still(fewer, arguments):
        made = mutate.make(base, fewer, runner.folder + "/smaller") if fewer is not None else mutant
        copy_samples(mutant, made)
        changed = [each.replace(mutant, made) for each in arguments]
        return runner.complaint(changed, text.replace(mutant, made), [made]) == complaint, changed

    for step in list(steps):
        fewer = [each for each in steps if each != step]
        if fewer and still(fewer, words)[0]:
            steps = fewer
    for i in range(len(words) - 1, 1 if words[0] != "env" else len(words), -1):
        fewer = words[:i] + words[i + 1:]
        if mutant in fewer and still(steps, fewer)[0]:
            words = fewer
    return steps, words


class Finds:
    """Each kind of complaint once, with its mutant, in a folder of its own."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.known = {}

    def add(self, runner, base, steps, words, text, mutant, complaint):
        command = pathlib.Path(words[0]).name + " " + (words[1] if len(words) > 1 else "")
        is_enough = words[0] == "env" or (complaint.startswith("crash") and "no report" not in complaint)
        key = complaint if is_enough else f"{command}: {complaint}"
        self.known[key] = self.known.get(key, 0) + 1
        if self.known[key] > 1:
            return
        if not complaint.startswith("runs for longer"):
            steps, words = smaller(runner, base, steps, words, text, mutant, complaint)
        where = self.folder / hashlib.sha256(key.encode()).hexdigest()[:10]
        where.mkdir(parents=True, exist_ok=True)
        kept = mutate.make(base, steps, str(where / "mutant"))
        copy_samples(mutant, kept)
        words = [each.replace(mutant, kept) for each in words]
        code, _, errors = runner.run(words, text.replace(mutant, kept))
        find = {"complaint": complaint, "base": str(base), "steps": steps, "words": words, "text": text.replace(mutant, kept), "code": code, "errors": errors[:6000]}
        (where / "find.json").write_text(json.dumps(find, indent=1))
        print(f"FIND {where.name} {key}\n  {ascii(' '.join(find['words']))[:300]}\n  {pathlib.Path(base).name} {steps}", flush=True)


def window_words(options, command, rng, mutant, others, folder, samples):
    words = [options.window, *command.arguments(rng, mutant, others, folder, samples)]
    words += ["--no-cache", "--fresh"] if rng.random() < 0.8 else []
    return words if "--screenshot" in words else [*words, "--screenshot", folder + "/out/picture.png"]


def action_words(options, rng, mutant):
    """Random actions in a window in which the mutant is opened."""
    return ["env", f"WARPLINE_MONKEY_SEED={rng.randrange(2**30)}", f"WARPLINE_MONKEY_ACTIONS={options.actions}",
            "WARPLINE_MONKEY_REPORT=" + mutant, "QTEST_FUNCTION_TIMEOUT=3600000", options.monkey, "tst_monkey", "-nocrashhandler"]


def fuzz(options, folder):
    runner = Runner(options, folder)
    cli, runner.documented = commands.read_program(options.program, ["words"])
    fleet = commands.read_command(options.fleet, "") if options.fleet else None
    window = commands.read_command(options.window, "") if options.window else None
    tools = mcp_session.tools_of(options.program)
    finds = Finds(options.finds)
    random_all = random.Random(options.seed)
    runs = mutants = 0
    begin = time.monotonic()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        while mutants < options.mutants and time.monotonic() - begin < options.seconds:
            rng = random.Random(random_all.randrange(2**62))
            base = rng.choice(options.reports)
            steps = mutate.choose(base, rng)
            mutant = mutate.make(base, steps, folder + "/mutant")
            mutants += 1
            samples = commands.samples_of(options.program, base)
            others = [other for other in [base, rng.choice(options.reports)] if not options.alone]
            for _ in range(options.runs):
                text = ""
                shutil.rmtree(folder + "/out", ignore_errors=True)
                os.makedirs(folder + "/out")
                choice = rng.random()
                if options.monkey and choice < options.window_share:
                    words = action_words(options, rng, mutant)
                elif window and choice < options.window_share:
                    words = window_words(options, window, rng, mutant, others, folder + "/out", samples)
                elif choice > 0.93:
                    words, text = [options.program, "mcp"], mcp_session.session(tools, rng, mutant)
                elif fleet and choice > 0.92:
                    words = [options.fleet, *fleet.arguments(rng, mutant, others, folder + "/out", samples)]
                else:
                    words = [options.program, *rng.choice(cli).arguments(rng, mutant, others, folder + "/out", samples)]
                    if rng.random() < options.broken:
                        # With --force an existing file at another place would be replaced, as requested.
                        words[1:] = commands.broken([word for word in words[1:] if word != "--force"], rng)
                runs += 1
                complaint = runner.complaint(words, text, {mutant, *others})
                if complaint:
                    finds.add(runner, base, steps, words, text, mutant, complaint)
            for left in pathlib.Path(folder).glob("mutant.*"):
                left.unlink()
            if mutants % 50 == 0:
                shutil.rmtree(folder + "/cache", ignore_errors=True)
                os.makedirs(folder + "/cache")
    except KeyboardInterrupt:
        print("interrupted")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    hours = (used.ru_utime + used.ru_stime) / 3600
    print(f"seed {options.seed}: {mutants} mutants, {runs} runs, {hours:.2f} CPU-hours, {len(finds.known)} finds")
    for key, count in finds.known.items():
        print(f"  {count} x {key}")
    return 1 if finds.known else 0


def again(options, folder, path):
    """Runs a kept find once more."""
    find = json.loads(pathlib.Path(path).read_text())
    runner = Runner(options, folder)
    words = find["words"]
    if words[0] != "env":
        programs = {"warpline-cli": options.program, "warpline-fleet": options.fleet}
        words = [programs.get(pathlib.Path(words[0]).name, options.window), *words[1:]]
    os.makedirs(folder + "/out", exist_ok=True)
    complaint = runner.complaint(words, find["text"], [])
    print(f"{path}: {complaint or 'nothing'}")
    return 1 if complaint else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("reports", nargs="*")
    parser.add_argument("--program", required=True, help="warpline-cli")
    parser.add_argument("--window", help="warpline, for pictures of mutants")
    parser.add_argument("--fleet", help="warpline-fleet, as one process")
    parser.add_argument("--monkey", help="tst_app_window, for random actions on mutants")
    parser.add_argument("--actions", type=int, default=60, help="how many on each")
    parser.add_argument("--window-share", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--mutants", type=int, default=10**9)
    parser.add_argument("--runs", type=int, default=3, help="command lines for each mutant")
    parser.add_argument("--broken", type=float, default=0.1, help="share of command lines that nobody would type")
    parser.add_argument("--patience", type=float, default=60, help="seconds after which a run hangs")
    parser.add_argument("--gigabytes", type=float, default=4, help="the most memory of a run")
    parser.add_argument("--alone", action="store_true", help="no other report next to the mutant")
    parser.add_argument("--finds", default="finds", help="where finds are kept")
    parser.add_argument("--again", nargs="*", default=[], help="find.json of finds, to be run again")
    options = parser.parse_args()
    for name in ("program", "window", "fleet", "monkey", "finds"):
        if getattr(options, name):
            setattr(options, name, os.path.abspath(getattr(options, name)))
    options.reports = [os.path.abspath(each) for each in options.reports]
    with tempfile.TemporaryDirectory(prefix="warpline-fuzz-") as folder:
        if options.again:
            return max(again(options, folder, path) for path in options.again)
        return fuzz(options, folder)


if __name__ == "__main__":
    sys.exit(main())
