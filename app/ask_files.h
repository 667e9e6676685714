#pragma once

#include <QString>
#include <QStringList>

class QWidget;

namespace warpline {

/// Asks for files with reports, one or several; `filter` as QFileDialog has it. Empty: none was chosen.
QStringList askForReports(
    QWidget* parent, const QString& title, const QString& folder, const QString& filter);

/// Asks where to save a file whose name ends with `ending`, which others get; `offered` is a path. Empty: the
/// user cancelled, or keeps the file that is there.
QString askToSave(QWidget* parent, const QString& title, const QString& offered, const QString& filter,
    const QString& ending);

} // namespace warpline
