#pragma once

#include "views/session/report_scope.h"

#include <QWidget>

class QComboBox;
class QListWidget;
class QToolButton;

namespace warpline {

/// Chooses the report of the panels, when several are open. One choice for all panels; panels that support
/// several also offer "All reports", and a selection.
class ReportChooser : public QWidget {
    Q_OBJECT
public:
    /// `session` outlives the chooser. `takesSeveral`: its panel can be about several reports at once.
    ReportChooser(Session& session, bool takesSeveral, QWidget* parent = nullptr);

    QComboBox& list() { return *m_list; }
    /// The reports with check marks, for panels about a selection.
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
