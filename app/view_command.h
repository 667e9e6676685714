#pragma once

#include "views/session/selection.h"

#include <QString>
#include <QStringList>

#include <string>

namespace warpline {

class MainWindow;
class Trace;

/// Shell commands that show a window's view again.
struct ViewCommands {
    QString window; ///< warpline: the same reports, panel, range and filter
    QString terminal; ///< warpline-cli: the panel's content as text; empty: no command has it
    QString note{}; ///< a comment of the shell on what they leave out; empty: nothing
};

/// The user's view, as far as a command line can express it.
struct ViewAsked {
    QString panel; ///< PanelKind::id of the one in front; may be empty
    QStringList files; ///< as they were named
    QString file; ///< the one that the panels are about
    QString other; ///< the run it is compared with; empty: none
    QString shown; ///< "FROM:TO" in ns; empty: all of it
    QString asked; ///< the same for the panels' range, on the clock of `file`
    QString filter; ///< of events; empty: none
    QString table; ///< of the Statistics panel
    QString sql; ///< in the SQL panel
    QString steps{}; ///< the names of the steps; empty: they are detected
    bool leavesOutRows = false; ///< `filter` cannot describe the chosen rows
};

ViewCommands commandsOf(const ViewAsked& asked);
/// The commands for the view of `window`.
ViewCommands commandsOf(MainWindow& window);
/// The filter of a command line: the name, the kind and the durations of events as the panels set them; any
/// other as a text.
EventFilter filterOfCommand(const std::string& text, const Trace& trace);

} // namespace warpline
