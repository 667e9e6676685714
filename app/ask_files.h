#pragma once

#include <QStringList>

class QWidget;

namespace warpline {

/// Asks for files with reports, one or several; `filter` as QFileDialog has it. Empty: none was chosen.
QStringList askForReports(
    QWidget* parent, const QString& title, const QString& folder, const QString& filter);

} // namespace warpline
