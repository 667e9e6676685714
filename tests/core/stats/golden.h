#pragma once

#include <QByteArray>
#include <QString>

namespace warpline::test {

/// "line 12: expected ..., got ..." for the first line in which the two differ; empty when they are equal.
QString firstDifference(const QByteArray& expected, const QByteArray& got);

/// Compares every *.csv in `folder` with what the table of that name says about the report at `path`. Returns
/// one line for each file that differs, and counts the files in `compared`.
QStringList differingTables(const QString& path, const QString& folder, int& compared);

} // namespace warpline::test
