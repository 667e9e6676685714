#pragma once

#include <QString>

namespace warpline {

/// The tooltip of the header `title`: from the glossary if it contains a term of it, else from a list of
/// columns; otherwise how to sort by it. Never empty.
QString columnTip(const QString& title);

} // namespace warpline
