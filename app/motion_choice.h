#pragma once

#include <QString>

#include <functional>

class QObject;

namespace warpline {

/// The user's preference: whether views animate, where the desktop allows it.
bool motionIsChosen();

/// Calls `answer` with whether the desktop wants animations: at once by its style and its settings in
/// `configFolder`, and again if GNOME has to be queried and disables them. No calls after `context` is
/// deleted.
void askDesktopForMotion(
    QObject& context, const QString& configFolder, const std::function<void(bool)>& answer);

} // namespace warpline
