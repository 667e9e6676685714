#pragma once

#include <QString>
#include <QStringList>

namespace warpline {

/// The reader's editor, which opens lines of source: a command with {file} and {line}, "code --goto
/// {file}:{line}". No shell ever sees it.

/// What the preferences have; empty: there is none, and no line is a link.
QString editorCommand();
void setEditorCommand(const QString& command);
/// Why `command` cannot be one: it lacks {file}, or its program is not there. Empty: it can be.
QString problemOfEditor(const QString& command);
/// The program and its arguments for line `line` of `file`. The command is split at spaces outside of quotes,
/// and the names are put in afterwards: one with spaces or quotes stays one argument.
QStringList editorArguments(const QString& command, const QString& file, quint32 line);
/// Opens `file` at `line`. Empty: the editor was started; else what is wrong, in a sentence.
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
/// Follows `link` if it is one of sourceLink(): false, it is another. `problem`: what went wrong, or empty.
bool followSource(const QString& link, QString& problem);

} // namespace warpline
