"""Command lines of warpline-cli and of the window, taken from their own help: a new command or option is covered at once."""

import functools
import json
import os
import re
import subprocess

import mutate

HOSTILE = ["", "x", "-1", "0", "1", "*", "[", "\\", "(", "%s%n", "../../x", "9223372036854775807", "-9223372036854775808",
           "1e308", "nan", "inf", "ä\U0001f600", "a" * 5000, "(" * 2000, "gemm", "step*", "--", "a,b,,c", "kernel=*", "\n"]
RANGES = ["0:", ":1ms", "1ms:2ms", "0:9223372036854775807", "-5:5", "1s:0.5s", "10%:20%", ":", "100us:100us", "1e30s:2e30s",
          "500ms:", "x:y", "36028797018963967:"]
FILTERS = ["dur>10us", "name~/gemm|flash/", "name~/(a*)*b/", "stream=7", "path=*/*", "kind=kernel dur<1ms", "not name=x",
           "(name=a or name=b) and bytes>1k", "dur>99999999999999999999", "name~/[/", "(((((", "payload>3", "device=-1",
           "grid>1 block<1025", "name='", "flops>0", "name~/" + "(" * 500 + "/", "not " * 3000 + "name=x"]
NUMBERS = ["0", "1", "2", "20", "1000000000", "-1", "1e9", "0.5", "99999999999999999999", "nan"]
SQL = ["SELECT * FROM kernels", "SELECT count(*) FROM sqlite_master", "SELECT * FROM StringIds LIMIT 5", "SELECT 1", "DELETE FROM StringIds",
       "ATTACH '/tmp/x' AS y", "SELECT start, duration, name FROM kernels ORDER BY duration DESC", "SELECT hex(zeroblob(1000000))", "SELECT"]
# Valid files for options, and for FILE a set of reports: samples_of() adds what depends on the report. REPORT: its name.
SAMPLES = {
    "--config": "# of our CI\ngpu_gaps.min_gap_ns = 1ms  # short\n\nfail-on = info\nrule = gpu_gaps, short_kernels\n",
    "--classes": "# more\nclass mine  Mine\nmine my_kernel*bwd\ngemm ^cutlass_()\nattention fmha_\n",
    "--models": "# fused\noperator my::linear my::linear_* aten::*\nclass gemm\nflops 2 * elements(0) * dim(1, 1)\nskipped min(1, number(0, 0))\n"
                "bytes bytes(all) + elements(0) / dim(0, -1) * dim(1, 1) * size(0)\n",
    "--view": '{"warpline_view": 1, "reports": [{"bytes": 1, "session_ns": SESSION}], "shown_ns": [1200000, 4800000], "selected_rows": ["a"], "rows": {"open": [], "hidden": [], "pinned": ["cuda-hw:3406:0"], '
              '"scale": {"x": 2.0}, "order": {"a": ["b", "c"]}}, "row_filter": {"text": "kernels, stream 7", "set": "compute", "mine": ["Queue depth"]}, '
              '"answers": [{"title": "Long", "sql": "SELECT start, duration, name FROM kernels", "scale": 1.5}], "filter": {"text": "gemm", "min_ns": 5000}, '
              '"steps": "step_*", "thresholds": {"launch_bound.min_idle": 0.1}, "marks": [{"range_ns": [1300000, 1400000], "text": "why?", "color": "red"}], "notes": "n"}',
    "FILE": '{"warpline_reports": 1, "reports": [{"file": "REPORT", "label": "x", "color": "#102030", "included": true, "rank": 3, "offset_ns": -5}, {"file": "REPORT"}]}',
}
BY_PLACE = {"FROM:TO": RANGES, "FILTER": FILTERS, "SQL": SQL, "NAME": HOSTILE, "GLOB": HOSTILE}


class Option:
    """One option or positional: its longest name, the values worth trying; no values: a switch."""

    def __init__(self, names, place, text, known):
        self.name = sorted(names, key=len)[-1]
        self.required = "REQUIRED" in place
        choices = re.search(r"\{([^}]*)\}", place)
        word = re.split(r"[ :={]", place.strip() + " ", maxsplit=1)[0]
        self.takes_value = bool(word) and word != "Excludes"
        self.is_file = word in ("FILE", "VIEW", "CONFIG", "A", "B", "report")
        self.is_output = self.name in ("--output", "OUT", "--screenshot")
        self.values = choices.group(1).split(",") if choices else []
        if not self.values and self.takes_value:
            self.values = list(BY_PLACE.get(place.split(" ")[0], BY_PLACE.get(self.name, [])))
            if "=" in word or place.startswith("RULE."):
                self.values += [f"{each}={number}" for each in known if "." in each for number in ("0", "1e300", "-1")]
            if self.name in ("--from", "--to"):
                self.values = [side for each in RANGES for side in each.split(":") if side]
            if re.match(r"(U?INT|FLOAT|N\b|PCT)", word):
                self.values += NUMBERS
            if word in ("NAMES", "NAME", "NAME[", "TEXT", "WHAT"):
                # "copies: Copies go", "info, low, medium": the help names what there is.
                self.values += re.findall(r"(\w[\w=-]*): ", text) + re.findall(r"\b([a-z_]+)(?=,| and | or |\.$|;)", text)
                self.values += [each for each in known if "." not in each]
                self.values += ["kernel=*gemm*:0.5", "kernel=*:0"] if "FACTOR" in place else []
            self.values = self.values or HOSTILE

    def value(self, random, files, folder, samples=None):
        if self.is_file and self.name in (samples or {}) and random.random() < 0.8:
            return sample(self.name, random, files[0], samples)
        if self.is_output:
            return random.choice(["-", f"{folder}/out", f"{folder}/out", f"{folder}/no/such/out", folder])
        if self.is_file and files:
            return random.choice(files)
        return random.choice(HOSTILE if random.random() < 0.1 else self.values or HOSTILE)


def sample(name, random, mutant, samples):
    """A file like the sample `name`, next to the mutant."""
    path = f"{mutant}.{name.strip('-')}.warpline"
    with open(path, "wb") as file:
        file.write(mutate.text_near(samples[name].replace("REPORT", os.path.basename(mutant)), random))
    return path


@functools.cache
def samples_of(program, report):
    """SAMPLES for `report`: a view of it, and its findings."""
    reports = json.loads(run_help(program, "info", "--no-cache", "--format", "json", report) or "{}").get("reports") or [{"range_ns": {"start": 0, "end": 1}}]
    view = SAMPLES["--view"].replace("SESSION", str(list(reports[0]["range_ns"].values())))
    return {**SAMPLES, "--view": view, "--baseline": run_help(program, "analyze", "--no-cache", "--format", "json", report)}


class Command:
    def __init__(self, name, options, positionals):
        self.name = name
        self.options = options
        self.positionals = positionals

    def arguments(self, random, mutant, others, folder, samples=None):
        """One command line: `mutant` is the report, `others` stand in for further files, `samples` of its base are mutated."""
        words = [self.name] if self.name else []
        chosen = [each for each in self.options
                  if random.random() < (0.9 if each.name == "--" + self.name else 2.5 / len(self.options))]
        for option in chosen:
            if option.is_output and any(each.name == "OUT" for each in self.positionals):
                continue
            words.append(option.name)
            if option.takes_value:
                words.append(option.value(random, [mutant, *others], folder, samples))
        for place in self.positionals:
            if place.is_file:
                several = 1 if not place.many or random.random() < 0.5 else random.randint(1, 3)
                files = [mutant] + [random.choice([mutant, *others]) for _ in range(several - 1)]
                if place.many and samples and random.random() < 0.1:
                    files[0] = sample("FILE", random, mutant, samples)
                random.shuffle(files)
                words += files
            elif place.required or random.random() < 0.9:
                words.append(place.value(random, [], folder))
        return words


def broken(words, random):
    """`words` of a command line as nobody types them: halves, joined, doubled, swapped, very many, bytes that are no text."""
    words = list(words)
    for _ in range(random.choice([1, 1, 2, 5])):
        at = random.randrange(len(words))
        word = words[at]
        kind = random.randrange(9)
        if kind == 0:
            words[at] = word[:random.randrange(len(word) + 1)]
        elif kind == 1 and at + 1 < len(words):
            words[at:at + 2] = [word + random.choice(["=", "", " ", ":"]) + words[at + 1]]
        elif kind == 2:
            words[at:at + 1] = [word] * random.choice([2, 2, 3, 200])
        elif kind == 3:
            random.shuffle(words)
        elif kind == 4:
            words.insert(at, random.choice(HOSTILE + ["-", "--", "-o", "--=", "--format=", "---", "-=", "-abc", "@x", "--help", "help", "--schema", "/format"]))
        elif kind == 5:
            place = random.randrange(len(word) + 1)
            words[at] = word[:place] + "".join(chr(random.choice([0xdc80, 0xdcff, 1, 0x1b, 0x202e, 0xe4, 10])) for _ in range(3)) + word[place:]
        elif kind == 6:
            words[at] = word * 2000 if len(word) < 20 else word
        elif kind == 7:
            words.insert(at, random.choice(words))
        elif len(words) > 1:
            del words[at]
    return words


def run_help(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, timeout=120, check=False)
    return done.stdout


def sections(text):
    """The lines of a help text by its headings: {"Options": [...]}; a line that goes on is joined to the one before."""
    found = {}
    lines = None
    for line in text.splitlines():
        heading = re.match(r"([A-Z][A-Za-z ]+):\s*(.*)$", line)
        if heading:
            lines = found.setdefault(heading.group(1), [heading.group(2)] if heading.group(2) else [])
        elif lines is not None and re.match(r"  ?\S", line):
            lines.append(line)
        elif lines is not None and lines and line.startswith("    "):
            lines[-1] += ("  " if "  " not in lines[-1].strip() else " ") + line.strip()
        elif lines is not None and line.strip():
            lines.append(line)
    return found


def split_entry(line):
    """"  -o,--output FILE   The file": the names, the place of a value, the text."""
    head, _, text = re.sub(r"\s{2,}", "\0", line.strip()).partition("\0")
    names = re.match(r"((?:-[\w-]+)(?:, ?-[\w-]+)*|\S+)", head).group(1)
    return [name.strip() for name in names.split(",")], head[len(names):].strip().replace("<", "").replace(">", ""), text.replace("\0", " ")


def read_command(program, name, known=()):
    found = sections(run_help(program, *([name] if name else []), "--help"))
    options = []
    positionals = []
    for line in found.get("Options", []):
        names, place, text = split_entry(line)
        if not {"--help", "--version", "--completion", "--man", "--running"} & set(names):
            options.append(Option(names, place, text, list(known)))
    usage = " ".join(found.get("Usage", []))
    for line in found.get("Positionals", []) + found.get("Arguments", []):
        names, place, text = split_entry(line)
        option = Option(names, "TEXT " + place, text, list(known))
        option.is_file = names[0] in ("FILE", "PLACE", "report")
        option.many = "..." in place or "..." in usage
        positionals.append(option)
    return Command(name, options, positionals)


def read_program(program, others=()):
    """All commands of warpline-cli that read a report, and `others`; and the exit codes that it documents."""
    found = sections(run_help(program, "--help"))
    codes = {int(line.split()[0]) for line in run_help(program, "help", "exit-codes").splitlines() if line.strip()[:1].isdigit()}
    commands = []
    for line in found["Subcommands"]:
        name = line.split()[0]
        listed = run_help(program, name, "--list") + run_help(program, name, "--questions")
        known = re.findall(r"^ *([a-z][\w-]+(?:\.\w+)?)  ", listed, re.MULTILINE)
        command = read_command(program, name, known)
        if name in others or (command.positionals and command.positionals[0].is_file):
            commands.append(command)
    return commands, codes
