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
    /// The ranges to choose from: those that are marked, the selected one, the one that is shown.
    QListWidget& ranges() { return *m_ranges; }
    QCheckBox& machine() { return *m_machine; }
    QCheckBox& findings() { return *m_findings; }
    QCheckBox& tables() { return *m_tables; }

private:
    void offer(const QString& title, TimeRange range, bool isChosen);

    Session& m_session;
    QListWidget* m_ranges;
    QCheckBox* m_findings;
    QCheckBox* m_tables;
    QCheckBox* m_machine;
    std::vector<HandoverRange> m_offered; ///< in the order of the list
};

} // namespace warpline
