#pragma once

#include "core/query/name_book.h"
#include "views/session/report_books.h"

#include <memory>
#include <vector>

namespace warpline {

/// Statistics of the names in the open reports. The names with most time get colours of their own.
class NameBooks : public ReportBooks {
public:
    explicit NameBooks(Session& session);
    ~NameBooks() override;

    /// nullptr while it is not there.
    const NameBook* find(ReportId report) const;
    /// Statistics of the name of `event`; nullptr until they are known, and for
    /// isRecordedOnGpu(): a book has the ranges of threads.
    const NameSummary* summaryOf(EventId event) const;

private:
    bool isWaitedFor() const; ///< books of complete reports are missing
    bool addColored(); ///< colours the names of further reports; returns whether there were any
    /// Colours names in the order of creation of sessions, not of reading: two compared runs get the same
    /// colours at every start.
    static void colorInTurn();

    std::vector<std::weak_ptr<const warpline::Trace>> m_colored;
};

} // namespace warpline
