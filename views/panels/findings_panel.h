#pragma once

#include "core/findings/rule.h"
#include "views/loading/latest_job.h"
#include "views/session.h"
#include "views/style/theme.h"

#include <QWidget>

#include <vector>

class QCheckBox;
class QLabel;
class QTextBrowser;
class QTreeWidget;
class QTreeWidgetItem;

namespace warpline {

/// What deserves attention, ranked; for the chosen finding its figures, why it matters, what to do, and the
/// evidence. A click zooms to the place and marks the evidence in the timeline and the events view.
class FindingsPanel : public QWidget {
    Q_OBJECT
public:
    FindingsPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    const std::vector<Finding>& findings() const { return m_findings; }
    QTreeWidget& list() { return *m_list; }
    bool isBusy() const { return m_job.isBusy(); }
    /// Steps to the next or previous piece of evidence of the chosen finding.
    void stepEvidence(bool forward);

signals:
    void updated();

private:
    void evaluate();
    void showFindings(std::vector<Finding> findings);
    void choose(QTreeWidgetItem* item);
    void showEvidence(std::size_t index);
    QString describe(const Finding& finding) const;
    QColor colorOf(Severity severity) const;

    Session& m_session;
    const Theme* m_theme;
    QTreeWidget* m_list;
    QTextBrowser* m_text;
    QCheckBox* m_ofRange;
    QLabel* m_count;
    std::vector<Finding> m_findings;
    std::size_t m_chosen = 0;
    std::size_t m_evidence = 0;
    LatestJob m_job;
};

} // namespace warpline
