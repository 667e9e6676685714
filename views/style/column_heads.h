#pragma once

#include <QString>

namespace warpline {

/// What the column called `title` says, as a tip for its head: of the glossary where a term of it is there,
/// else of a list of columns; of one that is in neither, how to sort by it. Never empty.
QString columnTip(const QString& title);

} // namespace warpline
