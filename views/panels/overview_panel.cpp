#include "views/panels/overview_panel.h"

#include "core/base/format.h"
#include "core/base/format_instant.h"
#include "core/base/share.h"
#include "views/panels/overview_bar.h"
#include "views/panels/step_choice.h"
#include "views/session/findings_judge.h"
#include "views/session/rank_judge.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"

#include <QLabel>
#include <QSplitter>
#include <QTextBrowser>
#include <QUrl>
#include <QVBoxLayout>

namespace warpline {

namespace {

constexpr double worthALegend = 0.03; ///< of the run: what the host does in a part

QString overviewHeading(const QString& text)
{
    return "<p style='margin-top:8px; margin-bottom:2px'><b>" + text.toHtmlEscaped() + "</b></p>";
}

QString withoutBreaks(const QString& html)
{
    return QString(html).replace(' ', "&nbsp;");
}

} // namespace

OverviewPanel::OverviewPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_bar(new OverviewBar(theme, this)),
      m_legend(new QLabel(this)),
      m_story(new QTextBrowser(this)),
      m_more(new QTextBrowser(this)),
      m_moreTurn([this] {
          drawMore();
          emit updated();
      }),
      m_job(nullptr, Urgency::Background)
{
    m_legend->setTextFormat(Qt::RichText);
    m_legend->setWordWrap(true);
    m_legend->setContentsMargins(6, 0, 6, 0);
    connect(m_legend, &QLabel::linkActivated, this, [this](const QString& link) { follow(QUrl(link)); });
    auto* const split = new QSplitter(this);
    for (QTextBrowser* const text : {m_story, m_more}) {
        text->setOpenLinks(false);
        text->setFrameShape(QFrame::NoFrame);
        connect(text, &QTextBrowser::anchorClicked, this, &OverviewPanel::follow);
        split->addWidget(text);
    }
    split->setSizes({500, 500});
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    auto* const framed = new QVBoxLayout;
    framed->setContentsMargins(6, 4, 6, 0);
    framed->addWidget(m_bar);
    layout->addWidget(new StepNotice(m_session, this));
    layout->addLayout(framed);
    layout->addWidget(m_legend);
    layout->addWidget(split, 1);
    connect(m_bar, &OverviewBar::partChosen, this,
        [this](int part) { follow(QUrl(QString("part:%1").arg(part))); });
    connect(&m_session, &Session::stepGlobChanged, this, [this] {
        if (m_session.trace().complete)
            showReport();
    });
    connect(&m_session.findings(), &FindingsJudge::leadingChanged, this, &OverviewPanel::drawMoreSoon);
    connect(&m_session, &Session::judgedChanged, this, &OverviewPanel::drawMoreSoon);
    connect(&m_session.ranks(), &RankJudge::changed, this, &OverviewPanel::drawMoreSoon);
    draw();
}

void OverviewPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_bar->setTheme(theme);
    draw();
}

void OverviewPanel::setSeen(bool seen)
{
    Panel::setSeen(seen);
    m_session.findings().setSeen(*this, seen);
    m_seen = seen;
    if (m_moreOutdated)
        drawMoreSoon();
}

void OverviewPanel::drawMoreSoon()
{
    m_moreOutdated = true;
    if (m_seen)
        m_moreTurn.request(); // a page of text, beside what else the same answer changes
}

void OverviewPanel::clear()
{
    m_job.cancel();
    m_overview = nullptr;
    draw();
}

void OverviewPanel::showReport()
{
    m_overview = nullptr;
    draw();
    m_job.start(
        [trace = m_session.sharedTrace(), glob = m_session.stepGlob()](const std::stop_token& stop) {
            return std::make_shared<const RunOverview>(overviewOf(*trace, trace->session, stop, glob));
        },
        [this](std::shared_ptr<const RunOverview> overview) {
            m_overview = std::move(overview);
            draw();
        });
}

void OverviewPanel::draw()
{
    m_bar->setParts(m_overview ? m_overview->parts : std::vector<OverviewPart>());
    m_bar->setVisible(m_overview && !m_overview->parts.empty());
    m_legend->setText(legendHtml());
    m_legend->setVisible(m_bar->isVisibleTo(this));
    showExplained(*m_story, storyHtml());
    if (m_overview)
        m_moreTurn.request();
    else
        drawMore(); // what stands there is of another report
}

void OverviewPanel::drawMore()
{
    m_moreTurn.cancel();
    m_moreOutdated = false;
    showExplained(*m_more, moreHtml());
}

/// The parts with time and share; each leads to its place.
QString OverviewPanel::legendHtml() const
{
    if (!m_overview)
        return {};
    QStringList lines;
    for (std::size_t i = 0; i < m_overview->parts.size(); ++i) {
        const OverviewPart& part = m_overview->parts[i];
        QString line = QString("<span style='color:%1'>\u25a0</span>&nbsp;<a href='part:%2'>%3</a>&nbsp;%4")
                           .arg(colorOf(part.kind, *m_theme).name())
                           .arg(i)
                           .arg(withoutBreaks(htmlOf(titleOf(part))), withoutBreaks(durationHtml(part.time)));
        QStringList phases;
        for (std::size_t phase = 0; phase < part.phases.size(); ++phase) {
            const OverviewPhase& each = part.phases[phase];
            if (shareOf(each.time, m_overview->window.duration()) < worthALegend)
                continue;
            const QString name = htmlOf(each.name);
            phases << (each.where.empty()
                              ? name
                              : QString("<a href='phase:%1:%2'>%3</a>").arg(i).arg(phase).arg(name))
                    + "&nbsp;" + withoutBreaks(durationHtml(each.time));
        }
        if (!phases.isEmpty())
            line += QString(" <span style='color:%1'>(%2)</span>")
                        .arg(m_theme->dimText.name(),
                            (part.meanOf.empty() ? QString() : tr("mean of %1: ").arg(htmlOf(part.meanOf)))
                                + phases.join(", "));
        lines << line;
    }
    return lines.join(" &nbsp; ");
}

QString OverviewPanel::storyHtml() const
{
    if (!m_overview)
        return m_session.trace().complete ? "<p>" + tr("Looking through the report \u2026") + "</p>"
                                          : QString();
    QString html;
    for (std::size_t i = 0; i < m_overview->sentences.size(); ++i) {
        const OverviewSentence& sentence = m_overview->sentences[i];
        html += i == 0 ? "<p style='margin-bottom:4px'><b>" + htmlOf(sentence.text) + "</b>"
                       : "<p style='margin-top:2px; margin-bottom:4px'>" + htmlOf(sentence.text);
        if (!sentence.where.empty())
            html += QString(" <a href='sentence:%1'>%2</a>").arg(i).arg(i == 0 ? tr("Show all") : tr("Show"));
        html += "</p>";
    }
    return html;
}

/// What the ranks that are open say of one another; empty: there is but one, or they are no ranks.
QString OverviewPanel::verdictHtml() const
{
    const AcrossReport* const across = m_session.ranks().across();
    if (!across || !across->judged || across->ranks.size() < 2 || across->verdict.sentence.empty())
        return {};
    return "<p style='margin-top:0px; margin-bottom:2px'>" + htmlOf(across->verdict.sentence)
        + " <a href='panel:ranks'>" + tr("Ranks") + "</a></p>";
}

/// What comes first: who is late, where several ranks are open, then the list of findings.
QString OverviewPanel::findingsHtml() const
{
    const std::vector<LeadingFinding>& leading = m_session.findings().leading();
    QString html = verdictHtml();
    // The findings may be of the selected range, the rest of the panel never is.
    const bool isOfAll = m_session.judged() == m_session.session();
    if (isOfAll && m_overview && !m_overview->steps && !m_overview->life.empty() && !leading.empty()
        && leading.front().id.empty())
        html += "<p style='margin-top:0px; margin-bottom:2px'>" + htmlOf(nothingLargeText(*m_overview))
            + "</p>";
    for (const LeadingFinding& finding : leading) {
        if (finding.id.empty())
            continue;
        html += QString("<p style='margin-top:0px; margin-bottom:2px'><a href='finding:%1'>%2</a>")
                    .arg(QString(QUrl::toPercentEncoding(textOf(finding.id))), htmlOf(finding.title));
        if (!finding.saving.empty())
            html += "&nbsp; " + tr("could save at most %1").arg(htmlOf(finding.saving));
        html += "</p>";
    }
    const TimeRange judged = m_session.ownTime(m_session.judged());
    if (m_session.judged() != m_session.session()) { // the rest of the panel is about the whole report
        const auto at = [](Ns time) { return htmlOf(formatInstant(time, 1000)); };
        return overviewHeading(tr("Look at this first in the selected range"))
            + QString("<p style='margin-top:0px; margin-bottom:2px; color:%1'>").arg(m_theme->dimText.name())
            + tr("Findings judge %1 to %2 alone, all else here is about the whole report. "
                 "<a href='judge:all'>Judge the whole report</a>")
                  .arg(at(judged.start), at(judged.end))
            + "</p>" + html;
    }
    return html.isEmpty() ? html : overviewHeading(tr("Look at this first")) + html;
}

QString OverviewPanel::kernelsHtml() const
{
    if (!m_overview || m_overview->kernels.empty())
        return {};
    QString html = overviewHeading(tr("Kernels that take most"));
    for (std::size_t i = 0; i < m_overview->kernels.size(); ++i) {
        const OverviewKernel& kernel = m_overview->kernels[i];
        html += QString("<p style='margin-top:0px; margin-bottom:2px'><a href='kernel:%1'>%2</a> ")
                    .arg(i)
                    .arg(htmlOf(kernel.name));
        html += (kernel.launches == 1
                        ? tr("takes %1 of the kernels' time: %2 in 1 launch; it has %3.")
                              .arg(shareHtml(kernel.share), durationHtml(kernel.time), htmlOf(kernel.shape))
                        : tr("takes %1 of the kernels' time: %2 in %3 launches; the longest has %4.")
                              .arg(shareHtml(kernel.share), durationHtml(kernel.time),
                                  countHtml(kernel.launches), htmlOf(kernel.shape)))
            + "</p>";
        for (const KernelFact& fact : kernel.facts) {
            const bool isLast = &fact == &kernel.facts.back();
            if (!fact.warns && !fact.leads && !(isLast && i == 0))
                continue;
            html += QString("<p style='margin-top:0px; margin-bottom:2px; margin-left:14px'><span "
                            "style='color:%1'><b>%2</b></span>: %3</p>")
                        .arg((fact.warns ? m_theme->bad : m_theme->dimText).name(), htmlOf(fact.label),
                            htmlOf(fact.text));
        }
    }
    return html;
}

QString OverviewPanel::gpusHtml() const
{
    if (!m_overview || m_overview->gpus.empty())
        return {};
    QString html = overviewHeading(tr("GPUs, from the first to the last GPU work"))
        + "<table cellpadding=2><tr><td></td>";
    const std::vector<OverviewGpuColumn> columns = columnsOf(m_overview->gpus);
    for (const OverviewGpuColumn& column : columns)
        html += "<td align=right>&nbsp;" + withoutBreaks(htmlOf(column.title)) + "</td>";
    html += "</tr>";
    for (const OverviewGpu& gpu : m_overview->gpus) {
        html += "<tr><td>" + htmlOf(gpu.name) + "</td>";
        for (const OverviewGpuColumn& column : columns)
            html += "<td align=right>&nbsp;" + withoutBreaks(durationHtml(gpu.*column.time)) + "</td>";
        html += "</tr>";
    }
    return html + "</table>";
}

QString OverviewPanel::moreHtml() const
{
    if (!m_overview)
        return {};
    // One line, before the kernels: these are long, and would push it out of sight.
    return findingsHtml()
        + QString("<p style='margin-top:6px; margin-bottom:2px; color:%1'>%2</p>")
              .arg(m_theme->dimText.name(), htmlOf(m_overview->machine))
        + gpusHtml() + kernelsHtml();
}

void OverviewPanel::showMarked(TimeRange where)
{
    const TimeRange shared = m_session.sharedTime(where);
    m_session.goTo(shared);
    m_session.markRange(shared); // where nothing is drawn, only the mark says which time is meant
}

void OverviewPanel::showPhase(std::size_t part, std::size_t phase)
{
    if (part < m_overview->parts.size() && phase < m_overview->parts[part].phases.size()
        && !m_overview->parts[part].phases[phase].where.empty())
        showMarked(m_overview->parts[part].phases[phase].where);
}

void OverviewPanel::follow(const QUrl& url)
{
    const QString link = url.toString();
    const QString what = link.section(':', 0, 0);
    const QString which = link.section(':', 1);
    if (what == "finding")
        emit m_session.findingRequested(QUrl::fromPercentEncoding(which.toUtf8()));
    if (what == "panel")
        emit m_session.panelRequested(which);
    if (what == "judge")
        m_session.setJudgesSelection(false);
    if (!m_overview)
        return;
    const auto index = static_cast<std::size_t>(which.toULongLong());
    if (what == "kernel" && index < m_overview->kernels.size())
        m_session.goTo(m_session.idOf(m_overview->kernels[index].longest));
    else if (what == "part" && index < m_overview->parts.size())
        showMarked(m_overview->parts[index].where);
    else if (what == "phase")
        showPhase(which.section(':', 0, 0).toULongLong(), which.section(':', 1).toULongLong());
    else if (what == "sentence" && index < m_overview->sentences.size()
        && !m_overview->sentences[index].where.empty()) {
        if (m_overview->sentences[index].where == m_overview->window)
            m_session.showAll();
        else
            showMarked(m_overview->sentences[index].where);
    }
}

extern const PanelKind overviewPanel;
const PanelKind overviewPanel{
    .id = "overview",
    .title = QT_TRANSLATE_NOOP("Action", "Overview"),
    .help
    = QT_TRANSLATE_NOOP("Action", "What the program did over time, in sentences, with what to look at first"),
    .place = PanelPlace::Below,
    .make = [](Session& session, const Theme& theme, QWidget* parent) -> Panel* {
        return new OverviewPanel(session, theme, parent);
    },
};

} // namespace warpline
