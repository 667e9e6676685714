#include "app/reports_dialog.h"

#include "app/ask_files.h"
#include "app/report_list.h"
#include "core/base/duration_text.h"
#include "core/base/format.h"
#include "core/store/trace.h"
#include "views/session/rank_judge.h"
#include "views/session/report_color.h"
#include "views/style/rich_text.h"

#include <QColorDialog>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QShortcut>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

namespace warpline {

namespace {

QString text(std::string_view utf8)
{
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// The models of its GPUs, each once; of very many the first.
QString gpusOf(const Trace& trace)
{
    constexpr qsizetype most = 8;
    std::set<std::string_view> known{""};
    QStringList names;
    for (const Device& device : trace.devices) {
        if (known.insert(device.name).second && names.size() < most)
            names << text(device.name);
    }
    if (const qsizetype count = std::ssize(known) - 1; count > most)
        names << QObject::tr("and %1 more").arg(count - most);
    return names.join(QCoreApplication::translate("Lists", ", "));
}

/// In milliseconds to the nanosecond, so that one stands below the other; `uncertainty` behind it.
QString offsetText(const ClockOffset& clock)
{
    constexpr double nsPerMs = 1e6;
    constexpr int decimals = 6;
    const QString offset = text(formatReal(static_cast<double>(clock.offset) / nsPerMs, decimals)) + " ms";
    return clock.uncertainty > 0 ? offset + QString(" \u00b1 %1").arg(text(formatDuration(clock.uncertainty)))
                                 : offset;
}

/// The ranks of the report, and how they were found.
struct RanksOfReport {
    QStringList ranks;
    QString foundBy;
};

RanksOfReport ranksOf(const RankJudge& judge, ReportId report)
{
    RanksOfReport found;
    const AcrossReport* const across = judge.across();
    if (!across)
        return found;
    for (const AcrossRank& rank : across->ranks) {
        if (rank.report != report)
            continue;
        found.ranks << QString::number(rank.rank);
        found.foundBy = plainTextOf(wordsOf(rank.foundBy));
    }
    if (!found.ranks.isEmpty() || !judge.participantsOf(report))
        return found;
    for (const ParticipantSummary& own : *judge.participantsOf(report)) { // not analyzed: its own data
        if (own.rank < 0)
            continue;
        found.ranks << QString::number(own.rank);
        found.foundBy = plainTextOf(wordsOf(own.foundBy));
    }
    return found;
}

} // namespace

ReportsDialog::ReportsDialog(ReportList& reports, Session& session, QWidget* parent)
    : QDialog(parent),
      m_reports(reports),
      m_session(session),
      m_list(new QTreeWidget(this)),
      m_problem(new QLabel(this)),
      m_color(new QPushButton(tr("&Color\u2026"), this)),
      m_remove(new QPushButton(tr("&Remove"), this))
{
    setWindowTitle(tr("Reports"));
    resize(1180, 420);
    m_list->setHeaderLabels({tr("Name"), tr("Rank"), tr("Found by"), tr("Host"), tr("GPU"), tr("Length"),
        tr("Events"), tr("Clock offset"), tr("Aligned by"), tr("Matches"), tr("File")});
    m_list->headerItem()->setToolTip(Offset,
        tr("Offset from the clock of the first report, such as 3.7 ms. Leave empty to use the detected value."));
    m_list->headerItem()->setToolTip(
        Rank, tr("Enter a number to correct the detected rank. Leave empty to use it."));
    m_list->setRootIsDecorated(false);
    m_list->setAlternatingRowColors(true);
    m_list->setAccessibleName(tr("Reports"));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    auto* const buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* const add = buttons->addButton(tr("&Add\u2026"), QDialogButtonBox::ActionRole);
    buttons->addButton(m_remove, QDialogButtonBox::ActionRole);
    buttons->addButton(m_color, QDialogButtonBox::ActionRole);
    QPushButton* const save = buttons->addButton(tr("&Save set\u2026"), QDialogButtonBox::ActionRole);
    auto* const layout = new QVBoxLayout(this);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_problem);
    layout->addWidget(buttons);
    connect(add, &QPushButton::clicked, this, &ReportsDialog::addWanted);
    connect(m_remove, &QPushButton::clicked, this, &ReportsDialog::removeChosen);
    connect(m_color, &QPushButton::clicked, this, &ReportsDialog::chooseColor);
    connect(save, &QPushButton::clicked, this, &ReportsDialog::askWhereToSave);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_list, &QTreeWidget::itemSelectionChanged, this, &ReportsDialog::enableButtons);
    // Only names, ranks and offsets are typed over.
    connect(m_list, &QTreeWidget::itemDoubleClicked, this, [this](QTreeWidgetItem* line, int column) {
        if (column == Name || column == Rank || column == Offset)
            m_list->editItem(line, column);
    });
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    auto* const del = new QShortcut(QKeySequence::Delete, m_list, nullptr, nullptr, Qt::WidgetShortcut);
    del->setAutoRepeat(false); // a held key removes one
    connect(del, &QShortcut::activated, this, &ReportsDialog::removeChosen);
    connect(m_list, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* line, int column) {
        if (m_filling)
            return;
        // Deferred: taking the change refills the list, which deletes the edited item.
        QTimer::singleShot(0, this,
            [this, place = static_cast<std::size_t>(m_list->indexOfTopLevelItem(line)),
                path = line->text(File), column, typed = line->text(column).trimmed(),
                isIncluded = line->checkState(Name) == Qt::Checked] {
                if (isAt(place, path))
                    take(place, column, typed, isIncluded);
            });
    });
    connect(m_list->itemDelegate(), &QAbstractItemDelegate::closeEditor, this,
        [this] { QTimer::singleShot(0, this, &ReportsDialog::fill); });
    m_fillSoon.setSingleShot(true);
    connect(&m_fillSoon, &QTimer::timeout, this, &ReportsDialog::fill);
    connect(&m_reports, &ReportList::changed, this, [this] {
        constexpr int soonMs = 300;
        if (!m_reports.isLoading() || !isListed())
            fill();
        else if (!m_fillSoon.isActive()) // hundreds arrive one after another
            m_fillSoon.start(soonMs);
    });
    connect(&m_session, &Session::clocksChanged, this, &ReportsDialog::fill);
    connect(&m_session.judgement().ranks(), &RankJudge::changed, this, &ReportsDialog::fill);
    for (int column = 0; column < Columns; ++column)
        m_list->setColumnWidth(column, 0);
    fill();
    const int wanted = m_list->header()->length() + 60;
    resize(std::min(std::max(wanted, width()), screen()->availableGeometry().width() * 95 / 100), height());
    m_list->setCurrentItem(m_list->topLevelItem(0));
}

void ReportsDialog::fill()
{
    // Refills the list after editing, because refilling would close the editor; at once where a line is of a
    // report that went.
    const auto* const editor = m_list->viewport()->findChild<QLineEdit*>();
    if (editor && editor->isVisible() && isListed())
        return;
    const std::ptrdiff_t before = chosen();
    m_filling = true;
    m_list->clear();
    for (std::size_t place = 0; place < m_reports.reports().size(); ++place)
        fillLine(*new QTreeWidgetItem(m_list), place);
    m_filling = false;
    widenColumns();
    m_list->setCurrentItem(m_list->topLevelItem(static_cast<int>(before)));
    enableButtons();
}

bool ReportsDialog::isAt(std::size_t place, const QString& path) const
{
    const auto& reports = m_reports.reports();
    return place < reports.size() && reports[place].path == path;
}

bool ReportsDialog::isListed() const
{
    for (int place = 0; place < m_list->topLevelItemCount(); ++place) {
        if (!isAt(static_cast<std::size_t>(place), m_list->topLevelItem(place)->text(File)))
            return false;
    }
    return true;
}

void ReportsDialog::widenColumns()
{
    // Results arrive step by step: columns grow with them, and keep the user's widths beyond.
    constexpr int widest = 420;
    for (int column = 0; column < Columns; ++column) {
        const int before = m_list->columnWidth(column);
        m_list->resizeColumnToContents(column);
        m_list->setColumnWidth(column, std::max(before, std::min(m_list->columnWidth(column), widest)));
    }
}

void ReportsDialog::fillLine(QTreeWidgetItem& line, std::size_t place) const
{
    const ListedReport& listed = m_reports.reports()[place];
    line.setFlags(line.flags() | Qt::ItemIsEditable | Qt::ItemIsUserCheckable);
    line.setCheckState(Name, listed.choices.isIncluded ? Qt::Checked : Qt::Unchecked);
    line.setText(File, listed.path);
    line.setToolTip(File, plainTip(listed.path));
    const QString name = QFileInfo(listed.path).fileName();
    line.setText(Name, listed.choices.label.empty() ? name : text(listed.choices.label));
    if (listed.state == ListedReport::State::Failed) {
        line.setText(FoundBy, tr("Not open: %1").arg(listed.problem));
        line.setToolTip(FoundBy, plainTip(listed.problem));
        line.setFirstColumnSpanned(false);
        return;
    }
    if (!listed.report.trace) {
        line.setText(FoundBy,
            listed.state == ListedReport::State::Recorded ? tr("waits for nsys") : tr("is being read"));
        return;
    }
    const Trace& trace = *listed.report.trace;
    line.setText(Host, text(trace.info.hostName));
    line.setText(Gpu, gpusOf(trace));
    line.setText(Length, text(formatDuration(trace.session.duration())));
    line.setText(Events, text(formatCount(trace.eventCount())));
    line.setTextAlignment(Length, Qt::AlignRight | Qt::AlignVCenter);
    line.setTextAlignment(Events, Qt::AlignRight | Qt::AlignVCenter);
    for (const OpenReport& report : m_session.workspace().reports()) {
        if (report.trace == listed.report.trace)
            fillClock(line, report, place);
    }
}

void ReportsDialog::fillClock(QTreeWidgetItem& line, const OpenReport& report, std::size_t place) const
{
    const AcrossReport* const across = m_session.judgement().ranks().across();
    const RanksOfReport ranks = ranksOf(m_session.judgement().ranks(), report.id);
    const auto& choices = m_reports.reports()[place].choices;
    line.setIcon(Name, colorIcon(reportColor(report)));
    line.setText(Name, text(report.label));
    line.setText(Rank,
        choices.rank ? QString::number(*choices.rank)
                     : ranks.ranks.join(QCoreApplication::translate("Lists", ", ")));
    line.setText(FoundBy, choices.rank ? tr("set by hand") : ranks.foundBy);
    const ClockOffset& clock = report.clock;
    line.setText(Offset, offsetText(clock));
    for (const int column : {int{Rank}, int{Offset}, int{Matches}})
        line.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    line.setText(Method, plainTextOf(wordsOf(clock.method)));
    line.setToolTip(Method, plainTip(plainTextOf(clock.note)));
    if (!across || raw(report.id) >= across->reports.size())
        return;
    const ReportAcross& judged = across->reports[raw(report.id)];
    line.setText(Matches, judged.matches == 0 ? QString() : text(formatCount(judged.matches)));
    if (!judged.note.empty()) {
        line.setText(Method, line.text(Method) + "; " + plainTextOf(judged.note));
        line.setToolTip(Method, plainTip(plainTextOf(judged.note)));
    }
}

void ReportsDialog::take(std::size_t place, int column, const QString& typed, bool isIncluded)
{
    m_problem->clear();
    ReportChoices choices = m_reports.reports()[place].choices;
    if (column == Rank && !takeRank(typed, place))
        m_problem->setText(tr("%1 is not a rank. Enter a rank number, 0 or higher.").arg(typed));
    else if (column == Offset && !takeOffset(typed, place))
        m_problem->setText(tr("%1 is not a time. Enter one such as 3.7 ms or -120 us.").arg(typed));
    else if (column == Name) {
        if (isIncluded || !refusesLast(place))
            choices.isIncluded = isIncluded;
        const ListedReport& listed = m_reports.reports()[place];
        const bool isRenamed = typed != QFileInfo(listed.path).fileName()
            && typed != text(listed.report.label)
            && std::ranges::none_of(m_session.workspace().reports(), [&](const OpenReport& report) {
                   return report.trace == listed.report.trace && text(report.label) == typed;
               });
        if (isRenamed)
            choices.label = typed.toStdString();
        m_reports.change(place, std::move(choices));
    }
    fill(); // restores an invalid entry
}

bool ReportsDialog::takeRank(const QString& typed, std::size_t place)
{
    ReportChoices choices = m_reports.reports()[place].choices;
    bool isNumber = true;
    const qint64 rank = typed.isEmpty() ? 0 : typed.toLongLong(&isNumber);
    if (!isNumber || rank < 0)
        return false;
    choices.rank = typed.isEmpty() ? std::nullopt : std::optional<std::int64_t>(rank);
    m_reports.change(place, std::move(choices));
    return true;
}

bool ReportsDialog::takeOffset(const QString& typed, std::size_t place)
{
    ReportChoices choices = m_reports.reports()[place].choices;
    QString time = typed.section(QChar(0x00b1), 0, 0).trimmed(); // without the uncertainty
    if (time.startsWith('+'))
        time.remove(0, 1);
    const auto offset = parseTime(time.toStdString());
    if (!time.isEmpty() && (!offset.ok() || !isPossibleOffset(offset.value())))
        return false;
    choices.offset = time.isEmpty() ? std::nullopt : std::optional<Ns>(offset.value());
    m_reports.change(place, std::move(choices));
    return true;
}

std::ptrdiff_t ReportsDialog::chosen() const
{
    return m_list->currentItem() ? m_list->indexOfTopLevelItem(m_list->currentItem()) : -1;
}

void ReportsDialog::enableButtons()
{
    m_remove->setEnabled(chosen() >= 0);
    m_color->setEnabled(chosen() >= 0);
}

void ReportsDialog::chooseColor()
{
    const auto place = static_cast<std::size_t>(chosen());
    const QString path = m_reports.reports()[place].path;
    const ReportChoices& own = m_reports.reports()[place].choices;
    const QColor shown = own.color ? QColor::fromRgb(*own.color) : QColor(Qt::gray);
    const QColor color = QColorDialog::getColor(shown, this, tr("Color of the report"));
    if (!color.isValid() || !isAt(place, path)) // another program opened others
        return;
    ReportChoices choices = m_reports.reports()[place].choices;
    choices.color = color.rgb() & 0xFFFFFFU;
    m_reports.change(place, std::move(choices));
}

void ReportsDialog::removeChosen()
{
    if (chosen() < 0)
        return;
    m_problem->clear();
    const auto place = static_cast<std::size_t>(chosen());
    const bool isAlone = std::ranges::count_if(m_reports.reports(), &ListedReport::canShow) < 2;
    if (isAlone || !refusesLast(place)) // alone it closes
        m_reports.remove(place);
}

bool ReportsDialog::refusesLast(std::size_t place)
{
    const auto isVisible
        = [](const ListedReport& listed) { return listed.choices.isIncluded && listed.canShow(); };
    const auto& reports = m_reports.reports();
    const bool isLast = isVisible(reports[place]) && std::ranges::count_if(reports, isVisible) < 2;
    if (isLast)
        m_problem->setText(tr("At least one report must stay visible. To close all, choose File > Close."));
    return isLast;
}

bool ReportsDialog::saveSet(const QString& path)
{
    m_problem->clear();
    m_reports.save(path, [dialog = QPointer(this), &reports = m_reports](const QString& problem) {
        if (dialog)
            dialog->m_problem->setText(problem);
        else if (!problem.isEmpty())
            emit reports.failed(problem);
    });
    return m_problem->text().isEmpty();
}

void ReportsDialog::askWhereToSave()
{
    if (m_reports.isEmpty())
        return;
    const auto paths = [this] {
        QStringList all;
        for (const ListedReport& each : m_reports.reports())
            all << each.path;
        return all;
    };
    const QStringList asked = paths();
    const QString folder = QFileInfo(m_reports.reports().front().path).path();
    const QString ending = text(reportSetEnding);
    const QString path = askToSave(this, tr("Save report set"), folder + "/reports" + ending,
        tr("Report sets (*%1)").arg(ending), ending);
    if (path.isEmpty())
        return;
    if (paths() == asked)
        saveSet(path);
    else
        m_problem->setText(tr("Another report is open now. Nothing was written."));
}

} // namespace warpline
