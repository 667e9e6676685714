#pragma once

#include "core/export/handover_html.h"
#include "views/session/session.h"

#include <QDialog>

class QCheckBox;
class QListWidget;

namespace warpline {

/// Asks for the content of a page for sharing: ranges, and further parts.
class HandoverDialog : public QDialog {
    Q_OBJECT
public:
    explicit HandoverDialog(Session& session, QWidget* parent = nullptr);

    /// The checked content, on the clock of the panels' report.
    HandoverChoice choice() const;

private:
    void offer(const QString& title, TimeRange range, bool isChosen);

    Session& m_session;
    QListWidget* m_ranges; ///< those that are marked, the selected one, the one that is shown
    QCheckBox* m_findings;
    QCheckBox* m_tables;
    QCheckBox* m_machine;
    std::vector<HandoverRange> m_offered; ///< in the order of the list
};

} // namespace warpline
