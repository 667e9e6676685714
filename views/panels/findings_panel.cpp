#include "views/panels/findings_panel.h"

#include "core/render/render.h"
#include "core/store/trace.h"
#include "views/actions/action_keys.h"
#include "views/panels/empty_state.h"
#include "views/panels/finding_text.h"
#include "views/panels/judged_range.h"
#include "views/panels/layouts.h"
#include "views/panels/step_choice.h"
#include "views/style/explained_terms.h"
#include "views/style/rich_text.h"
#include "views/style/two_lines.h"

#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QResizeEvent>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

/// Two parts next to each other where it is wide, as in the drawer, and one above the other where it is
/// narrow, as in the inspector.
class TurningSplitter : public QSplitter {
public:
    using QSplitter::QSplitter;

protected:
    void resizeEvent(QResizeEvent* event) override
    {
        constexpr int narrow = 620;
        setOrientation(event->size().width() < narrow ? Qt::Vertical : Qt::Horizontal);
        QSplitter::resizeEvent(event);
    }
};

} // namespace

FindingsPanel::FindingsPanel(Session& session, const Theme& theme, QWidget* parent)
    : Panel(session, parent),
      m_theme(&theme),
      m_list(new QTreeWidget(this)),
      m_text(new QTextBrowser(this)),
      m_nvtx(new FilterEdit(session, this)),
      m_count(new QLabel(this)),
      m_place(new QLabel(this))
{
    auto* const split = new TurningSplitter(Qt::Vertical, this); // narrow until it is known to be wide
    // The text has more than half of the width, and the list what its titles need.
    fillSplitter(*split, {{makeListSide(), 2}, {makeTextSide(), 3}}, {420, 580});
    fillColumn(this, styleSpacing, {split});

    FindingsJudge& judge = m_session.judgement().findings();
    connect(&m_export, &FileWriter::messages, this, &FindingsPanel::messages);
    connect(&judge, &FindingsJudge::restarted, this, &FindingsPanel::startAnew);
    connect(&judge, &FindingsJudge::started, this, [this] { m_count->setText(tr("Evaluating \u2026")); });
    connect(&judge, &FindingsJudge::changed, this, &FindingsPanel::showOthers);
    connect(&m_session.judgement(), &Judgement::findingRequested, this, [this](const QString& finding) {
        emit m_session.panelRequested("findings");
        if (m_session.judgement().findings().isOutdated())
            m_findingWanted = finding; // the current findings are for another range
        else
            chooseFinding(finding);
    });
    connect(&m_session.selection(), &Selection::selectedRowsChanged, this, &FindingsPanel::followRows);
    // Does not go to the evidence when the user has gone elsewhere in between.
    connect(
        &m_session.selection(), &Selection::currentEventChanged, this, [this] { m_findingWanted.clear(); });
    connect(&m_session.selection(), &Selection::highlightedChanged, this, &FindingsPanel::leaveEvidence);
    connect(m_nvtx, &FilterEdit::filterTyped, this, &FindingsPanel::askForNvtx);
    connect(m_list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(m_list, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, [this] {
        const QList<QTreeWidgetItem*> selected = m_list->selectedItems();
        if (!selected.isEmpty() && findingOf(selected.front()) != m_chosen)
            read(selected.front());
    });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QString link = url.toString();
        if (link.startsWith("evidence:"))
            showEvidence(link.mid(9).toULongLong());
        if (link.startsWith("whatif:"))
            tryCure();
    });
    judge.want();
}

const FoundInReports& FindingsPanel::all() const
{
    return m_session.judgement().findings().found();
}

const std::vector<Finding>& FindingsPanel::findings() const
{
    return all().findings;
}

bool FindingsPanel::isBusy() const
{
    return m_session.judgement().findings().isBusy() || m_within.isBusy() || Panel::isBusy();
}

QWidget* FindingsPanel::makeListSide()
{
    m_list->setHeaderLabels({tr("Finding"), tr("Saving")});
    m_list->headerItem()->setToolTip(1, plainTip(tr("Potential saving")));
    new TwoLines(*m_list, 0);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setTextElideMode(Qt::ElideRight);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    m_nvtx->setPlaceholderText(tr("Filter by NVTX range or expression"));
    m_nvtx->setPurpose(tr(
        "Only findings with evidence in NVTX ranges of this name, such as step_*, or that match a filter expression"));
    m_nvtx->setClearButtonEnabled(true);
    m_nvtx->setMaximumWidth(240);
    auto* const save = new QToolButton(this);
    save->setText(tr("Export"));
    save->setPopupMode(QToolButton::InstantPopup);
    save->setAutoRaise(true);
    auto* const menu = new QMenu(save);
    menu->addAction(tr("Copy as Markdown"), this, &FindingsPanel::copyAsMarkdown);
    menu->addAction(tr("Save to file\u2026"), this, &FindingsPanel::askForFile);
    save->setMenu(menu);

    auto* const bar = barLayout({{m_nvtx, 1}, m_count, freeRoom, save});
    m_record = makeActionButton("file.record", tr("Record what is missing\u2026"), this);
    m_record->hide();
    return makeColumn(this, 3,
        {bar, new FilterNote(*m_nvtx, this), new RangeNotice(m_session, {}, this),
            new StepNotice(m_session.judgement(), this), {m_list, 1}, m_record});
}

QWidget* FindingsPanel::makeTextSide()
{
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    auto* const previous = new QToolButton(this);
    previous->setText(QString(QChar(0x2039)));
    previous->setAccessibleName(tr("Previous evidence"));
    auto* const next = new QToolButton(this);
    next->setText(QString(QChar(0x203a)));
    next->setAccessibleName(tr("Next evidence"));
    m_steps = {next, previous};
    showKeys();
    connect(previous, &QToolButton::clicked, this, [this] { stepEvidence(false); });
    connect(next, &QToolButton::clicked, this, [this] { stepEvidence(true); });
    m_place->setObjectName("evidence-place");
    auto* const bar = barLayout({{m_place, 1}, previous, next});
    return makeColumn(this, 3, {bar, {m_text, 1}});
}

void FindingsPanel::startAnew()
{
    m_chosen = nullptr; // their events belong to the previous trace
    m_findingWanted.clear();
    if (m_exportWanted.of && !m_export.isStill(m_exportWanted.of))
        m_exportWanted = {};
    m_scope = rowScopeOf(m_session);
    showList(); // no line may refer to deleted findings
    askForNvtx();
}

void FindingsPanel::followRows()
{
    RowScope scope = rowScopeOf(m_session);
    if (scope == m_scope)
        return;
    m_scope = std::move(scope);
    showList();
}

void FindingsPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    showList();
}

void FindingsPanel::showOthers()
{
    m_chosen = nullptr;
    showList();
    if (m_session.trace().complete && !m_findingWanted.isEmpty())
        chooseFinding(std::exchange(m_findingWanted, {}));
    if (m_exportWanted.of
        && (!m_export.isStill(m_exportWanted.of) // of several, another one was chosen
            || !m_session.judgement().findings().failure().isEmpty()))
        m_exportWanted = {};
    if (m_exportWanted.of)
        exportTo(QString(m_exportWanted.path));
    emit updated();
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
        .help = QT_TRANSLATE_NOOP("Action", "Save the findings as a web page, Markdown or JSON"),
        .menu = MainMenu::File,
        .submenu = QT_TRANSLATE_NOOP("Action", "&Export"),
        .enabled = [](const ActionContext& at) { return at.session.trace().complete; },
        .run = [](const ActionContext& at) { at.part<FindingsPanel>()->askForFile(); },
    },
};

} // namespace

void FindingsPanel::preferencesChanged()
{
    showKeys();
    m_session.judgement().findings().evaluate();
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
    .help = QT_TRANSLATE_NOOP("Action", "Causes of lost time, the most severe first"),
    .place = PanelPlace::Beside,
    .about = PanelReports::Several,
    .keys = "Alt+2",
    .make = makePanel<FindingsPanel>,
    .actions = findingsPanelActions,
};

} // namespace warpline
