"""Mutants of reports: a mutant is a base file and a list of (mutation, seed), so that it can be made again and made smaller."""

import gzip
import json
import pathlib
import random
import shutil
import sqlite3

LONG = "n" * 100_000
SQL_VALUES = ["NULL", "9223372036854775807", "-9223372036854775807 - 1", "-1", "0", "1", "4294967296", "2147483648", "9007199254740993",
              "36028797018963967", "-36028797018963967", "1e308", "-1e308", "9e999", "0.5", "'NaN'", "''", "'x'", "'1'", "'-'",
              "X''", "X'00FF'", "X'FF'", "CAST(X'FFFE41' AS TEXT)", "'a' || char(0) || 'b'", "char(10) || char(27) || '[31m'", "'<script>x</script>'",
              f"'{LONG}'", "zeroblob(70000)", "'{\"a\": ['", "random()", "rowid", "-rowid", "abs(random() % 20)", "'%s%n'",
              "char(55296)", "'[' || replace(hex(zeroblob(2000)), '0', '[')"]
JSON_VALUES = [None, True, False, 0, -1, 1, 2**31, 2**53 + 1, 2**63 - 1, -(2**63), 2**64, 10**400, 1e308, -1e308, 0.1, "", "x", "1", "-1", "nan",
               LONG, "\ud800", "\x00", "\x1b[31m", "<script>x</script>", [], {}, [[]], {"a": 1}, [1, "x", None], "B", "E", "X", "M", "s", "f", "C"]
TEXT_PIECES = [b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"\n", b"\xff", b"\0", b"-", b"nan", b"inf", b"1e400", b"99999999999999999999",
               b"-9223372036854775808", b'"ph": "B"', b'"ts": 9223372036854775807', b'"pid": "x"', b"null", b'{"ph"', b"[" * 5000, b"\\ud800", b"\xef\xbb\xbf"]


def quoted(name):
    return '"' + name.replace('"', '""') + '"'


def tables_of(database, kind="table"):
    names = database.execute("SELECT name FROM sqlite_master WHERE type = ? AND name NOT LIKE 'sqlite_%' ORDER BY 1", (kind,)).fetchall()
    return [name for (name,) in names]


def full_tables(database):
    return [name for name in tables_of(database) if database.execute(f"SELECT 1 FROM {quoted(name)} LIMIT 1").fetchone()] or tables_of(database)


def columns_of(database, table):
    return [row[1] for row in database.execute(f"PRAGMA table_info({quoted(table)})")]


def some_column(database, rng):
    table = rng.choice(full_tables(database))
    return table, rng.choice(columns_of(database, table))


def some_rows(rng):
    return rng.choice(["1", "abs(random()) % 2", "abs(random()) % 10 = 0", "rowid = 1", "rowid % 3 = 0", "rowid > 50"])


# Of the structure: each takes an open database and a random.Random.

def drop_table(database, rng):
    database.execute(f"DROP TABLE {quoted(rng.choice(full_tables(database)))}")


def rename_table(database, rng):
    table = rng.choice(full_tables(database))
    other = rng.choice([*tables_of(database), "x", table.lower(), "CUPTI_ACTIVITY_KIND_KERNEL", "NVTX_EVENTS", "StringIds"])
    if other.lower() != table.lower():
        database.execute(f"DROP TABLE IF EXISTS {quoted(other)}")
        database.execute(f"ALTER TABLE {quoted(table)} RENAME TO {quoted(other)}")


def drop_column(database, rng):
    table, column = some_column(database, rng)
    database.execute(f"ALTER TABLE {quoted(table)} DROP COLUMN {quoted(column)}")


def rename_column(database, rng):
    table, column = some_column(database, rng)
    database.execute(f"ALTER TABLE {quoted(table)} RENAME COLUMN {quoted(column)} TO {quoted(rng.choice(['x', 'start', 'end', column + '2']))}")


def remake_table(database, rng, columns_by, suffix=""):
    table = rng.choice(full_tables(database))
    columns = columns_of(database, table)
    database.execute(f"CREATE TABLE fuzz_new ({columns_by(columns)}){suffix}")
    shared = ", ".join(quoted(each) for each in columns)
    database.execute(f"INSERT OR IGNORE INTO fuzz_new ({shared}) SELECT {shared} FROM {quoted(table)}")
    database.execute(f"DROP TABLE {quoted(table)}")
    database.execute(f"ALTER TABLE fuzz_new RENAME TO {quoted(table)}")


def retype_columns(database, rng):
    remake_table(database, rng, lambda columns: ", ".join(
        f"{quoted(each)} {rng.choice(['TEXT', 'REAL', 'BLOB', 'INTEGER', ''])}" for each in columns))


def reorder_columns(database, rng):
    remake_table(database, rng, lambda columns: ", ".join(quoted(each) for each in rng.sample(columns, len(columns))))


def without_rowid(database, rng):
    remake_table(database, rng, lambda columns: ", ".join(quoted(each) for each in columns)
                 + f", PRIMARY KEY ({', '.join(quoted(each) for each in columns)})", " WITHOUT ROWID")


def more_columns(database, rng):
    table = rng.choice(full_tables(database))
    for i in range(rng.choice([1, 30, 300])):
        database.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN extra{i} DEFAULT 7")


def generated_column(database, rng):
    table, column = some_column(database, rng)
    database.execute(f"ALTER TABLE {quoted(table)} RENAME COLUMN {quoted(column)} TO old_column")
    database.execute(f"ALTER TABLE {quoted(table)} ADD COLUMN {quoted(column)} AS ({rng.choice(['old_column', 'rowid * 5', 'random()', 'x'])})")


def view_for_table(database, rng):
    table = rng.choice(full_tables(database))
    database.execute(f"ALTER TABLE {quoted(table)} RENAME TO fuzz_data")
    database.execute(f"CREATE VIEW {quoted(table)} AS " + rng.choice([
        "SELECT * FROM fuzz_data", "SELECT * FROM fuzz_data UNION ALL SELECT * FROM fuzz_data", "SELECT * FROM no_such_table",
        f"SELECT * FROM {quoted(table)}", "SELECT * FROM fuzz_data a, fuzz_data b, fuzz_data c", "SELECT rowid AS rowid, * FROM fuzz_data",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT fuzz_data.* FROM n, fuzz_data"]))


def empty_table(database, rng):
    database.execute(f"DELETE FROM {quoted(rng.choice(full_tables(database)))}" + rng.choice(["", " WHERE rowid % 2", " WHERE rowid > 1"]))


def double_rows(database, rng):
    table = rng.choice(full_tables(database))
    for _ in range(rng.choice([1, 3])):
        database.execute(f"INSERT OR IGNORE INTO {quoted(table)} SELECT * FROM {quoted(table)} LIMIT 50000")


def many_rows(database, rng):
    """Hundreds of thousands where a table has few: of one row, each number moved by its place."""
    table = rng.choice(full_tables(database))
    shift = rng.choice([0, 1, 1000, 10**12])
    chosen = ", ".join(f"CASE typeof({quoted(each)}) WHEN 'integer' THEN {quoted(each)} + i * {shift} ELSE {quoted(each)} END"
                       for each in columns_of(database, table))
    database.execute(f"INSERT OR IGNORE INTO {quoted(table)} WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                     f"{rng.choice([5000, 50_000, 200_000])}) SELECT {chosen} FROM n, (SELECT * FROM {quoted(table)} LIMIT 1)")


# Of the values.

def hostile_value(database, rng):
    table, column = some_column(database, rng)
    database.execute(f"UPDATE OR IGNORE {quoted(table)} SET {quoted(column)} = {rng.choice(SQL_VALUES)} WHERE {some_rows(rng)}")


def hostile_mixture(database, rng):
    table, column = some_column(database, rng)
    cases = " ".join(f"WHEN {i} THEN {value}" for i, value in enumerate(rng.sample(SQL_VALUES, 6)))
    database.execute(f"UPDATE OR IGNORE {quoted(table)} SET {quoted(column)} = CASE abs(random()) % 12 {cases} ELSE {quoted(column)} END")


def swap_columns(database, rng):
    table, column = some_column(database, rng)
    other = rng.choice(columns_of(database, table))
    database.execute(f"UPDATE OR IGNORE {quoted(table)} SET {quoted(column)} = {quoted(other)}, {quoted(other)} = {quoted(column)} WHERE {some_rows(rng)}")


def extreme_columns(database, rng):
    """One extreme in all rows of one number, or of many: sums and products of them do not fit."""
    value = rng.choice(["9223372036854775807", "-9223372036854775807 - 1", "36028797018963967", "2147483647", "-2147483648", "9e18"])
    for table in rng.sample(full_tables(database), min(rng.choice([1, 3, 10]), len(full_tables(database)))):
        columns = [each for each in columns_of(database, table) if rng.random() < 0.5]
        changes = [f"{quoted(each)} = CASE typeof({quoted(each)}) WHEN 'text' THEN {quoted(each)} ELSE {value} END" for each in columns]
        if changes:
            database.execute(f"UPDATE OR IGNORE {quoted(table)} SET {', '.join(changes)}")


def longest_events(database, rng):
    """Each event as long as importing allows, or longer."""
    longest = rng.choice([2**55 - 1, 2**55, 10**17])
    for table in full_tables(database):
        if {"start", "end"} <= set(columns_of(database, table)) and rng.random() < 0.7:
            database.execute(f"UPDATE OR IGNORE {quoted(table)} SET start = rowid - {longest}, end = {longest} - rowid WHERE end IS NOT NULL")


def all_times_astray(database, rng):
    """The same in all rows of most tables: of a kind of events none has a length, or all have one time."""
    change = rng.choice(["end = start", "end = start - 1", "start = 5, end = 5", "start = 0", "start = -start, end = -end", "start = start / 1000, end = end / 1000"])
    for table in full_tables(database):
        if {"start", "end"} <= set(columns_of(database, table)) and rng.random() < 0.7:
            database.execute(f"UPDATE OR IGNORE {quoted(table)} SET {change}")


def times_astray(database, rng):
    tables = [name for name in full_tables(database) if {"start", "end"} <= set(columns_of(database, name))]
    if tables:
        change = rng.choice(["end = start", "end = start - 1", "end = NULL", "start = 0", "end = 9223372036854775807", "start = -start",
                             "start = 5, end = 5", "end = end + 1000000000000", "start = end, end = start", "start = start / 2, end = end / 2",
                             "start = start - 100000000000", "start = start + abs(random() % 1000000), end = start"])
        database.execute(f"UPDATE OR IGNORE {quoted(rng.choice(tables))} SET {change} WHERE {some_rows(rng)}")


def hostile_enum(database, rng):
    table = rng.choice([name for name in tables_of(database) if name.startswith("ENUM_")] or tables_of(database))
    column = rng.choice(columns_of(database, table))
    database.execute(f"UPDATE OR IGNORE {quoted(table)} SET {quoted(column)} = {rng.choice(SQL_VALUES)} WHERE {some_rows(rng)}")


def hostile_schema(database, rng):
    """What no CREATE would write: SQLite itself is to complain."""
    database.execute("PRAGMA writable_schema = ON")
    database.execute("UPDATE sqlite_master SET " + rng.choice([
        "sql = 'CREATE TABLE x (' || hex(zeroblob(500)) || ')'", "rootpage = 1", "rootpage = 99999999", "name = 'a' || rowid", "sql = NULL",
        "sql = replace(sql, 'start', 'stop')", "sql = sql || '; CREATE TABLE planted (x)'", "tbl_name = 'StringIds'", "type = 'view'"]) + f" WHERE {some_rows(rng)}")


STRUCTURE = [drop_table, rename_table, drop_column, rename_column, retype_columns, reorder_columns, without_rowid, more_columns, generated_column,
             view_for_table, empty_table, double_rows, many_rows, hostile_schema]
VALUES = [hostile_value, hostile_mixture, extreme_columns, longest_events, swap_columns, times_astray, all_times_astray, hostile_enum]


# Of the bytes of any file.

def flip_bytes(data, rng):
    for _ in range(rng.choice([1, 8, 200])):
        if data:
            data[rng.randrange(len(data))] = rng.randrange(256)
    return data


def break_header(data, rng):
    for _ in range(rng.choice([1, 2, 6])):
        if len(data) > 100:
            data[rng.randrange(100)] = rng.choice([0, 1, 2, 127, 128, 255, rng.randrange(256)])
    return data


def break_page(data, rng):
    page = 4096
    if len(data) >= 2 * page:
        at = rng.randrange(len(data) // page) * page
        source = rng.randrange(len(data) // page) * page
        data[at:at + page] = rng.choice([bytes(page), rng.randbytes(page), bytes(data[source:source + page]), b"\xff" * page])
    return data


def break_page_head(data, rng):
    page = 4096
    for _ in range(rng.choice([1, 5])):
        if len(data) >= 2 * page:
            data[rng.randrange(1, len(data) // page) * page + rng.randrange(40)] = rng.randrange(256)
    return data


def truncate(data, rng):
    return data[:rng.choice([rng.randrange(len(data) + 1), rng.randrange(200), len(data) - 1, len(data) // 4096 // 2 * 4096])]


def append(data, rng):
    return data + rng.choice([b"x", bytes(5000), rng.randbytes(5000), bytes(data[:9000])])


BYTES = [flip_bytes, break_header, break_page, break_page_head, truncate, append]


# For JSON: the document as Python objects.

def places_of(document, rng, wanted=1):
    """(container, key) pairs somewhere in the document: a walk downwards from the top that stops anywhere."""
    found = []
    for _ in range(wanted * 4):
        here = document
        while isinstance(here, (dict, list)) and here:
            key = rng.choice(list(here)) if isinstance(here, dict) else rng.randrange(len(here))
            if not isinstance(here[key], (dict, list)) or not here[key] or rng.random() < 0.1:
                found.append((here, key))
                break
            here = here[key]
    return found[:wanted]


def json_value(document, rng):
    value = rng.choice(JSON_VALUES)
    for container, key in places_of(document, rng, rng.choice([1, 20])):
        container[key] = value


def json_same_key(document, rng):
    """One key everywhere in the events: a whole column of the trace."""
    for _, key in places_of(document, rng, 1):
        values = [rng.choice(JSON_VALUES) for _ in range(3)]
        for event in events_of(document):
            for inside in (event, event.get("args") if isinstance(event, dict) else None):
                if isinstance(inside, dict) and key in inside and rng.random() < 0.6:
                    inside[key] = rng.choice(values)


def json_extremes(document, rng):
    """One extreme for most numbers of the arguments, or of all the document."""
    value = rng.choice([2**63 - 1, -(2**63), 2**31 - 1, -(2**31), 2**40, -1, 0])
    share = rng.choice([0.05, 0.5, 1])

    def changed(part):
        if isinstance(part, dict):
            return {key: changed(each) for key, each in part.items()}
        if isinstance(part, list):
            return [changed(each) for each in part]
        return value if type(part) in (int, float) and rng.random() < share else part

    events = events_of(document)
    if events and rng.random() < 0.8:
        for event in events:
            if isinstance(event, dict) and "args" in event:
                event["args"] = changed(event["args"])
    elif isinstance(document, dict):
        for key in document:
            document[key] = changed(document[key])


def json_drop(document, rng):
    for container, key in places_of(document, rng, rng.choice([1, 20])):
        if isinstance(container, dict):
            container.pop(key, None)


def json_rename(document, rng):
    for container, key in places_of(document, rng, rng.choice([1, 20])):
        if isinstance(container, dict) and key in container:
            container[rng.choice(["ts", "dur", "pid", "tid", "name", "args", "cat", "ph", "id", "correlation", "device", "stream"])] = container.pop(key)


def json_double(document, rng):
    events = events_of(document)
    if events:
        events.extend(rng.choices(events, k=rng.choice([1, 100, 3000])))
        if rng.random() < 0.5:
            rng.shuffle(events)


def json_nest(document, rng):
    for container, key in places_of(document, rng, 1):
        deep = []
        for _ in range(rng.choice([5, 400])):
            deep = [deep] if rng.random() < 0.5 else {"args": deep}
        container[key] = deep


def json_times(document, rng):
    how = rng.choice([lambda t: -t, lambda t: t * 1e12, lambda t: 5, lambda t: t + rng.random() * 1e6, str, lambda t: 2**63 - 1, lambda t: t / 1e9])
    key = rng.choice(["ts", "dur"])
    for event in events_of(document):
        if isinstance(event, dict) and isinstance(event.get(key), (int, float)) and rng.random() < 0.5:
            event[key] = how(event[key])


JSON = [json_value, json_same_key, json_extremes, json_drop, json_rename, json_double, json_nest, json_times]


def json_text(data, rng):
    for _ in range(rng.choice([1, 5])):
        at = rng.randrange(len(data) + 1)
        length = rng.randrange(1 + rng.randrange(400))
        data = rng.choice([data[:at] + rng.choice(TEXT_PIECES) + data[at:], data[:at] + data[at + length:], data[:at] + data[at:at + length] + data[at:]])
    return bytearray(data)


BY_NAME = {each.__name__: each for each in [*STRUCTURE, *VALUES, *BYTES, *JSON, json_text]}


def is_database(path):
    with open(path, "rb") as file:
        return file.read(15) == b"SQLite format 3"


def choose(base, rng):
    """What to do to `base`: pairs of the name of a mutation and its seed."""
    if is_database(base):
        kinds = rng.choice([VALUES, VALUES, VALUES, STRUCTURE, STRUCTURE, VALUES + STRUCTURE, BYTES])
    else:
        kinds = rng.choice([JSON, JSON, JSON, [json_text], [json_text, *BYTES]])
    return [(rng.choice(kinds).__name__, rng.randrange(2**31)) for _ in range(rng.choice([1, 1, 2, 3, 6]))]


def text_of(base):
    data = pathlib.Path(base).read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def events_of(document):
    """The events, where a mutation before has left them a list."""
    events = document.get("traceEvents") if isinstance(document, dict) else None
    return events if isinstance(events, list) else []


def shortened(document, rng):
    """A stretch of the events, and all that describe the processes: small enough for many runs."""
    events = events_of(document)
    most = 2500
    if len(events) > most:
        first = rng.randrange(len(events) - most)
        document["traceEvents"] = [each for each in events[:first] if each.get("ph") == "M"] + events[first:first + most]
    return document


def make(base, steps, target):
    """Writes the mutant of `base` to `target`, whose suffix it chooses; returns the path. Mutations that do not fit do nothing."""
    return make_database(base, steps, target + ".sqlite") if is_database(base) else make_trace(base, steps, target)


def text_near(text, rng):
    """`text` of a small file as it is, or mutated: its values where it is JSON, or its bytes."""
    kind = rng.randrange(4)
    data = bytearray(text.encode())
    if kind < 2 and text.startswith("{"):
        document = json.loads(text)
        rng.choice([json_value, json_drop, json_nest])(document, rng)
        data = bytearray(json.dumps(document).encode("utf-8", "surrogatepass"))
    elif kind == 1:  # its lines
        lines = data.split(b"\n")
        for _ in range(rng.choice([1, 3])):
            lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines)[:rng.choice([5, 400])] + rng.choice([b"", b" 0", *TEXT_PIECES]))
        data = bytearray(b"\n".join(lines))
    elif kind > 1:
        data = rng.choice([json_text, json_text, *BYTES])(data, rng)
    return bytes(data)


def make_database(base, steps, target):
    shutil.copyfile(base, target)
    byte_steps = [step for step in steps if BY_NAME[step[0]] in BYTES]
    database = sqlite3.connect(target, isolation_level=None)
    database.executescript("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF; PRAGMA legacy_alter_table = ON")
    for name, seed in steps:
        if (name, seed) not in byte_steps and [name, seed] not in byte_steps:
            rng = random.Random(seed)
            database.create_function("random", 0, lambda rng=rng: rng.randrange(-2**63, 2**63))  # SQLite's own has no seed
            try:
                database.execute("BEGIN")
                BY_NAME[name](database, rng)
                database.execute("COMMIT")
            except (sqlite3.Error, IndexError, UnicodeDecodeError, MemoryError):  # SQLite says so of columns that are too long
                if database.in_transaction:
                    database.execute("ROLLBACK")
    database.close()
    change_bytes(target, byte_steps)
    return target


def change_bytes(path, steps):
    if steps:
        data = bytearray(pathlib.Path(path).read_bytes())
        for name, seed in steps:
            data = bytearray(BY_NAME[name](data, random.Random(seed)))
        pathlib.Path(path).write_bytes(data)


def make_trace(base, steps, target):
    rng = random.Random(steps[0][1])
    document = shortened(json.loads(text_of(base)), rng)
    for name, seed in steps:
        if BY_NAME[name] in JSON and document:
            try:
                BY_NAME[name](document, random.Random(seed))
            except OverflowError:  # a number of a mutation before has no float
                continue
    data = bytearray(json.dumps(document, ensure_ascii=rng.random() < 0.9).encode("utf-8", "surrogatepass"))
    for name, seed in steps:
        if name == "json_text":
            data = json_text(data, random.Random(seed))
    path = target + (".json.gz" if rng.random() < 0.3 else ".json")
    pathlib.Path(path).write_bytes(gzip.compress(data, 1) if path.endswith(".gz") else data)
    change_bytes(path, [step for step in steps if BY_NAME[step[0]] in BYTES])
    return path
