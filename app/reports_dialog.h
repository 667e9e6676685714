#pragma once

#include "views/session/session.h"

#include <QDialog>

class QLabel;
class QPushButton;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpline {

class ReportList;

/// The reports that are open together: what each is called, which rank it is and how that was found, where it
/// was recorded, and how its clock was aligned. Names, ranks, offsets and colours can be changed in the list,
/// and take effect at once.
class ReportsDialog : public QDialog {
    Q_OBJECT
public:
    /// Both outlive the dialog.
    ReportsDialog(ReportList& reports, Session& session, QWidget* parent = nullptr);

    QTreeWidget& list() { return *m_list; }
    /// Says why what was typed last is no rank or offset; empty when all is well.
    QLabel& problem() { return *m_problem; }
    QPushButton& removeButton() { return *m_remove; }
    /// Writes the set to `path`; false when that fails, and problem() says why.
    bool saveSet(const QString& path);

    enum Column { Name, Rank, FoundBy, Host, Gpu, Length, Events, Offset, Method, Matches, File, Columns };

signals:
    void addWanted();

private:
    void fill();
    void fillLine(QTreeWidgetItem& line, std::size_t place) const;
    void fillClock(QTreeWidgetItem& line, const OpenReport& report, std::size_t place) const;
    /// What the user changed in a line.
    void take(std::size_t place, int column, const QString& typed, bool isIncluded);
    bool takeRank(const QString& text, std::size_t place);
    bool takeOffset(const QString& text, std::size_t place);
    void chooseColor();
    void removeChosen();
    void askWhereToSave();
    void enableButtons();
    void widenColumns(); ///< to what they hold, within limits
    std::ptrdiff_t chosen() const; ///< place in the list; -1: none

    ReportList& m_reports;
    Session& m_session;
    QTreeWidget* m_list;
    QLabel* m_problem;
    QPushButton* m_color;
    QPushButton* m_remove;
    bool m_filling = false;
};

} // namespace warpline
