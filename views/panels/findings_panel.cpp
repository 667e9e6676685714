#include "views/panels/findings_panel.h"

#include "core/base/format.h"
#include "core/query/event_text.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPainter>
#include <QPixmap>
#include <QSplitter>
#include <QTextBrowser>
#include <QToolButton>
#include <QTreeWidget>
#include <QUrl>
#include <QVBoxLayout>

#include <algorithm>

namespace warpline {

namespace {

constexpr int findingRole = Qt::UserRole;
constexpr std::size_t evidenceShown = 60;

QString escaped(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size())).toHtmlEscaped();
}

QIcon dot(QColor color)
{
    QPixmap pixmap(28, 28);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawEllipse(6, 6, 16, 16);
    return QIcon(pixmap);
}

} // namespace

FindingsPanel::FindingsPanel(Session& session, const Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_session(session)
    , m_theme(&theme)
    , m_list(new QTreeWidget(this))
    , m_text(new QTextBrowser(this))
    , m_ofRange(new QCheckBox(tr("Only the selected range"), this))
    , m_count(new QLabel(this))
{
    m_list->setHeaderLabels({tr("Finding"), tr("Could save at most")});
    m_list->setRootIsDecorated(false);
    m_list->setUniformRowHeights(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->header()->setSectionResizeMode(0, QHeaderView::Stretch);
    m_list->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    m_list->header()->setStretchLastSection(false);
    m_text->setOpenLinks(false);
    m_text->setFrameShape(QFrame::NoFrame);
    auto* const previous = new QToolButton(this);
    previous->setText(tr("Previous evidence"));
    previous->setToolTip(tr("Shift+F8"));
    auto* const next = new QToolButton(this);
    next->setText(tr("Next evidence"));
    next->setToolTip(tr("F8"));
    auto* const bar = new QHBoxLayout;
    bar->setContentsMargins(4, 3, 4, 0);
    bar->addWidget(m_ofRange);
    bar->addWidget(m_count, 1);
    bar->addWidget(previous);
    bar->addWidget(next);
    auto* const split = new QSplitter(this);
    split->addWidget(m_list);
    split->addWidget(m_text);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    auto* const layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(3);
    layout->addLayout(bar);
    layout->addWidget(split, 1);

    connect(&m_session, &Session::traceChanged, this, &FindingsPanel::evaluate);
    connect(&m_session, &Session::selectedRangeChanged, this, [this] {
        if (m_ofRange->isChecked())
            evaluate();
    });
    connect(m_ofRange, &QCheckBox::toggled, this, &FindingsPanel::evaluate);
    connect(m_list, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(m_list, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) { choose(item); });
    connect(previous, &QToolButton::clicked, this, [this] { stepEvidence(false); });
    connect(next, &QToolButton::clicked, this, [this] { stepEvidence(true); });
    connect(m_text, &QTextBrowser::anchorClicked, this, [this](const QUrl& url) {
        const QString link = url.toString();
        if (link.startsWith("evidence:"))
            showEvidence(link.mid(9).toULongLong());
    });
}

void FindingsPanel::setTheme(const Theme& theme)
{
    m_theme = &theme;
    showFindings(m_findings);
}

QColor FindingsPanel::colorOf(Severity severity) const
{
    switch (severity) {
    case Severity::High:
        return m_theme->color(EventTint::CopyDtoH);
    case Severity::Medium:
        return m_theme->color(EventTint::Synchronization);
    case Severity::Low:
        return m_theme->color(EventTint::ApiMemory);
    case Severity::Info:
        break;
    }
    return m_theme->dimText;
}

void FindingsPanel::evaluate()
{
    if (!m_session.trace().complete) {
        m_job.cancel();
        showFindings({});
        return;
    }
    const bool ofRange = m_ofRange->isChecked() && !m_session.selectedRange().empty();
    const TimeRange window = ofRange ? m_session.selectedRange() : m_session.trace().session;
    m_count->setText(tr("Evaluating \u2026"));
    m_job.start([trace = m_session.sharedTrace(), window](
                    const std::stop_token& stop) { return runRules(*trace, window, {}, {}, stop); },
        [this](std::vector<Finding> findings) {
            showFindings(std::move(findings));
            emit updated();
        });
}

void FindingsPanel::showFindings(std::vector<Finding> findings)
{
    m_findings = std::move(findings);
    m_chosen = m_findings.size();
    m_list->clear();
    m_text->clear();
    for (std::size_t i = 0; i < m_findings.size(); ++i) {
        const Finding& finding = m_findings[i];
        auto* const item = new QTreeWidgetItem(m_list);
        item->setText(0, QString::fromStdString(finding.title));
        item->setIcon(0, dot(colorOf(finding.severity)));
        item->setToolTip(0, QString::fromStdString(finding.message));
        item->setText(1, finding.saving > 0 ? QString::fromStdString(formatDuration(finding.saving)) : QString());
        item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
        item->setData(0, findingRole, QVariant::fromValue<qulonglong>(i));
    }
    if (!m_session.trace().complete) {
        m_count->clear();
        return;
    }
    for (const Rule* const rule : allRules()) {
        if (rule->applies(m_session.trace()))
            continue;
        auto* const item = new QTreeWidgetItem(m_list);
        item->setText(0, tr("%1: not recorded").arg(QString::fromUtf8(rule->title.data(), static_cast<qsizetype>(rule->title.size()))));
        item->setDisabled(true);
    }
    m_count->setText(m_findings.empty() ? tr("Nothing found") : (m_findings.size() == 1 ? tr("1 finding") : tr("%1 findings").arg(m_findings.size())));
    if (!m_findings.empty())
        m_text->setHtml(describe(m_findings.front()));
}

QString FindingsPanel::describe(const Finding& finding) const
{
    QString html = "<p><big><b>" + escaped(finding.title) + "</b></big></p><p>" + escaped(finding.message) + "</p>";
    html += "<p><b>" + tr("Why it costs time") + "</b><br>" + escaped(finding.why) + "</p>";
    html += "<p><b>" + tr("What to do") + "</b><br>" + escaped(finding.remedy) + "</p>";
    html += "<p>" + tr("Severity: %1. Sure: %2.").arg(escaped(keyOf(finding.severity)), escaped(keyOf(finding.confidence)));
    if (finding.saving > 0)
        html += " "
            + tr("Upper bound of the saving: %1 (%2 of the range).")
                  .arg(QString::fromStdString(formatDuration(finding.saving)),
                      QString::fromStdString(formatShare(static_cast<double>(finding.saving)
                          / std::max<double>(1, static_cast<double>(m_session.trace().session.duration())))));
    html += "</p><p><b>" + tr("Evidence (%1)").arg(QString::fromStdString(formatCount(finding.evidenceTotal))) + "</b></p>"
        + "<table cellspacing=0 cellpadding=1>";
    for (std::size_t i = 0; i < std::min(evidenceShown, finding.evidence.size()); ++i) {
        const Evidence& proof = finding.evidence[i];
        const QString name = proof.event.valid() ? escaped(m_session.trace().displayName(proof.event)) : tr("stretch of time");
        html += QString("<tr><td><a href='evidence:%1'>%2</a>&nbsp;&nbsp;</td><td align=right>%3&nbsp;&nbsp;</td><td>%4&nbsp;&nbsp;</td><td>%5</td></tr>")
                    .arg(i)
                    .arg(QString::fromStdString(formatTime(proof.range.start, 1000)),
                        QString::fromStdString(formatDuration(proof.range.duration())), name, escaped(proof.note));
    }
    return html + "</table>";
}

void FindingsPanel::choose(QTreeWidgetItem* item)
{
    const QVariant place = item->data(0, findingRole);
    if (!place.isValid() || place.toULongLong() >= m_findings.size())
        return;
    m_chosen = place.toULongLong();
    m_evidence = 0;
    const Finding& finding = m_findings[m_chosen];
    m_text->setHtml(describe(finding));
    std::vector<EventRef> events;
    for (const Evidence& proof : finding.evidence) {
        if (proof.event.valid())
            events.push_back(proof.event);
    }
    m_session.setHighlighted(std::move(events));
    if (!finding.evidence.empty())
        showEvidence(0);
    else
        m_session.goTo(finding.where);
}

void FindingsPanel::showEvidence(std::size_t index)
{
    if (m_chosen >= m_findings.size()) {
        if (m_findings.empty())
            return;
        m_chosen = 0; // the one described until the user chooses
    }
    const Finding& finding = m_findings[m_chosen];
    if (index >= finding.evidence.size())
        return;
    m_evidence = index;
    const Evidence& proof = finding.evidence[index];
    if (proof.event.valid()) {
        m_session.goTo(proof.event);
    } else {
        m_session.setCurrentEvent({});
        m_session.goTo(proof.range);
        m_session.selectRows({}); // what was selected before says nothing about this stretch
        m_session.selectRange(proof.range);
    }
}

void FindingsPanel::stepEvidence(bool forward)
{
    if (m_chosen >= m_findings.size() || m_findings[m_chosen].evidence.empty())
        return;
    const std::size_t count = m_findings[m_chosen].evidence.size();
    showEvidence((m_evidence + (forward ? 1 : count - 1)) % count);
}

} // namespace warpline
