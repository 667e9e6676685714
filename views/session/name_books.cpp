#include "views/session/name_books.h"

#include "core/derive/kept_answers.h"
#include "core/query/event_text.h"
#include "core/store/trace.h"
#include "views/style/name_colors.h"

#include <algorithm>
#include <string_view>

namespace warpline {

namespace {

/// Appends the names of `kind` that take most time.
void addNames(const Trace& trace, const NameBook& book, EventKind kind, std::vector<std::string_view>& names)
{
    std::size_t added = 0;
    for (const NameSummary& each : book.ofKind(kind)) {
        const std::string_view name = trace.text(each.name);
        if (name.find("nccl") != std::string_view::npos && kind == EventKind::Kernel)
            continue; // these have the colour of communication
        if (++added > NameColors::mostApart())
            break;
        names.push_back(name);
    }
}

/// The books of all sessions, in the order of their creation.
std::vector<NameBooks*>& inOrder()
{
    static std::vector<NameBooks*> all;
    return all;
}

KeptAnswers<Trace, NameBook> keptBooks;

} // namespace

NameBooks::NameBooks(Session& session)
    : ReportBooks(
        session, [](const auto& trace) { return keptBooks.known(trace) != nullptr; },
        [](const auto& trace, const std::stop_token& stop) {
            prepareFacts(*trace, stop); // for tips: now, not when the mouse comes
            keptBooks.of(trace, [&] { return NameBook::of(*trace, stop); });
        })
{
    inOrder().push_back(this);
    connect(this, &ReportBooks::changed, this, &NameBooks::colorInTurn);
    // Others may have waited for a closed report.
    connect(&session, &Session::traceChanged, this, &NameBooks::colorInTurn);
    colorInTurn();
}

NameBooks::~NameBooks()
{
    std::erase(inOrder(), this);
}

bool NameBooks::isWaitedFor() const
{
    // A report that is still being read is waited for, too: it was opened first.
    const auto& reports = m_session.workspace().reports();
    return std::ranges::any_of(
        reports, [&](const OpenReport& report) { return !report.trace->complete || !find(report.id); });
}

bool NameBooks::addColored()
{
    std::erase_if(m_colored, [](const auto& each) { return each.expired(); });
    const std::size_t before = m_colored.size();
    for (const OpenReport& report : m_session.workspace().reports()) {
        const auto isIt = [&](const auto& each) { return each.lock() == report.trace; };
        if (find(report.id) && std::ranges::none_of(m_colored, isIt))
            m_colored.push_back(report.trace);
    }
    return m_colored.size() > before;
}

void NameBooks::colorInTurn()
{
    std::vector<std::string_view> kernels;
    std::vector<std::string_view> ranges;
    std::vector<NameBooks*> colored;
    bool any = false;
    for (NameBooks* const books : inOrder()) {
        for (const OpenReport& report : books->m_session.workspace().reports()) {
            if (const NameBook* const book = books->find(report.id)) {
                addNames(*report.trace, *book, EventKind::Kernel, kernels);
                addNames(*report.trace, *book, EventKind::Nvtx, ranges);
                any = true;
            }
        }
        if (books->addColored())
            colored.push_back(books);
        if (books->isWaitedFor())
            break;
    }
    if (!any)
        return;
    NameColors::shared().assign(ColorGroup::Kernel, kernels);
    NameColors::shared().assign(ColorGroup::Host, ranges);
    for (NameBooks* const books : colored)
        emit books->changed();
}

const NameBook* NameBooks::find(ReportId report) const
{
    return keptBooks.known(m_session.workspace().report(report).trace).get(); // cached as long as the trace
}

const NameSummary* NameBooks::summaryOf(EventId event) const
{
    const NameBook* const book = event.valid() ? find(event.report) : nullptr;
    if (!book)
        return nullptr;
    const EventTable& table = m_session.trace(event.report).table(event.event.kind);
    if (isRecordedOnGpu(table.kind, table.trackOf(event.event.index)))
        return nullptr;
    return book->find(event.event.kind, table.name[event.event.index]);
}

} // namespace warpline
