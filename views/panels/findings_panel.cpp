#include "views/panels/findings_panel.h"

#include "core/across/exact_waits.h"
#include "core/across/late_findings.h"
#include "core/base/format.h"
#include "core/base/glob.h"
#include "core/base/share.h"
#include "core/base/utf8.h"
#include "core/findings/finding_order.h"
#include "core/findings/finding_words.h"
#include "views/actions/action_keys.h"
#include "views/loading/dispose.h"
#include "views/panels/finding_text.h"
#include "views/panels/judged_range.h"
#include "views/panels/rule_settings.h"
#include "views/panels/step_choice.h"
#include "views/session/chosen_cure.h"
#include "views/session/rank_judge.h"
#include "views/session/report_scope.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace warpline {

FindingsPanel::FindingsPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent, RefreshTime::AfterRest),
      m_theme(&theme),
      m_list(new QTreeWidget(this)),
      m_text(new QTextBrowser(this)),
      m_ofRange(new RangeSwitch(session, this)),
      m_process(new QComboBox(this)),
      m_device(new QComboBox(this)),
      m_nvtx(new FilterEdit(session, this)),
      m_count(new QLabel(this)),
      m_place(new QLabel(this))
{
    setProperty("isAboutSeveral", true); // reports: see ReportChooser
    auto* const split = new QSplitter(this);
    split->addWidget(makeListSide());
    split->addWidget(makeTextSide());
    // The text is what one came for: it has more than half, and the list what its titles need.
    split->setSizes({420, 580});
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(split);

    connect(&m_session, &Session::judgedChanged, this, [this] { requestRefresh(); });
    connect(&m_session, &Session::stepGlobChanged, this, [this] { requestRefreshAtOnce(); });
    connect(&m_session, &Session::leadingFindingsSeen, this, [this](bool seen) { setNeeded(seen); });
    connect(&ReportScope::of(m_session), &ReportScope::changed, this, &FindingsPanel::startAnew);
    connect(&m_session, &Session::traceChanged, this, [this] {
        if (isOfSeveral() && m_session.trace().complete)
            showReport(); // others came or went
    });
    connect(&m_session.ranks(), &RankJudge::changed, this, [this] {
        if (m_session.ranks().across() && m_session.ranks().across()->judged)
            evaluate(); // also while nobody looks here: the overview begins with what comes first
    });
    connect(&m_session, &Session::findingRequested, this, [this](const QString& rule) {
        emit m_session.panelRequested("findings");
        if (isRefreshWanted() || m_job.isBusy())
            m_ruleWanted = rule; // what stands there now is of another range
        else
            chooseRule(rule);
    });
    connect(m_process, &QComboBox::activated, this, &FindingsPanel::showList);
    connect(m_device, &QComboBox::activated, this, &FindingsPanel::showList);
    connect(m_nvtx, &FilterEdit::filterTyped, this, &FindingsPanel::askForNvtx);
    connect(m_list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(m_list, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(m_list, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        if (item && findingOf(item) != m_chosen)
            describe(item);
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QString link = url.toString();
        if (link.startsWith("evidence:"))
            showEvidence(link.mid(9).toULongLong());
        if (link.startsWith("whatif:") && m_chosen) {
            ChosenCure::of(m_session).choose(warpline::textOf(m_chosen->title), m_chosen->cure);
            emit m_session.panelRequested("whatif");
        }
    });
}

QWidget* FindingsPanel::makeListSide()
{
    m_list->setHeaderLabels({tr("Finding"), tr("Could save at most")});
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    m_nvtx->setPlaceholderText(tr("In NVTX range, or a filter"));
    m_nvtx->setPurpose(tr(
        "Only findings with evidence inside NVTX ranges of this name, such as step_*, or that passes a filter"));
    m_nvtx->setClearButtonEnabled(true);
    constexpr int leastOfFilter = 110; // else what lies beside it, in reports of several processes, takes all
    m_nvtx->setMinimumWidth(leastOfFilter);
    m_nvtx->setMaximumWidth(240);
    for (QComboBox* const combo : {m_process, m_device}) {
        constexpr int mostOfChoice = 140;
        combo->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        combo->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed); // never cut off at its end
        combo->setMaximumWidth(mostOfChoice);
    }
    auto* const save = new QToolButton(this);
    save->setText(tr("Export"));
    save->setPopupMode(QToolButton::InstantPopup);
    save->setAutoRaise(true);
    auto* const menu = new QMenu(save);
    menu->addAction(tr("Copy as Markdown"), this, &FindingsPanel::copyAsMarkdown);
    menu->addAction(tr("Write to a file\u2026"), this, &FindingsPanel::askForFile);
    save->setMenu(menu);

    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(4, 3, 4, 0);
    bar->addWidget(m_ofRange);
    bar->addWidget(m_process);
    bar->addWidget(m_device);
    bar->addWidget(m_nvtx, 1);
    bar->addWidget(m_count);
    bar->addStretch();
    bar->addWidget(save);
    auto* const side = new QWidget(this);
    auto* const layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addLayout(bar);
    layout->addWidget(new RangeNotice(m_session, this));
    layout->addWidget(new StepNotice(m_session, this));
    layout->addWidget(m_list, 1);
    return side;
}

QWidget* FindingsPanel::makeTextSide()
{
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    auto* const previous = new QToolButton(this);
    previous->setText(tr("Previous evidence"));
    auto* const next = new QToolButton(this);
    next->setText(tr("Next evidence"));
    m_steps = {next, previous};
    showKeys();
    connect(previous, &QToolButton::clicked, this, [this] { stepEvidence(false); });
    connect(next, &QToolButton::clicked, this, [this] { stepEvidence(true); });
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(4, 3, 4, 0);
    bar->addWidget(m_place, 1);
    bar->addWidget(previous);
    bar->addWidget(next);
    auto* const side = new QWidget(this);
    auto* const layout = new QVBoxLayout(side);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addLayout(bar);
    layout->addWidget(m_text, 1);
    return side;
}

void FindingsPanel::showReport()
{
    const std::vector<Part> asked = partsAsked();
    const bool isSame = std::ranges::equal(asked, m_parts,
        [](const Part& a, const Part& b) { return a.report == b.report && a.trace == b.trace; });
    if (asked.size() < 2 || !isSame)
        startAnew();
    else // several stay the same, whichever is selected
        m_session.setFoundRules(found(), leading());
}

std::vector<FindingsPanel::Part> FindingsPanel::partsAsked() const
{
    std::vector<Part> parts;
    for (const ReportId id : ReportScope::of(m_session).reports())
        parts.push_back(partOf(id));
    return parts;
}

FindingsPanel::Part FindingsPanel::partOf(ReportId id) const
{
    const OpenReport& report = m_session.workspace().report(id);
    TimeRange window = report.clock.toReport(m_session.judged());
    if (m_session.workspace().reports().size() > 1)
        window = window.clippedTo(report.trace->session);
    window.end = std::max(window.start, window.end);
    return {id, report.label, report.trace, window, 0, m_session.stepGlob()};
}

std::optional<FindingsPanel::Part> FindingsPanel::latePart() const
{
    const AcrossReport* const across = m_session.ranks().across();
    if (!across || !hasLateRank(*across))
        return std::nullopt;
    return partOf(across->ranks[across->verdict.rank].report);
}

bool FindingsPanel::isOpen(const Part& part) const
{
    const auto reports = m_session.workspace().reports();
    return raw(part.report) < reports.size() && reports[raw(part.report)].trace == part.trace;
}

const FindingsPanel::Part& FindingsPanel::shownPart() const
{
    static const Part none{{}, {}, std::make_shared<const Trace>(), {}, 0, {}};
    const auto own = std::ranges::find(m_parts, m_session.report().id, &Part::report);
    return own != m_parts.end() ? *own : m_parts.empty() ? none : m_parts.front();
}

void FindingsPanel::clear()
{
    startAnew();
}

void FindingsPanel::startAnew()
{
    m_chosen = nullptr; // the events that they name are those of the trace before
    m_ruleWanted.clear();
    m_findings.clear();
    m_partOf.clear();
    m_partsOfMerged.clear();
    m_parts = partsAsked();
    m_notRecorded.clear();
    fillFilters();
    showList(); // no line is left that names what is gone
    askForNvtx();
    evaluate();
}

void FindingsPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    showList();
}

void FindingsPanel::evaluate()
{
    cancelRefresh();
    if (!m_session.trace().complete) {
        m_job.cancel();
        take({});
        return;
    }
    m_count->setText(tr("Evaluating \u2026"));
    m_job.start([parts = partsAsked(), late = latePart(), across = m_session.ranks().sharedAcross(),
                    settings = std::make_shared<RuleSettings>(RuleSettings::stored())](
                    const std::stop_token& stop) { return findIn(parts, across, *settings, stop, late); },
        [this](FoundInReports answer) {
            take(std::move(answer));
            if (!m_ruleWanted.isEmpty())
                chooseRule(std::exchange(m_ruleWanted, {}));
            emit updated();
        });
}

void FindingsPanel::take(FoundInReports answer)
{
    m_chosen = nullptr;
    m_findings.swap(answer.findings);
    m_partOf = std::move(answer.partOf);
    m_partsOfMerged = std::move(answer.partsOfMerged);
    if (!answer.parts.empty())
        m_parts = std::move(answer.parts);
    m_notRecorded = std::move(answer.notRecorded);
    m_session.setFoundRules(found(), leading());
    showList();
    disposeElsewhere(std::move(answer.findings)); // the ones from before
}

std::vector<Finding> FindingsPanel::ofSession() const
{
    if (!isOfSeveral())
        return m_findings;
    std::vector<Finding> own;
    for (std::size_t i = 0; i < m_findings.size(); ++i) {
        if (&m_parts[m_partOf[i]] == &shownPart())
            own.push_back(m_findings[i]);
        std::ranges::move(
            foldedFor(i, static_cast<std::size_t>(&shownPart() - m_parts.data())), std::back_inserter(own));
    }
    std::ranges::stable_sort(own, ranksHigher);
    return own;
}

std::set<std::string> FindingsPanel::found() const
{
    std::set<std::string> rules;
    for (const Finding& finding : ofSession()) {
        rules.emplace(finding.rule);
        for (const Finding& merged : finding.merged)
            rules.emplace(merged.rule);
    }
    return rules;
}

std::vector<LeadingFinding> FindingsPanel::leading() const
{
    constexpr std::size_t shown = 3;
    std::vector<LeadingFinding> lines;
    const std::vector<Finding> own = ofSession();
    if (!own.empty() && isNothingLarge(own, shownPart().window))
        lines.emplace_back();
    for (const Finding* const finding : leadingFindings(own, shown)) {
        // What ranks together tell is of no report's own measured time.
        const Ns measured = finding->measured > 0 ? finding->measured : shownPart().measured;
        std::string saving;
        if (finding->saving > 0)
            saving = fmt::format("{}, {} of the {} measured{}{}", formatDuration(finding->saving),
                formatShare(shareOf(finding->saving, measured)), formatDuration(measured),
                finding->ofLoneRank ? ", " : "", finding->ofLoneRank ? loneRankNote : "");
        lines.push_back({std::string(finding->rule), toUtf8(finding->title), std::move(saving)});
    }
    return lines;
}

namespace {

constexpr Action findingsPanelActions[]{
    {
        .id = "findings.next",
        .text = QT_TRANSLATE_NOOP("Action", "&Next evidence"),
        .help = QT_TRANSLATE_NOOP("Action", "Show the next evidence of the finding"),
        .keys = "F8; N",
        .menu = MainMenu::Go,
        .section = true,
        .run = [](const ActionContext& at) { at.part<FindingsPanel>()->stepEvidence(true); },
    },
    {
        .id = "findings.previous",
        .text = QT_TRANSLATE_NOOP("Action", "&Previous evidence"),
        .help = QT_TRANSLATE_NOOP("Action", "Show the previous evidence of the finding"),
        .keys = "Shift+F8; P",
        .menu = MainMenu::Go,
        .run = [](const ActionContext& at) { at.part<FindingsPanel>()->stepEvidence(false); },
    },
    {
        .id = "findings.export",
        .text = QT_TRANSLATE_NOOP("Action", "&Findings\u2026"),
        .help = QT_TRANSLATE_NOOP("Action", "Write the findings shown as a web page, Markdown or JSON"),
        .menu = MainMenu::File,
        .submenu = QT_TRANSLATE_NOOP("Action", "&Export"),
        .run = [](const ActionContext& at) { at.part<FindingsPanel>()->askForFile(); },
    },
};

} // namespace

void FindingsPanel::preferencesChanged()
{
    showKeys();
    evaluate();
}

void FindingsPanel::showKeys()
{
    for (std::size_t i = 0; i < m_steps.size(); ++i)
        m_steps[i]->setToolTip(tipOf(findingsPanelActions[i]));
}

extern const PanelKind findingsPanel;
const PanelKind findingsPanel{
    .id = "findings",
    .title = QT_TRANSLATE_NOOP("Action", "Findings"),
    .help = QT_TRANSLATE_NOOP("Action", "What deserves attention, ranked by what it could save at most"),
    .place = PanelPlace::Below,
    .make = [](Session& session, const Theme& theme, QWidget* parent) -> Panel* {
        return new FindingsPanel(session, theme, parent);
    },
    .actions = findingsPanelActions,
};

} // namespace warpline
