#pragma once

#include <QList>
#include <QString>
#include <QStringList>

namespace warpline::test {

/// A table, the titles of its columns that are compared, and the rows that they are in SQL: $touches stands
/// for "e touches the range", $base and $mangled for what the name is in this variant.
struct Oracle {
    QString table; ///< NAME or NAME:ARGUMENT
    QStringList titles;
    QString sql;
};

/// What every table that SQL can compute must say of `report`; some refer to tables that it has not.
QList<Oracle> sqlOracles(const QString& report);

} // namespace warpline::test
