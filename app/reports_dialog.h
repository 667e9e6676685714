#pragma once

#include "views/session/session.h"

#include <QDialog>
#include <QTimer>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpline {

class ReportList;

/// The open reports: their names, ranks and how these were found, hosts, and how their clocks were aligned.
/// Names, ranks, offsets and colours can be edited in the list, and take effect at once.
class ReportsDialog : public QDialog {
    Q_OBJECT
public:
    /// Both outlive the dialog.
    ReportsDialog(ReportList& reports, Session& session, QWidget* parent = nullptr);

    QTreeWidget& list() { return *m_list; }
    /// Why the last entry is not a valid rank or offset; empty when it is valid.
    QLabel& problem() { return *m_problem; }
    QPushButton& removeButton() { return *m_remove; }
    /// Writes the set to `path`; false on failure, with the reason in problem(). A slow disk tells it later.
    bool saveSet(const QString& path);

    enum Column { Name, Rank, FoundBy, Host, Gpu, Length, Events, Offset, Method, Matches, File, Columns };

signals:
    void addWanted();

private:
    void fill();
    bool isAt(std::size_t place, const QString& path) const; ///< whether that report is at that place
    bool isListed() const; ///< whether each line is of the report at its place
    void fillLine(QTreeWidgetItem& line, std::size_t place) const;
    void fillClock(QTreeWidgetItem& line, const OpenReport& report, std::size_t place) const;
    /// Takes the user's edit of a line.
    void take(std::size_t place, int column, const QString& typed, bool isIncluded);
    bool takeRank(const QString& text, std::size_t place);
    bool takeOffset(const QString& text, std::size_t place);
    void chooseColor();
    void removeChosen();
    bool refusesLast(std::size_t place); ///< that is visible, or will be: says that one must stay
    void askWhereToSave();
    void enableButtons();
    void widenColumns(); ///< to their content, within limits
    std::ptrdiff_t chosen() const; ///< place in the list; -1: none

    ReportList& m_reports;
    Session& m_session;
    QTreeWidget* m_list;
    QLabel* m_problem;
    QPushButton* m_color;
    QPushButton* m_remove;
    QTimer m_fillSoon;
    bool m_filling = false;
};

} // namespace warpline
