#pragma once

#include "core/findings/checklist.h"
#include "views/loading/delayed_refresh.h"
#include "views/loading/latest_job.h"
#include "views/session.h"
#include "views/style/theme.h"

#include <QWidget>

#include <set>
#include <string>
#include <vector>

class QTextBrowser;
class QUrl;

namespace warpline {

/// The answers as rich text, with links to the time judged and, of `found`, to the rules that tell more.
QString checklistRichText(
    const std::vector<ChecklistAnswer>& answers, const std::set<std::string>& found, const Theme& theme);

/// The five questions that every profile is asked first, answered for the whole report, or for the
/// selected range where that is wanted; each answer leads to the time that was judged and to the findings
/// that tell more.
class ChecklistPanel : public QWidget {
    Q_OBJECT
public:
    ChecklistPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    const std::vector<ChecklistAnswer>& answers() const { return m_answers; }
    QTextBrowser& text() { return *m_text; }
    bool isBusy() const { return m_job.isBusy() || m_refresh.isPending(); }
    /// The rules that found something: only these are offered as links.
    void setFound(std::set<std::string> rules);

signals:
    void updated();
    void findingWanted(const QString& rule); ///< Rule::id; the user clicked its link

private:
    void evaluate();
    void draw();
    void follow(const QUrl& url);

    Session& m_session;
    const Theme* m_theme;
    QTextBrowser* m_text;
    std::vector<ChecklistAnswer> m_answers;
    std::set<std::string> m_found;
    LatestJob m_job{nullptr, Urgency::Background};
    DelayedRefresh m_refresh; ///< a drag selects many times, and behind another tab nobody asks
};

} // namespace warpline
