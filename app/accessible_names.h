#pragma once

class QString;
class QWidget;

namespace warpline {

/// Gives each part of `area` that can have the keyboard and says nothing of itself a name for screen readers:
/// its hint or tip where it has one, else `title`, which is what the area is called.
void nameParts(QWidget& area, const QString& title);

} // namespace warpline
