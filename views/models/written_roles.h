#pragma once

#include "core/table/cells.h"

#include <QVariant>

namespace warpline {

/// What models of tables say for files and for the clipboard, where numbers are plain.
constexpr int unitRole = Qt::UserRole + 1; ///< of a head: the Unit of its column, an int
constexpr int numberRole = Qt::UserRole + 2; ///< of a cell: a number in that unit; not valid: there is none

/// The number of `cell`; not valid: it has none.
inline QVariant numberOf(const Cell& cell)
{
    if (const auto* const whole = std::get_if<std::int64_t>(&cell))
        return static_cast<qlonglong>(*whole);
    const auto* const real = std::get_if<double>(&cell);
    return real ? QVariant(*real) : QVariant();
}

} // namespace warpline
