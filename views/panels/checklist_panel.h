#pragma once

#include "core/findings/checklist.h"
#include "views/panels/panel.h"
#include "views/session/checklist_judge.h"

#include <set>
#include <string>
#include <vector>

class QTextBrowser;
class QUrl;

namespace warpline {

/// A check mark, a cross or a dash, in the colour of the answer.
QString answerMark(Answer answer, const Theme& theme);

/// The answers as rich text, with links to the analyzed time and to the rules among `found` with details.
QString checklistRichText(
    const std::vector<ChecklistAnswer>& answers, const std::set<std::string>& found, const Theme& theme);

/// The five questions of the checklist, answered for the whole report or the selected range; each answer
/// links to the analyzed time and to the findings with details.
class ChecklistPanel : public Panel {
    Q_OBJECT
public:
    ChecklistPanel(Session& session, const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme) override;
    void setInFront(bool inFront) override;
    const std::vector<ChecklistAnswer>& answers() const { return m_judge.answers(); }
    QTextBrowser& text() { return *m_text; }
    bool isBusy() const override { return isInFront() && m_judge.isBusy(); }
    LeftOut leftOut() const override { return {.rows = true}; }

protected:
    void showReport() override { drawIfSeen(); }
    void clear() override { drawIfSeen(); }
    void setSeen(bool seen) override { m_judge.setSeen(*this, seen); }

private:
    void draw();
    void drawIfSeen();
    void follow(const QUrl& url);

    const Theme* m_theme;
    ChecklistJudge& m_judge;
    QTextBrowser* m_text;
    bool m_outdated = false; ///< the content, which is drawn again when it becomes visible
};

} // namespace warpline
