#pragma once

#include "views/session/session.h"

#include <QWidget>

class QComboBox;

namespace warpline {

/// Above a panel, where several reports are open: which of them the panel is about. One choice for all
/// panels.
class ReportChooser : public QWidget {
    Q_OBJECT
public:
    /// `session` outlives the chooser.
    explicit ReportChooser(Session& session, QWidget* parent = nullptr);

    QComboBox& list() { return *m_list; }
    QSize minimumSizeHint() const override; ///< nothing while a single report is open
    QSize sizeHint() const override;

private:
    void fill();
    void showChoice();

    Session& m_session;
    QComboBox* m_list;
};

} // namespace warpline
