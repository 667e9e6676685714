#include "views/panels/findings_panel.h"

#include "core/base/format.h"
#include "core/base/utf8.h"
#include "core/export/findings_text.h"
#include "core/query/event_text.h"
#include "core/stats/glob.h"
#include "views/loading/dispose.h"
#include "views/models/table_text.h"
#include "views/panels/finding_text.h"
#include "views/panels/rule_settings.h"
#include "views/style/severity_icon.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>
#include <QTreeWidgetItemIterator>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace warpline {

namespace {

constexpr int restMs = 250; ///< so long must a drag rest before the rules run anew
constexpr int findingRole = Qt::UserRole; ///< const Finding* as an integer

/// The time of all NVTX ranges whose name matches `pattern`: a glob, or a part of the name when it has no *
/// and ?.
Intervals timeOfRanges(const Trace& trace, const std::string& pattern, const std::stop_token& stop)
{
    const bool glob = pattern.find_first_of("*?") != std::string::npos;
    const NvtxTable& nvtx = trace.nvtx();
    std::vector<TimeRange> ranges;
    for (const EventIndex i : everyEvent(nvtx, stop)) {
        const std::string_view name = trace.text(nvtx.name[i]);
        if (glob ? matchesGlob(name, pattern) : name.find(pattern) != std::string_view::npos)
            ranges.push_back(nvtx.range(i));
    }
    return unionOf(std::move(ranges), trace.session);
}

bool touches(const Intervals& time, TimeRange range)
{
    const auto after = std::ranges::upper_bound(time, range.start, {}, &TimeRange::end);
    return after != time.end() && (after->start < range.end || after->contains(range.start));
}

} // namespace

FindingsPanel::FindingsPanel(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent),
      m_session(session),
      m_theme(&theme),
      m_list(new QTreeWidget(this)),
      m_text(new QTextBrowser(this)),
      m_ofRange(new QCheckBox(tr("Only the selected range"), this)),
      m_process(new QComboBox(this)),
      m_device(new QComboBox(this)),
      m_nvtx(new QLineEdit(this)),
      m_count(new QLabel(this)),
      m_place(new QLabel(this)),
      m_refresh(
          *this, restMs, [this] { evaluate(); }, RefreshTime::AfterRest)
{
    auto* const split = new QSplitter(this);
    split->addWidget(makeListSide());
    split->addWidget(makeTextSide());
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(split);

    connect(&m_session, &Session::traceChanged, this, [this] {
        m_chosen = nullptr; // the events that they name are those of the trace before
        m_findings.clear();
        m_notRecorded.clear();
        fillFilters();
        askForNvtx();
        evaluate();
    });
    connect(&m_session, &Session::selectedRangeChanged, this, [this] {
        if (m_ofRange->isChecked())
            m_refresh.request();
    });
    connect(m_ofRange, &QCheckBox::toggled, this, &FindingsPanel::evaluate);
    connect(m_process, &QComboBox::activated, this, &FindingsPanel::showList);
    connect(m_device, &QComboBox::activated, this, &FindingsPanel::showList);
    connect(m_nvtx, &QLineEdit::textChanged, this, &FindingsPanel::askForNvtx);
    connect(m_list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(m_list, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QString link = url.toString();
        if (link.startsWith("evidence:"))
            showEvidence(link.mid(9).toULongLong());
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
    m_nvtx->setPlaceholderText(tr("In NVTX range"));
    m_nvtx->setToolTip(tr("Only findings with evidence inside NVTX ranges of this name, such as step_*"));
    m_nvtx->setClearButtonEnabled(true);
    m_nvtx->setMaximumWidth(170);
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
    layout->addWidget(m_list, 1);
    return side;
}

QWidget* FindingsPanel::makeTextSide()
{
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    auto* const previous = new QToolButton(this);
    previous->setText(tr("Previous evidence"));
    previous->setToolTip(tr("Shift+F8 or P"));
    auto* const next = new QToolButton(this);
    next->setText(tr("Next evidence"));
    next->setToolTip(tr("F8 or N"));
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

void FindingsPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    showList();
}

void FindingsPanel::fillFilters()
{
    const Trace& trace = m_session.trace();
    std::set<GlobalId> processes;
    std::set<std::int32_t> devices;
    for (const EventKind kind : {EventKind::Kernel, EventKind::Memcpy, EventKind::ApiCall}) {
        for (const Track& track : trace.table(kind).tracks) {
            processes.insert(processOf(track.owner));
            if (track.device >= 0)
                devices.insert(track.device);
        }
    }
    m_process->clear();
    m_process->addItem(tr("All processes"), QVariant::fromValue<qulonglong>(0));
    for (const GlobalId process : processes)
        m_process->addItem(QString::fromStdString(toUtf8(processLabel(trace, process))),
            QVariant::fromValue<qulonglong>(process));
    m_process->setVisible(processes.size() > 1);
    m_device->clear();
    m_device->addItem(tr("All GPUs"), -1);
    for (const std::int32_t device : devices)
        m_device->addItem(tr("GPU %1").arg(device), device);
    m_device->setVisible(devices.size() > 1);
    m_nvtx->setVisible(trace.nvtx().size() > 0);
}

void FindingsPanel::askForNvtx()
{
    const std::string pattern = m_nvtx->text().trimmed().toStdString();
    if (pattern.empty()) {
        m_within.cancel();
        m_nvtxTime.reset();
        showList();
        return;
    }
    m_within.start([trace = m_session.sharedTrace(), pattern](
                       const std::stop_token& stop) { return timeOfRanges(*trace, pattern, stop); },
        [this](Intervals time) {
            m_nvtxTime = std::move(time);
            showList();
            emit updated();
        });
}

bool FindingsPanel::passesFilters(const Finding& finding) const
{
    // What is about the whole report concerns every process and device.
    const GlobalId process = m_process->currentData().toULongLong();
    const int device = m_device->count() > 0 ? m_device->currentData().toInt() : -1;
    if ((process != 0 && finding.process != 0 && finding.process != process)
        || (device >= 0 && finding.device >= 0 && finding.device != device))
        return false;
    if (!m_nvtxTime)
        return true;
    if (finding.evidence.empty())
        return touches(*m_nvtxTime, finding.where);
    return std::ranges::any_of(
        finding.evidence, [&](const Evidence& proof) { return touches(*m_nvtxTime, proof.range); });
}

std::vector<Finding> FindingsPanel::shownFindings() const
{
    std::vector<Finding> shown;
    std::ranges::copy_if(m_findings, std::back_inserter(shown),
        [this](const Finding& finding) { return passesFilters(finding); });
    return shown;
}

void FindingsPanel::evaluate()
{
    m_refresh.cancel();
    struct Evaluation {
        std::vector<Finding> findings;
        std::vector<const Rule*> notRecorded;
    };
    const auto take = [this](Evaluation answer) {
        m_chosen = nullptr;
        m_findings.swap(answer.findings);
        m_notRecorded = answer.notRecorded;
        showList();
        disposeElsewhere(std::move(answer.findings)); // the ones from before
    };
    if (!m_session.trace().complete) {
        m_job.cancel();
        take({});
        return;
    }
    const bool ofRange = m_ofRange->isChecked() && !m_session.selectedRange().empty();
    m_window = ofRange ? m_session.selectedRange() : m_session.trace().session;
    m_count->setText(tr("Evaluating \u2026"));
    m_job.start(
        [trace = m_session.sharedTrace(), window = m_window,
            settings = std::make_shared<RuleSettings>(RuleSettings::stored())](const std::stop_token& stop) {
            Evaluation answer;
            answer.findings = runRules(*trace, window, {}, settings->overrides(), stop);
            // Some rules look through millions of events for what they need.
            std::ranges::copy_if(allRules(), std::back_inserter(answer.notRecorded),
                [&](const Rule* rule) { return !rule->applies(*trace); });
            return answer;
        },
        [this, take](Evaluation answer) {
            take(std::move(answer));
            emit updated();
        });
}

void FindingsPanel::addItem(const Finding& finding, QTreeWidgetItem* parent)
{
    auto* const item = parent ? new QTreeWidgetItem(parent) : new QTreeWidgetItem(m_list);
    item->setText(0, QString::fromStdString(toUtf8(finding.title)));
    item->setIcon(0, severityIcon(finding.severity, *m_theme));
    item->setToolTip(0, QString::fromStdString(toUtf8(finding.message)));
    item->setText(1, finding.saving > 0 ? QString::fromStdString(formatDuration(finding.saving)) : QString());
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    item->setData(0, findingRole, QVariant::fromValue(reinterpret_cast<quintptr>(&finding)));
    if (&finding == m_chosen)
        m_list->setCurrentItem(item);
    for (const Finding& merged : finding.merged)
        addItem(merged, item);
}

void FindingsPanel::showList()
{
    m_list->clear();
    const bool nested
        = std::ranges::any_of(m_findings, [](const Finding& finding) { return !finding.merged.empty(); });
    m_list->setRootIsDecorated(nested);
    std::size_t shown = 0;
    const Finding* first = nullptr;
    for (const Finding& finding : m_findings) {
        if (!passesFilters(finding))
            continue;
        addItem(finding, nullptr);
        first = first ? first : &finding;
        ++shown;
    }
    if (!m_session.trace().complete) {
        m_count->clear();
        m_text->clear();
        showPlace();
        return;
    }
    for (const Rule* const rule : m_notRecorded) {
        auto* const item = new QTreeWidgetItem(m_list);
        item->setText(0, tr("%1: not recorded").arg(QString::fromStdString(std::string(rule->title))));
        item->setDisabled(true);
    }
    QString count = m_findings.empty() ? tr("Nothing found")
        : m_findings.size() == 1       ? tr("1 finding")
                                       : tr("%1 findings").arg(m_findings.size());
    if (shown < m_findings.size())
        count = tr("%1 of %2").arg(shown).arg(count);
    m_count->setText(count);
    const Finding* const described = m_chosen ? m_chosen : first;
    m_text->setHtml(described ? findingHtml(m_session.trace(), *described) : QString());
    showPlace();
}

void FindingsPanel::choose(QTreeWidgetItem* item)
{
    const QVariant place = item->data(0, findingRole);
    if (!place.isValid())
        return;
    m_chosen = reinterpret_cast<const Finding*>(place.value<quintptr>());
    m_evidence = 0;
    m_text->setHtml(findingHtml(m_session.trace(), *m_chosen));
    std::vector<EventRef> events;
    for (const Evidence& proof : m_chosen->evidence) {
        if (proof.event.valid())
            events.push_back(proof.event);
    }
    m_session.setHighlighted(std::move(events));
    if (!m_chosen->evidence.empty())
        showEvidence(0);
    else
        m_session.goTo(m_chosen->where);
    showPlace();
}

std::set<std::string> FindingsPanel::found() const
{
    std::set<std::string> rules;
    for (const Finding& finding : m_findings) {
        rules.emplace(finding.rule);
        for (const Finding& merged : finding.merged)
            rules.emplace(merged.rule);
    }
    return rules;
}

bool FindingsPanel::chooseRule(const QString& rule)
{
    m_process->setCurrentIndex(0);
    m_device->setCurrentIndex(0);
    m_nvtx->clear();
    showList();
    for (QTreeWidgetItemIterator at(m_list); *at; ++at) {
        const QVariant place = (*at)->data(0, findingRole);
        if (!place.isValid())
            continue;
        const auto* const finding = reinterpret_cast<const Finding*>(place.value<quintptr>());
        if (finding->rule == rule.toStdString()) {
            m_list->setCurrentItem(*at);
            choose(*at);
            return true;
        }
    }
    return false;
}

void FindingsPanel::showEvidence(std::size_t index)
{
    if (!m_chosen && m_list->topLevelItemCount() > 0) {
        choose(m_list->topLevelItem(0)); // the one described until the user chooses
        m_list->setCurrentItem(m_list->topLevelItem(0));
    }
    if (!m_chosen || index >= m_chosen->evidence.size())
        return;
    m_evidence = index;
    const Evidence& proof = m_chosen->evidence[index];
    if (proof.event.valid()) {
        m_session.goTo(proof.event);
    } else {
        m_session.setCurrentEvent({});
        m_session.goTo(proof.range);
        m_session.selectRows({}); // what was selected before says nothing about this stretch
        if (!m_ofRange->isChecked()) // else the findings would be those of this stretch
            m_session.selectRange(proof.range);
    }
    showPlace();
}

void FindingsPanel::showPlace()
{
    if (m_chosen && !m_chosen->evidence.empty())
        m_place->setText(tr("Evidence %1 of %2").arg(m_evidence + 1).arg(m_chosen->evidence.size()));
    else
        m_place->clear();
}

void FindingsPanel::stepEvidence(bool forward)
{
    if (!m_chosen) {
        showEvidence(0);
        return;
    }
    const std::size_t count = m_chosen->evidence.size();
    if (count > 0)
        showEvidence((m_evidence + (forward ? 1 : count - 1)) % count);
}

void FindingsPanel::askForFile()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Write the findings"), "findings.html",
        tr("Web page (*.html);;Markdown (*.md);;JSON (*.json)"));
    if (!path.isEmpty())
        exportTo(path);
}

void FindingsPanel::exportTo(const QString& path)
{
    m_export.start(
        [trace = m_session.sharedTrace(), findings = shownFindings(), window = m_window, path](
            const std::stop_token& stop) {
            const std::vector<ChecklistAnswer> checklist = answerChecklist(*trace, window, stop);
            const QString problem = writeFile(path, findingsFile(*trace, findings, checklist, path).toUtf8());
            return problem.isEmpty() ? tr("Wrote %1").arg(path) : problem;
        },
        [this](const QString& said) { emit messages(said); });
}

void FindingsPanel::copyAsMarkdown()
{
    QApplication::clipboard()->setText(
        QString::fromStdString(findingsMarkdown(m_session.trace(), shownFindings())));
    emit messages(tr("Copied the findings"));
}

} // namespace warpline
