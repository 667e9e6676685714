#include "views/panels/checklist_panel.h"

#include "core/findings/rule.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/step_choice.h"
#include "views/session/checklist_judge.h"
#include "views/session/findings_judge.h"
#include "views/session/run_pair.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"

#include <QCoreApplication>
#include <QTextBrowser>
#include <QUrl>

#include <algorithm>

namespace warpline {

namespace {

QString linksOf(const ChecklistAnswer& answer, const std::set<std::string>& found)
{
    QStringList links;
    for (const std::string_view id : answer.rules) {
        const Rule* const rule = findRule(id);
        if (rule && found.contains(std::string(id)))
            links << QString("<a href='finding:%1'>%2</a>").arg(htmlOf(id), richTextOf(rule->titleText()));
    }
    return links.isEmpty()
        ? QString()
        : "<br>" + QObject::tr("More in:") + ' ' + links.join(QCoreApplication::translate("Lists", ", "));
}

QString rowOf(const ChecklistAnswer& answer, const std::set<std::string>& found, const Theme& theme)
{
    // A word and a shape, because colour alone is not accessible.
    QString html = "<p style='margin-top:0px; margin-bottom:10px'>" + answerMark(answer.answer, theme)
        + "&nbsp; <b>" + richTextOf(answer.question) + "</b><br>";
    const QString word = "<b>" + richTextOf(wordOf(answer.answer)) + "</b>";
    html += answer.figure.empty() ? word : QObject::tr("%1, %2").arg(word, richTextOf(answer.figure));
    html += "<br>" + richTextOf(answer.explanation);
    if (!answer.over.empty() && isJudged(answer.answer))
        html += QString(" <a href='range:%1:%2'>%3</a>")
                    .arg(answer.over.start)
                    .arg(answer.over.end)
                    .arg(QObject::tr("Show in timeline"));
    return html + linksOf(answer, found) + "</p>";
}

} // namespace

QString answerMark(Answer answer, const Theme& theme)
{
    const QColor color = answer == Answer::Yes ? theme.good
        : answer == Answer::No                 ? theme.bad
                                               : theme.dimText;
    const QChar mark = answer == Answer::Yes ? QChar(0x2713)
        : answer == Answer::No               ? QChar(0x2717)
                                             : QChar(0x2013);
    return QString("<span style='color:%1'><b>%2</b></span>").arg(color.name(), QString(mark));
}

QString checklistRichText(
    const std::vector<ChecklistAnswer>& answers, const std::set<std::string>& found, const Theme& theme)
{
    if (const Message reason = nothingToJudge(answers); !reason.empty()) // once is enough
        return QString("<p style='margin-top:6px; color:%1'>%2</p>")
            .arg(theme.dimText.name(),
                QObject::tr("The checklist is about GPU work: %1").arg(richTextOf(reason)));
    QString html;
    QString others; // questions that do not apply are listed last, in short form
    for (const ChecklistAnswer& answer : answers) {
        if (answer.answer != Answer::NotApplicable)
            html += rowOf(answer, found, theme);
        else
            others += QString("<p style='margin-top:0px; margin-bottom:2px; color:%1'>%2 %3</p>")
                          .arg(theme.dimText.name(), richTextOf(answer.question),
                              richTextOf(answer.explanation));
    }
    return html + others;
}

ChecklistPanel::ChecklistPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_judge(session.judgement().checklist()),
      m_text(new QTextBrowser(this))
{
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    fillColumn(this, 3,
        {new RangeNotice(m_session, {}, this), new StepNotice(m_session.judgement(), this), {m_text, 1}});
    connect(
        &m_session.judgement().findings(), &FindingsJudge::leadingChanged, this, &ChecklistPanel::drawIfSeen);
    connect(&m_judge, &ChecklistJudge::changed, this, [this] {
        drawIfSeen();
        emit updated();
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, &ChecklistPanel::follow);
}

void ChecklistPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    draw();
}

void ChecklistPanel::setInFront(bool inFront)
{
    Panel::setInFront(inFront);
    if (inFront && m_outdated)
        draw();
}

void ChecklistPanel::drawIfSeen()
{
    m_outdated = true;
    if (isInFront())
        draw();
}

void ChecklistPanel::draw()
{
    m_outdated = false;
    if (answers().empty()) {
        m_text->setPlainText(!m_session.trace().complete ? QString()
                : m_judge.failure().isEmpty()            ? tr("Analyzing\u2026")
                                                         : m_judge.failure());
        return;
    }
    // The leading findings come first here, too.
    const std::vector<LeadingFinding>& leading = m_session.judgement().findings().leading();
    std::vector<ChecklistAnswer> sorted = answers();
    for (ChecklistAnswer& answer : sorted)
        std::ranges::stable_sort(answer.rules, {}, [&](std::string_view rule) {
            return std::ranges::find(leading, rule, &LeadingFinding::rule) - leading.begin();
        });
    showExplained(*m_text, checklistRichText(sorted, m_session.judgement().findings().rules(), *m_theme));
}

void ChecklistPanel::follow(const QUrl& url)
{
    const QStringList parts = url.toString().split(':');
    if (parts.size() == 2 && parts[0] == "finding")
        emit m_session.judgement().findingRequested(parts[1]);
    else if (parts.size() == 3 && parts[0] == "range")
        m_session.time().show(m_session.sharedTime({parts[1].toLongLong(), parts[2].toLongLong()}));
}

extern const PanelKind checklistPanel;
const PanelKind checklistPanel{
    .id = "checklist",
    .title = QT_TRANSLATE_NOOP("Action", "Checklist"),
    .help = QT_TRANSLATE_NOOP("Action", "Five questions to ask of every profile, with answers"),
    .place = PanelPlace::Beside,
    .keys = "Alt+3",
    // When other panels need the room, the summary shows the answers, with a link to here.
    .isNeeded
    = [](Session& session) { return !session.pair().isOn() && session.workspace().reports().size() == 1; },
    .make = makePanel<ChecklistPanel>,
};

} // namespace warpline
