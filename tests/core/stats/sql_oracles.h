#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace warpline::test {

/// A table, the titles of its compared columns, and the rows that SQL expects: $touches stands for "e touches
/// the range", $base and $mangled for the name column of this variant.
struct Oracle {
    QString table; ///< NAME or NAME:ARGUMENT
    QStringList titles;
    QString sql;
};

/// The expected tables of `report` that SQL can compute; some refer to tables that it does not have.
QList<Oracle> sqlOracles(const QString& report);

} // namespace warpline::test
