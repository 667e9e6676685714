#!/usr/bin/env python3
"""Brings the catalogues of the window up to date with the sources: resources/languages/update.py

Each *.ts beside this file has the texts of tr() in app and views, sorted, each once: a text reads the same wherever
it stands (see app/language_choice.h). New texts come without a translation, texts that are gone go. lupdate finds
the texts: Debian's qt6-l10n-tools.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml
from xml.sax.saxutils import escape

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent.parent


def aliases():
    """The functions that stand for tr(): those that hand their text to QCoreApplication::translate()."""
    wrapper = re.compile(r"(\w+)(?: = \[\])?\(const char\* (\w+)\)\s*\{\s*return QCoreApplication::translate\(\"\w+\", \2\)")
    names = {name for folder in ("app", "views") for path in (ROOT / folder).rglob("*.cpp")
             for name, _ in wrapper.findall(path.read_text())}
    return ",".join(f"tr+={name}" for name in sorted(names - {"tr"}))


def texts_of_sources():
    """The texts of tr() in the sources."""
    lupdate = shutil.which("lupdate", path="/usr/lib/qt6/bin") or shutil.which("lupdate")
    if not lupdate:
        sys.exit("update.py: lupdate is missing. Install qt6-l10n-tools.")
    # Texts inside a wrapper's call are found by their own mark.
    with tempfile.TemporaryDirectory() as work:
        texts = set()
        for own in ("tr+=words", aliases()):
            found = pathlib.Path(work) / "found.ts"
            found.unlink(missing_ok=True)
            subprocess.run([lupdate, "-silent", "-tr-function-alias", own, "-I", ".", "app", "views", "-ts", str(found)],
                           cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
            texts |= {source.text or "" for source in xml.parse(found).iter("source")}
        return sorted(texts)


def translations_of(path):
    """The translations that a catalogue has, by text."""
    return {message.findtext("source"): message.findtext("translation") or ""
            for message in xml.parse(path).iter("message")}


def write(path, language, texts, known):
    """Writes a catalogue: one context, a message a text."""
    lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!DOCTYPE TS>", f'<TS version="2.1" language="{language}">',
             "<context>", "    <name>Warpline</name>"]
    for text in texts:
        translation = known.get(text, "")
        state = "" if translation else ' type="unfinished"'
        lines += ["    <message>", f"        <source>{escape(text)}</source>",
                  f"        <translation{state}>{escape(translation)}</translation>", "    </message>"]
    path.write_text("\n".join(lines + ["</context>", "</TS>", ""]), encoding="utf-8")


def main():
    texts = texts_of_sources()
    for path in sorted(FOLDER.glob("*.ts")):
        known = translations_of(path)
        write(path, xml.parse(path).getroot().get("language"), texts, known)
        missing = [text for text in texts if not known.get(text)]
        print(f"{path.name}: {len(texts)} texts, {len(missing)} without a translation")
        for text in missing:
            print(f"    {text}")


if __name__ == "__main__":
    main()
