#pragma once

#include "views/session/name_books.h"
#include "views/style/color_choice.h"
#include "views/style/theme.h"

#include <QString>

#include <string>
#include <vector>

namespace warpline {

/// A colour of the timeline and what it says.
struct LegendEntry {
    QColor color;
    QString text;
    QString tip; ///< more of it; may be empty
    EventKind kind = EventKind::Kernel;
    std::string name; ///< of the events that have the colour; empty: it is of no single name
};

/// What the colours mean of the report that panels are about: what takes most time first, colours that
/// nothing there has left out. While the names are being counted there is less.
std::vector<LegendEntry> legendEntries(const Session& session, const NameBooks& books, const Theme& theme);

} // namespace warpline
