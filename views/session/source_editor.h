#pragma once

#include <QString>
#include <QStringList>

namespace warpline {

/// The reader's editor, which opens lines of source: a command with {file} and {line}, "code --goto
/// {file}:{line}". No shell ever sees it.

/// The command from the preferences; empty: there is none, and lines are not links.
QString editorCommand();
void setEditorCommand(const QString& command);
/// Why `command` cannot be one: it lacks {file}, or its program is not there. Empty: it can be.
QString problemOfEditor(const QString& command);
/// The program and its arguments for line `line` of `file`. Splits the command at unquoted spaces first and
/// inserts the names afterwards, so that a name with spaces or quotes stays one argument.
QStringList editorArguments(const QString& command, const QString& file, quint32 line);
/// Opens `file` at `line`. Returns an error as a sentence, or an empty text when the editor was started.
QString openInEditor(const QString& file, quint32 line);

/// A line of source.
struct SourcePlace {
    QString file;
    quint32 line = 0; ///< 0: not known
};
/// The place in the name that torch.profiler gives a Python function, "train.py(30): step". A relative file
/// is looked for in the folder of `report` and in the current one.
SourcePlace placeInName(const QString& function, const QString& report);

/// `text` as a link to `line` of `file` for followSource(), in HTML; without an editor the text alone.
QString sourceLink(const QString& file, quint32 line, const QString& text);
/// Follows `link` if it is a sourceLink(); false: it is none. `problem`: the error, or empty.
bool followSource(const QString& link, QString& problem);

} // namespace warpline
