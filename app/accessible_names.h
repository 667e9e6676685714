#pragma once

class QString;
class QWidget;

namespace warpline {

/// Gives each focusable part of `area` without an accessible name one for screen readers: its placeholder or
/// tooltip, else `title`, the area's name.
void nameParts(QWidget& area, const QString& title);

} // namespace warpline
