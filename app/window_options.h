#pragma once

#include "app/cli_arguments.h"

#include <QSize>
#include <QString>
#include <QStringList>

#include <optional>
#include <string>

class QCommandLineParser;

namespace warpline {

/// The window's command-line options.
struct WindowOptions {
    QStringList files; ///< as the user named them: files, folders, patterns, sets of reports
    QString screenshot; ///< draw into this file and quit
    QSize size; ///< empty: as the window was last, or fitting the screen; a picture takes 1920x1080
    QString theme;
    QString language; ///< the key of one, or empty
    QString panel; ///< one that there is, or empty
    QString filter; ///< of the events; empty: none
    QString steps; ///< the names of the steps; empty: as they were chosen for the report, or detected
    QString view; ///< the file with the view, absolute; empty: the one next to the report
    std::optional<cli::RangeArgument> range;
    bool compare = false; ///< the two `files` with each other
    std::optional<cli::RangeArgument> rangeA; ///< the compared part of each; nothing: all
    std::optional<cli::RangeArgument> rangeB;
    bool cache = true;
    bool running = false; ///< let a window that runs open the file, where one does
    bool fresh = false; ///< do not restore the last view
    std::string document; ///< print this and quit: the manual page, or a completion script
};

/// Whether --scale may be `text`.
bool isScale(const QString& text);
/// Describes the program and its options to `parser`.
void describe(QCommandLineParser& parser);
/// The options that were given. Error: they make no sense, with the reason.
Result<WindowOptions> windowOptions(const QCommandLineParser& parser);

} // namespace warpline
