#include "views/panels/rank_map_panel.h"

#include "core/steps/steps.h"
#include "core/store/event_loops.h"
#include "core/store/trace.h"
#include "views/panels/empty_state.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/rank_lines.h"
#include "views/session/fleet_summary.h"
#include "views/style/rich_text.h"
#include "views/style/wrapped_label.h"

#include <QComboBox>
#include <QLabel>
#include <QScrollArea>
#include <QSettings>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

constexpr int rankMapPadding = 12;

/// Why `rank` was late in `step`, where that is a range on the host: the longest of that name which lies
/// there.
EventRef causeIn(const Trace& trace, const AcrossReport& across, std::size_t rank, std::size_t step)
{
    const LateVerdict& verdict = across.verdict;
    const auto ofStep = std::ranges::find_if(
        verdict.exceptions, [&](const LateStep& late) { return late.step == step && late.rank == rank; });
    const LateCause cause = ofStep != verdict.exceptions.end() ? ofStep->cause
        : verdict.rank == rank                                 ? verdict.cause
                                                               : LateCause();
    if (!cause.found() || cause.kind != PartKind::Range)
        return {};
    const TimeRange host = across.cell(rank, step).host;
    const NvtxTable& nvtx = trace.nvtx();
    EventRef longest;
    for (const Track& track : nvtx.tracks) {
        if (processOf(track.owner) != across.ranks[rank].process)
            continue;
        for (const EventIndex i : eventsIn(nvtx, track, host)) {
            const bool longer = !longest.valid() || nvtx.duration[i] > nvtx.duration[longest.index];
            if (longer && nvtx.start[i] >= host.start
                && withoutNumbers(trace.text(nvtx.name[i])) == cause.part)
                longest = {EventKind::Nvtx, i};
        }
    }
    return longest;
}

} // namespace

std::shared_ptr<const AcrossReport> shownAcross(Session& session)
{
    const FleetSummary& fleet = session.fleet();
    return fleet.across() ? fleet.sharedAcross() : session.judgement().ranks().sharedAcross();
}

bool isOfFleet(Session& session, const std::shared_ptr<const AcrossReport>& across)
{
    return across && across == session.fleet().sharedAcross();
}

void goToStepOfRank(
    Session& session, const std::shared_ptr<const AcrossReport>& shown, std::size_t rank, std::size_t step)
{
    const AcrossReport& across = *shown;
    const StepCell& cell = across.cell(rank, step);
    if (!cell.known)
        return;
    // The cause of a late rank lies in the step on the host, before the step on the GPU.
    const TimeRange whole = cell.host.empty() ? cell.time : cell.time.unitedWith(cell.host);
    if (isOfFleet(session, shown)) {
        session.fleet().wantReport(across.ranks[rank].report, whole);
        return;
    }
    const OpenReport& report = session.workspace().report(across.ranks[rank].report);
    const RowId heading = session.workspace().rowOf(report.id, RowTree::root);
    if (heading != RowTree::root) {
        session.rowView().reveal(heading);
        session.selection().selectRows({heading});
    }
    const EventRef cause = causeIn(*report.trace, across, rank, step);
    session.selection().setCurrentEvent(cause.valid() ? EventId{report.id, cause} : EventId());
    session.time().goTo(report.clock.toWorkspace(whole));
    if (cause.valid())
        session.rowView().reveal(session.workspace().rowOf({report.id, cause}));
}

RankMapPanel::RankMapPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_page(new QWidget(this)),
      m_empty(new EmptyState(tr("Open the reports of several ranks to see which rank is late, and why."),
          {{"file.add", tr("Add reports\u2026")}}, this)),
      m_headline(new QLabel(this)),
      m_verdict(new QLabel(this)),
      m_notes(new QLabel(this)),
      m_body(new QWidget(this)),
      m_measures(new QComboBox(m_body)),
      m_map(new RankHeatMap(theme, m_body))
{
    QFont large = font();
    large.setBold(true);
    large.setPixelSize(qRound(QFontInfo(large).pixelSize() * 20 / 12.0));
    m_headline->setFont(large);
    for (QLabel* const label : {m_headline, m_verdict, m_notes}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        wrapInWidth(*label);
    }
    m_measures->addItems({tr("Blame"), tr("Exposed wait"), tr("GPU busy"), tr("Step time")});
    m_measures->setToolTip(tr(
        "Choose what colors show: how long others wait for the rank, its own wait, the busy share of its GPU, or the step time"));
    auto* const column = new QVBoxLayout(m_body);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_measures, 0, Qt::AlignLeft);
    column->addWidget(m_map, 1);
    m_empty->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    // The free room is for when the map is not shown.
    fillLayout(new QVBoxLayout(m_page), {rankMapPadding, rankMapPadding, rankMapPadding, rankMapPadding},
        styleSpacing,
        {new RangeNotice(session, ofAllRanks(), this), m_headline, m_verdict, {m_body, 1}, m_notes, m_empty,
            freeRoom});
    auto* const area = new QScrollArea(this);
    scrollUpAndDown(*area, m_page);
    fillColumn(this, 0, {area});
    connect(m_measures, &QComboBox::currentIndexChanged, this,
        [this](int index) { m_map->setMeasure(static_cast<HeatMeasure>(index)); });
    connect(m_map, &RankHeatMap::chosen, this, &RankMapPanel::goToStep);
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, &RankMapPanel::fill);
    connect(&m_session.fleet(), &FleetSummary::changed, this, &RankMapPanel::fill);
    fill();
}

QSize RankMapPanel::sizeHint() const
{
    constexpr int wantedMap = 220;
    return {m_map->sizeHint().width() + 2 * rankMapPadding,
        m_page->sizeHint().height() + wantedMap - m_map->sizeHint().height()};
}

void RankMapPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    m_map->setTheme(theme);
    showVerdict();
}

void RankMapPanel::saveState(QSettings& settings) const
{
    settings.setValue("measure", m_measures->currentIndex());
}

void RankMapPanel::restoreState(const QSettings& settings)
{
    // The map was a part of the panel Ranks once.
    m_measures->setCurrentIndex(
        std::clamp(settings.value("measure", QSettings().value("panels/ranks/measure")).toInt(), 0,
            m_measures->count() - 1));
}

void RankMapPanel::showEvent(QShowEvent* event)
{
    Panel::showEvent(event);
    m_session.judgement().ranks().want();
}

void RankMapPanel::showReport()
{
    // Another rank is selected; the analysis across ranks stays.
    if (!m_across || m_across != shownAcross(m_session))
        fill();
}

void RankMapPanel::clear()
{
    if (!m_session.trace().complete) // else showReport() decides
        fill();
}

void RankMapPanel::goToStep(std::size_t rank, std::size_t step)
{
    goToStepOfRank(m_session, m_across, rank, step);
}

void RankMapPanel::fill()
{
    m_across = shownAcross(m_session);
    m_body->setVisible(m_across && m_across->judged); // else there is nothing to compare
    m_map->setAcross(m_across.get());
    showVerdict();
    emit updated();
}

void RankMapPanel::showVerdict()
{
    const AcrossReport* const across = m_across.get();
    QPalette colors = palette();
    if (across && across->verdict.pattern == LatePattern::Persistent)
        colors.setColor(QPalette::WindowText, m_theme->bad);
    m_headline->setPalette(colors);
    m_headline->setText(across ? plainTextOf(across->verdict.headline) : QString());
    m_headline->setVisible(!m_headline->text().isEmpty());
    const RankJudge& judge = m_session.judgement().ranks();
    const bool isAlone = !across && !m_session.isEmpty() && !judge.isBusy() && judge.failure().isEmpty();
    m_empty->setVisible(isAlone || (across && !across->judged));
    m_empty->text().setVisible(isAlone); // otherwise the verdict names what is missing
    if (!across) {
        m_verdict->setText(isAlone ? m_empty->text().text()
                : judge.isBusy()   ? tr("Comparing the ranks\u2026")
                                   : judge.failure());
        m_verdict->setVisible(!isAlone);
        m_notes->hide();
        return;
    }
    m_verdict->show();
    m_verdict->setText(
        plainTextOf(across->verdict.headline.empty() ? across->verdict.sentence : across->verdict.details));
    QStringList notes;
    constexpr std::size_t maxExceptions = 3;
    const auto& exceptions = across->verdict.exceptions;
    for (std::size_t i = 0; i < std::min(maxExceptions, exceptions.size()); ++i)
        notes << plainTextOf(exceptionSentence(*across, exceptions[i]));
    for (const Message& note : across->notes)
        notes << plainTextOf(note);
    if (across->judged)
        notes << plainTextOf(sumsSentences(*across));
    m_notes->setText(notes.join(' '));
    m_notes->setVisible(!notes.isEmpty());
}

extern const PanelKind rankMapPanel;
const PanelKind rankMapPanel{
    .id = "rankmap",
    .title = QT_TRANSLATE_NOOP("Action", "Rank map"),
    .help = QT_TRANSLATE_NOOP("Action", "Which rank is late, step by step, and why"),
    .place = PanelPlace::Beside,
    .about = PanelReports::All,
    .keys = "Alt+6",
    .isNeeded
    = [](Session& session) { return session.workspace().reports().size() > 1 || session.fleet().across(); },
    .make = makePanel<RankMapPanel>,
};

} // namespace warpline
