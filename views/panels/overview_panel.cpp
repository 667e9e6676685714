#include "views/panels/overview_panel.h"

#include "core/analysis/trace_analysis.h"
#include "core/base/format_instant.h"
#include "core/base/share.h"
#include "core/render/render.h"
#include "core/store/trace.h"
#include "views/panels/checklist_panel.h"
#include "views/panels/finding_text.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/overview_bar.h"
#include "views/panels/overview_headline.h"
#include "views/panels/step_choice.h"
#include "views/session/findings_judge.h"
#include "views/session/rank_judge.h"
#include "views/session/row_scope.h"
#include "views/style/explained_terms.h"
#include "views/style/linked_label.h"
#include "views/style/rich_text.h"
#include "views/style/severity_icon.h"

#include <QFontInfo>
#include <QLabel>
#include <QScrollBar>
#include <QSettings>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <ranges>

namespace warpline {

namespace {

constexpr int overviewPadding = 12;
constexpr qsizetype maxName = 60; ///< characters of a name: a generated kernel may have hundreds
constexpr qsizetype maxTitle = 160; ///< of a finding, which may end with such a name

QString overviewHeading(const QString& text)
{
    return "<p style='margin-top:14px; margin-bottom:4px'><b>" + text.toHtmlEscaped() + "</b></p>";
}

QString withoutBreaks(const QString& html)
{
    return QString(html).replace(' ', "&nbsp;");
}

} // namespace

OverviewPanel::OverviewPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent, RefreshTime::AfterRest),
      m_theme(&theme),
      m_checklist(session.judgement().checklist()),
      m_headline(new LinkedLabel(this)),
      m_bar(new OverviewBar(theme, this)),
      m_legend(new LinkedLabel(this)),
      m_text(new QTextBrowser(this)),
      m_textTurn([this] {
          drawText();
          emit updated();
      }),
      m_job(nullptr, Urgency::Background)
{
    m_headline->setObjectName("headline");
    for (QLabel* const label : {m_headline, m_legend}) {
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextBrowserInteraction);
        connect(label, &QLabel::linkActivated, this, [this](const QString& link) { follow(QUrl(link)); });
    }
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(m_text, &QTextBrowser::anchorClicked, this, &OverviewPanel::follow);
    auto* const framed = new QVBoxLayout;
    fillLayout(framed, {overviewPadding, 8, overviewPadding, 4}, 6, {m_headline, m_bar, m_legend});
    fillColumn(this, 0,
        {new StepNotice(m_session.judgement(), this),
            new RangeNotice(m_session,
                {.rows = false,
                    .otherwise = tr(
                        "Findings and checklist cover the selected rows. Everything else covers all GPUs and processes.")},
                this),
            framed, {m_text, 1}});
    connect(m_bar, &OverviewBar::partChosen, this,
        [this](int part) { follow(QUrl(QString("part:%1").arg(part))); });
    connect(&m_session.judgement(), &Judgement::stepGlobChanged, this, [this] {
        if (!m_session.trace().complete)
            return;
        clear();
        showReport();
    });
    connect(&m_session.judgement().findings(), &FindingsJudge::leadingChanged, this,
        &OverviewPanel::drawTextSoon);
    connect(&m_session.time(), &TimeView::judgedChanged, this, [this] {
        requestRefresh();
        drawTextSoon();
    });
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, &OverviewPanel::drawTextSoon);
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, &OverviewPanel::draw);
    connect(&m_checklist, &ChecklistJudge::changed, this, &OverviewPanel::drawTextSoon);
    m_job.onFailure([this] {
        m_answer = nullptr; // it is of another range
        draw();
    });
    m_session.judgement().findings().want();
    draw();
}

void OverviewPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_bar->setTheme(theme);
    draw();
}

void OverviewPanel::setInFront(bool inFront)
{
    Panel::setInFront(inFront);
    m_session.judgement().findings().setSeen(*this, inFront);
    if (m_textOutdated)
        drawTextSoon();
}

void OverviewPanel::saveState(QSettings& settings) const
{
    settings.setValue("open", m_open);
}

void OverviewPanel::restoreState(const QSettings& settings)
{
    m_open = settings.value("open").toStringList();
    draw();
}

void OverviewPanel::drawTextSoon()
{
    m_textOutdated = true;
    if (isInFront())
        m_textTurn.request(); // updates the text separately from other effects of the same result
}

void OverviewPanel::clear()
{
    m_job.cancel();
    m_answer = nullptr;
    draw();
}

void OverviewPanel::showReport()
{
    cancelRefresh();
    refresh();
}

void OverviewPanel::refresh()
{
    if (!m_session.trace().complete)
        return;
    const TimeRange window = m_session.time().selectedRange().empty()
        ? m_session.trace().session
        : m_session.ownTime(m_session.time().judged());
    m_job.start(
        [shared = m_session.judgement().analysisOf(m_session.sharedTrace(), window)](
            const std::stop_token& stop) {
            TraceAnalysis facts(*shared, stop);
            return std::make_shared<const RunOverview>(overviewOf(facts, true));
        },
        [this](std::shared_ptr<const RunOverview> answer) {
            m_answer = std::move(answer);
            draw();
        });
}

bool OverviewPanel::folds() const
{
    return m_answer && !m_answer->measuredParts.empty() && m_otherBar == isMostlyStartUp();
}

bool OverviewPanel::isMostlyStartUp() const
{
    constexpr double maxMeasured = 0.1;
    return m_answer && !m_answer->measuredParts.empty() && !m_answer->steps
        && shareOf(m_answer->measured.duration(), m_answer->window.duration()) < maxMeasured;
}

const std::vector<OverviewPart>& OverviewPanel::shownParts() const
{
    static const std::vector<OverviewPart> none;
    return !m_answer ? none : folds() ? m_answer->measuredParts : m_answer->parts;
}

void OverviewPanel::draw()
{
    const std::vector<OverviewPart>& parts = shownParts();
    m_bar->setParts(parts);
    m_bar->setVisible(!parts.empty());
    QString legend = overviewLegend(parts, *m_theme);
    if (m_answer && !m_answer->measuredParts.empty()) {
        const RunOverview& run = *m_answer;
        const QString left = roundedText(run.window.duration() - run.measured.duration());
        legend += paragraphHtml(
            (folds() ? tr("Of %1, without start-up and end (%2). <a href='bar:all'>Show all</a>")
                           .arg(roundedText(run.measured.duration()), left)
                     : tr("With start-up and end. <a href='bar:all'>Exclude start-up and end</a>")),
            "margin-top:4px; color:" + m_theme->dimText.name());
    }
    m_legend->setText(legend);
    m_legend->setVisible(m_bar->isVisibleTo(this));
    const double pixels = QFontInfo(font()).pixelSize();
    m_headline->setText(m_answer ? QString("<span style='font-size:%1px'><b>%2</b></span>")
                                       .arg(qRound(pixels * 20 / 12))
                                       .arg(headlineText())
            : !m_session.trace().complete ? QString()
            : m_job.failure().isEmpty()   ? tr("Analyzing\u2026")
                                          : m_job.failure().toHtmlEscaped());
    if (m_answer)
        m_textTurn.request();
    else
        drawText(); // the content is of another report
}

void OverviewPanel::drawText()
{
    m_textTurn.cancel();
    m_textOutdated = false;
    const int place = m_text->verticalScrollBar()->value();
    showExplained(*m_text, textHtml());
    m_text->verticalScrollBar()->setValue(place);
}

QString OverviewPanel::textHtml() const
{
    if (!m_answer)
        return {};
    const RunOverview& run = *m_answer;
    QString html;
    if (run.steps) {
        const QString pattern = elidedInMiddle(textOf(run.steps->pattern), maxName).toHtmlEscaped();
        html += paragraphHtml(run.steps->median > 0
                ? tr("%1 steps (%2), median %3 on the GPU")
                      .arg(countHtml(run.steps->count), pattern, roundedText(run.steps->median))
                : tr("%1 steps (%2)").arg(countHtml(run.steps->count), pattern));
    }
    if (m_session.isEmpty()) // the story is why
        return storyHtml() + sectionHtml("machine", tr("Machine and recording"), &OverviewPanel::machineHtml);
    html += findingsHtml() + checklistHtml();
    html += sectionHtml("ran", tr("What ran"), &OverviewPanel::storyHtml);
    if (!run.kernels.empty())
        html += sectionHtml("kernels", tr("Top kernels"), &OverviewPanel::kernelsHtml);
    if (!run.gpus.empty())
        html += sectionHtml("gpus", tr("GPUs"), &OverviewPanel::gpusHtml);
    return html + sectionHtml("machine", tr("Machine and recording"), &OverviewPanel::machineHtml);
}

QString OverviewPanel::sectionHtml(
    const QString& id, const QString& title, QString (OverviewPanel::*body)() const) const
{
    const bool isOpen = m_open.contains(id);
    return foldHtml("section:" + id, title.toHtmlEscaped(), isOpen, *m_theme, 12)
        + (isOpen ? (this->*body)() : QString());
}

QString OverviewPanel::storyHtml() const
{
    QString html;
    const std::vector<OverviewSentence>& sentences = m_answer->sentences;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        QString text = htmlOf(plain(sentences[i].text));
        if (!sentences[i].where.empty())
            // Link texts must make sense on their own.
            text += QString(" <a href='sentence:%1'>%2</a>")
                        .arg(i)
                        .arg(sentences[i].where == m_session.trace().session
                                ? tr("Show all")
                                : tr("Show %1 at %2")
                                      .arg(durationText(sentences[i].where.duration()),
                                          textOf(formatInstant(sentences[i].where.start))));
        html += paragraphHtml(text);
    }
    return html;
}

/// The verdict across the open ranks; nullptr: only one is open, or they are not ranks.
const LateVerdict* OverviewPanel::rankVerdict() const
{
    const AcrossReport* const across = m_session.judgement().ranks().across();
    const bool isThere = across && across->judged && across->ranks.size() > 1;
    return isThere && m_session.time().judged() == m_session.session() ? &across->verdict : nullptr;
}

/// A late rank comes before the GPU's activity.
QString OverviewPanel::headlineText() const
{
    const LateVerdict* const verdict = rankVerdict();
    if (verdict && verdict->pattern == LatePattern::Persistent)
        return richTextOf(verdict->headline);
    if (isMostlyStartUp() && !folds()) {
        const Ns window = m_answer->window.duration();
        return tr("Start-up and end %1")
            .arg(shareHtml(shareOf(window - m_answer->measured.duration(), window)));
    }
    return !m_answer->frames.empty() ? richTextOf(m_answer->frames)
                                     : overviewHeadline(shownParts(), m_answer->gpus.size() > 1);
}

/// The analysis across the open ranks.
QString OverviewPanel::verdictHtml() const
{
    const LateVerdict* const verdict = rankVerdict();
    if (!verdict)
        return {};
    const bool isHead = verdict->pattern == LatePattern::Persistent;
    return paragraphHtml(richTextOf(isHead ? verdict->details : verdict->sentence) + " <a href='panel:ranks'>"
        + tr("Ranks") + "</a>");
}

/// The late rank, when several ranks are open, then the findings with their potential saving.
QString OverviewPanel::findingsHtml() const
{
    const std::vector<LeadingFinding>& leading = m_session.judgement().findings().leading();
    const bool isOfAll = m_session.time().judged() == m_session.session();
    QString html = verdictHtml();
    QString small; // findings that are not among the first
    if (isOfAll && !m_answer->steps && !m_answer->life.empty() && !leading.empty()
        && leading.front().id.empty())
        html += paragraphHtml(htmlOf(plain(nothingLargeText(*m_answer))));
    for (const LeadingFinding& finding : leading) {
        if (finding.id.empty())
            continue;
        QString text = severityHtml(finding.severity, *m_theme)
            + QString("&nbsp; <a href='finding:%1'>%2</a>")
                  .arg(QString(QUrl::toPercentEncoding(textOf(finding.id))),
                      elidedInMiddle(textOf(finding.title), maxTitle).toHtmlEscaped());
        if (finding.saving > 0)
            text += "<br>" + shareBar(finding.share, m_theme->color(EventTint::Kernel)) + "&nbsp; "
                + (finding.isExpected ? tr("about %1 (%2)") : tr("up to %1 (%2)"))
                      .arg(roundedText(finding.saving), shareHtml(finding.share));
        html += paragraphHtml(text, "margin-bottom:8px");
    }
    std::vector<const Finding*> found;
    const RowScope scope = rowScopeOf(m_session);
    for (const Finding& finding : m_session.judgement().findings().found().findings) {
        if (scope.covers(finding.process, finding.device))
            found.push_back(&finding);
    }
    if (const QString failure = m_session.judgement().findings().failure(); !failure.isEmpty())
        html += paragraphHtml(failure.toHtmlEscaped());
    else if (m_session.judgement().findings().isBusy() && html.isEmpty())
        html = paragraphHtml(tr("Analyzing\u2026"));
    else if (html.isEmpty() && found.empty())
        html = paragraphHtml(tr("No findings."));
    constexpr std::size_t maxWithoutSaving = 3;
    for (std::size_t i = 0; html.isEmpty() && i < std::min(maxWithoutSaving, found.size()); ++i)
        small += paragraphHtml(severityHtml(found[i]->severity, *m_theme)
            + QString("&nbsp; <a href='finding:%1'>%2</a>")
                  .arg(textOf(found[i]->rule), richTextOf(found[i]->title)));
    const TimeRange judged = m_session.ownTime(m_session.time().judged());
    const auto at = [](Ns time) { return textOf(formatInstant(time, 1000)); };
    const QString title = isOfAll ? tr("Top findings")
                                  : tr("Top findings from %1 to %2").arg(at(judged.start), at(judged.end));
    return overviewHeading(title) + html + small
        + (found.empty() ? QString()
                         : paragraphHtml("<a href='panel:findings'>"
                             + tr("All findings (%1)").arg(found.size()) + "</a>"));
}

QString OverviewPanel::checklistHtml() const
{
    const std::vector<ChecklistAnswer>& answers = m_checklist.answers();
    if (answers.empty() || !nothingToJudge(answers).empty())
        return {};
    QString html = overviewHeading(tr("Checklist"));
    for (const ChecklistAnswer& answer : answers) {
        if (answer.answer == Answer::NotApplicable)
            continue;
        html += paragraphHtml(answerMark(answer.answer, *m_theme) + "&nbsp; " + richTextOf(answer.question)
            + (answer.figure.empty() ? QString()
                                     : " <b>" + withoutBreaks(richTextOf(answer.figure)) + "</b>"));
    }
    return html + paragraphHtml("<a href='panel:checklist'>" + tr("Reasons") + "</a>");
}

QString OverviewPanel::kernelsHtml() const
{
    QString html;
    const std::vector<OverviewKernel>& kernels = m_answer->kernels;
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        const OverviewKernel& kernel = kernels[i];
        html += QString("<p style='margin-top:0px; margin-bottom:2px'><a href='kernel:%1'>%2</a>: ")
                    .arg(i)
                    .arg(htmlOf(kernel.gpu.empty() ? kernel.name
                                                   : tr("%1 on %2")
                                                         .arg(QString::fromStdString(kernel.name),
                                                             QString::fromStdString(kernel.gpu))
                                                         .toStdString()));
        html += (kernel.launches == 1 ? tr("%1 of kernel time (%2, 1 launch): %3.")
                                            .arg(shareHtml(kernel.share), roundedText(kernel.time),
                                                htmlOf(plain(kernel.shape)))
                                      : tr("%1 of kernel time (%2, %3 launches). Longest launch: %4.")
                                            .arg(shareHtml(kernel.share), roundedText(kernel.time),
                                                countHtml(kernel.launches), htmlOf(plain(kernel.shape))))
            + "</p>";
        for (const KernelFact& fact : kernel.facts) {
            const bool isLast = &fact == &kernel.facts.back();
            if (!fact.warns && !fact.leads && !(isLast && i == 0))
                continue;
            html += "<p style='margin-top:0px; margin-bottom:2px; margin-left:14px'>"
                + factHtml(fact, *m_theme) + "</p>";
        }
    }
    return html;
}

QString OverviewPanel::gpusHtml() const
{
    const std::vector<OverviewGpu>& gpus = m_answer->gpus;
    QString html
        = paragraphHtml(tr("From the first to the last GPU work:")) + "<table cellpadding=2><tr><td></td>";
    const std::vector<OverviewGpuColumn> columns = columnsOf(gpus);
    for (const OverviewGpuColumn& column : columns)
        html += "<td align=right>&nbsp;" + withoutBreaks(htmlOf(plain(column.title))) + "</td>";
    html += "</tr>";
    constexpr std::size_t most = 200;
    for (const OverviewGpu& gpu : std::views::take(gpus, most)) {
        html += "<tr><td>" + richTextOf(gpu.name) + "</td>";
        for (const OverviewGpuColumn& column : columns)
            html += "<td align=right>&nbsp;" + withoutBreaks(durationHtml(gpu.*column.time)) + "</td>";
        html += "</tr>";
    }
    html += "</table>";
    return gpus.size() > most ? html + paragraphHtml(QObject::tr("and %1 more").arg(gpus.size() - most))
                              : html;
}

QString OverviewPanel::machineHtml() const
{
    return paragraphHtml(htmlOf(plain(m_answer->machine)))
        + paragraphHtml("<a href='panel:report'>" + tr("Report") + "</a>");
}

void OverviewPanel::showMarked(TimeRange where)
{
    const TimeRange shared = m_session.sharedTime(where);
    m_session.time().goTo(shared);
    m_session.selection().markRange(shared); // where nothing is drawn, only the mark shows the time
}

void OverviewPanel::follow(const QUrl& url)
{
    const QString link = url.toString();
    const QString what = link.section(':', 0, 0);
    const QString which = link.section(':', 1);
    if (what == "finding")
        emit m_session.judgement().findingRequested(QUrl::fromPercentEncoding(which.toUtf8()));
    if (what == "panel")
        emit m_session.panelRequested(which);
    if (!m_answer)
        return;
    if (what == "section") {
        if (m_open.removeAll(which) == 0)
            m_open << which;
        drawText();
    }
    if (what == "bar") {
        m_otherBar = !m_otherBar;
        draw();
    }
    const RunOverview& run = *m_answer;
    const auto index = static_cast<std::size_t>(which.toULongLong());
    if (what == "kernel" && index < run.kernels.size())
        m_session.selection().goTo(m_session.idOf(run.kernels[index].longest));
    else if (what == "part" && index < shownParts().size())
        showMarked(shownParts()[index].where);
    else if (what == "sentence" && index < run.sentences.size() && !run.sentences[index].where.empty()) {
        if (run.sentences[index].where == m_session.trace().session)
            m_session.time().showAll();
        else
            showMarked(run.sentences[index].where);
    }
}

extern const PanelKind overviewPanel;
const PanelKind overviewPanel{
    .id = "overview",
    .title = QT_TRANSLATE_NOOP("Action", "Summary"),
    .help = QT_TRANSLATE_NOOP("Action", "What limits the run: headline, top findings, checklist, what ran"),
    .place = PanelPlace::Beside,
    .keys = "Alt+1",
    .make = makePanel<OverviewPanel>,
};

} // namespace warpline
