#pragma once

#include "views/session/report_scope.h"

#include <QWidget>

class QComboBox;
class QListWidget;
class QToolButton;

namespace warpline {

/// Above a panel, where several reports are open: which of them the panel is about. One choice for all
/// panels; those that can be about several at once have "All reports" as well, and some of them.
class ReportChooser : public QWidget {
    Q_OBJECT
public:
    /// `session` outlives the chooser. `takesSeveral`: its panel can be about several reports at once.
    ReportChooser(Session& session, bool takesSeveral, QWidget* parent = nullptr);

    QComboBox& list() { return *m_list; }
    /// Of the reports, each with a check mark: those that the panel is about when it is about some.
    QListWidget& some() { return *m_some; }
    QSize minimumSizeHint() const override; ///< nothing while a single report is open
    QSize sizeHint() const override;

private:
    void makeSome();
    void fill();
    void showChoice();
    void choose(int index);
    void chooseSome();
    int placeOfAll() const; ///< of the line "All reports"; -1: there is none

    Session& m_session;
    ReportScope& m_scope;
    bool m_takesSeveral;
    QComboBox* m_list;
    QToolButton* m_someButton;
    QListWidget* m_some;
};

} // namespace warpline
