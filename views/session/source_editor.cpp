#include "views/session/source_editor.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>
#include <QUrl>

namespace warpline {

namespace {

constexpr const char* editorKey = "editor/command";
const QString sourceScheme = QStringLiteral("source:");

QString editorText(const char* text)
{
    return QCoreApplication::translate("SourceEditor", text);
}

} // namespace

QString editorCommand()
{
    return QSettings().value(editorKey).toString().trimmed();
}

void setEditorCommand(const QString& command)
{
    QSettings().setValue(editorKey, command.trimmed());
}

QString problemOfEditor(const QString& command)
{
    const QStringList parts = QProcess::splitCommand(command);
    if (parts.isEmpty())
        return {};
    if (!command.contains("{file}"))
        return editorText("The editor's command has no {file}. Example: code --goto {file}:{line}");
    const QFileInfo program(parts.front());
    const bool isThere = parts.front().contains('/')
        ? program.isFile() && program.isExecutable()
        : !QStandardPaths::findExecutable(parts.front()).isEmpty();
    return isThere ? QString() : editorText("%1 is not a program.").arg(parts.front());
}

QStringList editorArguments(const QString& command, const QString& file, quint32 line)
{
    QStringList arguments = QProcess::splitCommand(command);
    for (QString& argument : arguments) {
        QString filled;
        qsizetype from = 0;
        // In one pass, because a file may be named "{line}".
        while (from < argument.size()) {
            if (argument.mid(from).startsWith("{file}")) {
                filled += file;
                from += 6;
            } else if (argument.mid(from).startsWith("{line}")) {
                filled += QString::number(line);
                from += 6;
            } else {
                filled += argument[from++];
            }
        }
        argument = filled;
    }
    return arguments;
}

QString openInEditor(const QString& file, quint32 line)
{
    const QString command = editorCommand();
    if (const QString problem = problemOfEditor(command); command.isEmpty() || !problem.isEmpty())
        return command.isEmpty() ? editorText("No editor is set. Set its command in Preferences.") : problem;
    // Absolute: a name that begins with a hyphen would be an option.
    const QFileInfo source(file);
    if (!source.isAbsolute() || !source.isFile())
        return editorText("%1 does not exist on this machine.").arg(file);
    QStringList arguments = editorArguments(command, source.absoluteFilePath(), line);
    const QString program = arguments.takeFirst();
    return QProcess::startDetached(program, arguments) ? QString()
                                                       : editorText("%1 could not be started.").arg(program);
}

SourcePlace placeInName(const QString& function, const QString& report)
{
    static const QRegularExpression pattern(R"(^(.+\.py)\((\d+)\): )");
    const QRegularExpressionMatch match = pattern.match(function);
    if (!match.hasMatch())
        return {};
    SourcePlace place{match.captured(1), match.captured(2).toUInt()};
    if (QFileInfo(place.file).isAbsolute())
        return place;
    for (const QString& folder : {QFileInfo(report).absolutePath(), QDir::currentPath()}) {
        if (const QFileInfo there(folder + '/' + place.file); there.isFile())
            return {there.absoluteFilePath(), place.line};
    }
    return place;
}

QString sourceLink(const QString& file, quint32 line, const QString& text)
{
    if (editorCommand().isEmpty() || line == 0)
        return text.toHtmlEscaped();
    return QString("<a href='%1%2:%3'>%4</a>")
        .arg(sourceScheme, QString::number(line), QString::fromLatin1(QUrl::toPercentEncoding(file)),
            text.toHtmlEscaped());
}

bool followSource(const QString& link, QString& problem)
{
    problem.clear();
    if (!link.startsWith(sourceScheme))
        return false;
    const QString place = link.mid(sourceScheme.size());
    problem = openInEditor(
        QUrl::fromPercentEncoding(place.section(':', 1).toLatin1()), place.section(':', 0, 0).toUInt());
    return true;
}

} // namespace warpline
