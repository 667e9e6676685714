#include "views/session/name_books.h"

#include "core/query/event_facts.h"
#include "core/store/trace.h"
#include "views/style/name_colors.h"

#include <algorithm>
#include <string_view>
#include <utility>

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

/// Those of all sessions, as they were made.
std::vector<NameBooks*>& inOrder()
{
    static std::vector<NameBooks*> all;
    return all;
}

} // namespace

NameBooks::Book NameBooks::bookOf(const std::shared_ptr<const Trace>& trace, const std::stop_token& stop)
{
    prepareFacts(*trace, stop); // for tips: now, not when the mouse comes
    return {trace, std::make_shared<const NameBook>(NameBook::of(*trace, stop)), false};
}

bool NameBooks::isWaitedFor() const
{
    // A report that is still being read is waited for, too: it was opened first.
    const auto& reports = m_session.workspace().reports();
    return std::ranges::any_of(
        reports, [&](const OpenReport& report) { return !report.trace->complete || !find(report.id); });
}

void NameBooks::colorInTurn()
{
    std::vector<std::shared_ptr<const Trace>> held; // whose texts the names are
    std::vector<std::string_view> kernels;
    std::vector<std::string_view> ranges;
    std::vector<NameBooks*> colored;
    for (NameBooks* const books : inOrder()) {
        for (Book& each : books->m_books) {
            const auto trace = each.trace.lock();
            if (!trace)
                continue;
            addNames(*trace, *each.book, EventKind::Kernel, kernels);
            addNames(*trace, *each.book, EventKind::Nvtx, ranges);
            held.push_back(trace);
            if (!std::exchange(each.isColored, true) && (colored.empty() || colored.back() != books))
                colored.push_back(books);
        }
        if (books->isWaitedFor())
            break;
    }
    if (held.empty())
        return;
    NameColors::shared().assign(ColorGroup::Kernel, kernels);
    NameColors::shared().assign(ColorGroup::Host, ranges);
    for (NameBooks* const books : colored)
        emit books->changed();
}

NameBooks::~NameBooks()
{
    std::erase(inOrder(), this);
}

NameBooks::NameBooks(Session& session)
    : m_session(session),
      m_job(this, Urgency::Background)
{
    inOrder().push_back(this);
    connect(&session, &Session::traceChanged, this, &NameBooks::workOut);
    workOut();
}

const NameBooks::Book* NameBooks::ofReport(ReportId report) const
{
    const auto& trace = m_session.workspace().report(report).trace;
    const auto found
        = std::ranges::find_if(m_books, [&](const Book& book) { return book.trace.lock() == trace; });
    return found == m_books.end() ? nullptr : &*found;
}

const NameBook* NameBooks::find(ReportId report) const
{
    const Book* const known = ofReport(report);
    return known ? known->book.get() : nullptr;
}

const NameSummary* NameBooks::summaryOf(EventId event) const
{
    const NameBook* const book = event.valid() ? find(event.report) : nullptr;
    if (!book)
        return nullptr;
    const EventTable& table = m_session.trace(event.report).table(event.event.kind);
    return book->find(event.event.kind, table.name[event.event.index]);
}

void NameBooks::workOut()
{
    std::erase_if(m_books, [](const Book& book) { return book.trace.expired(); });
    std::vector<std::shared_ptr<const Trace>> missing;
    for (const OpenReport& report : m_session.workspace().reports()) {
        if (report.trace->complete && !find(report.id))
            missing.push_back(report.trace);
    }
    if (missing.empty()) {
        m_job.cancel();
        colorInTurn(); // others may have waited for what is gone
        return;
    }
    m_job.start(
        [missing = std::move(missing)](const std::stop_token& stop) {
            std::vector<Book> books;
            for (const auto& trace : missing)
                books.push_back(bookOf(trace, stop));
            return books;
        },
        [this](std::vector<Book> books) {
            for (Book& each : books)
                m_books.push_back(std::move(each));
            emit changed();
            colorInTurn();
        });
}

} // namespace warpline
