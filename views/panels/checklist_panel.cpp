#include "views/panels/checklist_panel.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/findings/rule.h"

#include <QLabel>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace warpline {

namespace {

constexpr int delayMs = 250; ///< so long must a drag rest before the questions are asked anew

QString escaped(std::string_view text)
{
    return QString::fromStdString(toUtf8(text)).toHtmlEscaped();
}

/// A word and a shape: the answer must not hang on its colour alone.
QString badge(Answer answer, const Theme& theme)
{
    const QColor color = answer == Answer::Yes ? theme.color(EventTint::CopyHtoD)
        : answer == Answer::No                 ? theme.color(EventTint::CopyDtoH)
                                               : theme.dimText;
    const QChar mark = answer == Answer::Yes ? QChar(0x2713)
        : answer == Answer::No               ? QChar(0x2717)
                                             : QChar(0x2013);
    return QString("<span style='color:%1'><b>%2&nbsp;%3</b></span>")
        .arg(color.name(), QString(mark), escaped(wordOf(answer)).replace(' ', "&nbsp;"));
}

QString linksOf(const ChecklistAnswer& answer, const std::set<std::string>& found)
{
    QStringList links;
    for (const std::string_view id : answer.rules) {
        const Rule* const rule = findRule(id);
        if (rule && found.contains(std::string(id)))
            links << QString("<a href='finding:%1'>%2</a>").arg(escaped(id), escaped(rule->title));
    }
    return links.isEmpty() ? QString() : "<br>" + QObject::tr("More in:") + ' ' + links.join(", ");
}

QString rowOf(const ChecklistAnswer& answer, const std::set<std::string>& found, const Theme& theme)
{
    QString html = "<tr><td style='padding-right:16px; padding-bottom:9px'>" + badge(answer.answer, theme)
        + "</td><td style='padding-bottom:9px'><b>" + escaped(answer.question) + "</b>";
    if (!answer.figure.empty())
        html += "&nbsp;&nbsp; " + escaped(answer.figure);
    html += "<br>" + escaped(answer.explanation);
    if (!answer.over.empty() && answer.answer != Answer::NotRecorded)
        html += QString(" <a href='range:%1:%2'>%3</a>")
                    .arg(answer.over.start)
                    .arg(answer.over.end)
                    .arg(QObject::tr("Show the time judged"));
    return html + linksOf(answer, found) + "</td></tr>";
}

} // namespace

ChecklistPanel::ChecklistPanel(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_theme(&theme),
      m_head(new QLabel(this)),
      m_text(new QTextBrowser(this)),
      m_refresh(
          *this, delayMs, [this] { evaluate(); }, RefreshTime::AfterRest)
{
    m_head->setContentsMargins(6, 3, 6, 0);
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addWidget(m_head);
    layout->addWidget(m_text, 1);
    connect(&m_session, &Session::traceChanged, this, &ChecklistPanel::evaluate);
    connect(&m_session, &Session::selectedRangeChanged, this, [this] { m_refresh.request(); });
    connect(m_text, &QTextBrowser::anchorClicked, this, &ChecklistPanel::follow);
}

void ChecklistPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    draw();
}

void ChecklistPanel::setFound(std::set<std::string> rules)
{
    m_found = std::move(rules);
    draw();
}

void ChecklistPanel::evaluate()
{
    m_refresh.cancel();
    if (!m_session.trace().complete) {
        m_job.cancel();
        m_answers.clear();
        draw();
        return;
    }
    const TimeRange selected = m_session.selectedRange();
    const TimeRange window = selected.empty() ? m_session.trace().session : selected;
    m_head->setText(selected.empty()
            ? tr("The whole report; select a range to ask about it alone")
            : tr("The selected range, %1").arg(QString::fromStdString(formatDuration(window.duration()))));
    m_job.start([trace = m_session.sharedTrace(), window](
                    const std::stop_token& stop) { return answerChecklist(*trace, window, stop); },
        [this](std::vector<ChecklistAnswer> answers) {
            m_answers = std::move(answers);
            draw();
            emit updated();
        });
}

void ChecklistPanel::draw()
{
    if (m_answers.empty()) {
        m_text->clear();
        return;
    }
    QString html = "<table cellspacing=0 cellpadding=2>";
    for (const ChecklistAnswer& answer : m_answers)
        html += rowOf(answer, m_found, *m_theme);
    m_text->setHtml(html + "</table>");
}

void ChecklistPanel::follow(const QUrl& url)
{
    const QStringList parts = url.toString().split(':');
    if (parts.size() == 2 && parts[0] == "finding")
        emit findingWanted(parts[1]);
    else if (parts.size() == 3 && parts[0] == "range")
        m_session.show({parts[1].toLongLong(), parts[2].toLongLong()});
}

} // namespace warpline
