#pragma once

#include "views/panels/panel.h"
#include "views/session/selection.h"

#include <QString>
#include <QStringList>

#include <string>

class QWidget;

namespace warpline {

class MainWindow;
class Trace;

/// Shell commands that show a window's view again.
struct ViewCommands {
    QString window; ///< warpline: the same reports, panel, range and filter
    QString terminal; ///< warpline-cli: the panel's content as text, a line for each report that it lists,
                      ///< each with a comment below where it leaves out rows; empty: no command has it
    QString note{}; ///< a comment of the shell on what they leave out; empty: nothing
};

/// The user's view, as far as a command line can express it.
struct ViewAsked {
    QString panel; ///< PanelKind::id of the one in front; may be empty
    QStringList files; ///< as they were named
    QString file; ///< the one that the panels are about
    QString other; ///< the run it is compared with, as namesOfSide() reads it; empty: none
    QString shown; ///< "FROM:TO" in ns: the visible range; empty: all of it
    QString asked; ///< the panel's range, on the clock of `file`
    QString filter; ///< of events; empty: none
    QStringList words; ///< Panel::commandWords()
    QString steps{}; ///< the names of the steps; empty: they are detected
    QStringList shownSides{}; ///< "--a-range", "FROM:TO" ...: the compared ranges; empty: whole runs
    QStringList askedSides{}; ///< the same on the clocks of the files
    QString compared{}; ///< side A of a comparison, as `other`; empty: nothing is compared
    bool leavesOutRows = false; ///< `filter` cannot describe the chosen rows, or the command has none
    bool leavesOutSelection = false; ///< a range is selected, and no option of the window selects one
    LeftOut leftOut{}; ///< Panel::leftOut()
};

ViewCommands commandsOf(const ViewAsked& asked);
/// The commands for the view of `window`: of the panel around `at`, else of the one in front.
ViewCommands commandsOf(MainWindow& window, const QWidget* at);
/// The filter of a command line: the name, the kind and the durations of events as the panels set them; any
/// other as a text.
EventFilter filterOfCommand(const std::string& text, const Trace& trace);

} // namespace warpline
