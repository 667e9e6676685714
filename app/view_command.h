#pragma once

#include <QString>
#include <QStringList>

namespace warpline {

class MainWindow;

/// Command lines that show again what a window shows, for a shell.
struct ViewCommands {
    QString window; ///< warpline: the same reports, panel, range and filter
    QString terminal; ///< warpline-cli: what the panel says, as text; empty: nothing says it there
};

/// What the user looks at, as far as a command line can say it.
struct ViewAsked {
    QString panel; ///< PanelKind::id of the one in front; may be empty
    QStringList files; ///< as they were named
    QString file; ///< the one that the panels are about
    QString other; ///< the run it is compared with; empty: none
    QString shown; ///< "FROM:TO" in ns; empty: all of it
    QString asked; ///< the same of what panels are about, on the clock of `file`
    QString filter; ///< of events; empty: none
    QString table; ///< of the Statistics panel
    QString sql; ///< in the SQL panel
    QString steps{}; ///< the names of the steps; empty: they are detected
};

ViewCommands commandsOf(const ViewAsked& asked);
/// Of what `window` shows.
ViewCommands commandsOf(MainWindow& window);

} // namespace warpline
