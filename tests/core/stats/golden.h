#pragma once

#include <QByteArray>
#include <QSet>
#include <QString>

namespace warpline::test {

/// "line 12: expected ..., got ..." for the first line in which the two differ; empty when they are equal.
QString firstDifference(const QByteArray& expected, const QByteArray& got);

/// Compares every *.csv in `folder` with the table of that name for the report at `path`: NAME+ARGUMENT.csv
/// is the table NAME:ARGUMENT. Returns one line for each file that differs, counts the files in `compared`,
/// and adds the names of their tables to `tables`.
QStringList differingTables(const QString& path, const QString& folder, int& compared, QSet<QString>& tables);

} // namespace warpline::test
