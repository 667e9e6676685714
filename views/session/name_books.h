#pragma once

#include "core/query/name_book.h"
#include "views/session/report_books.h"

#include <memory>
#include <vector>

namespace warpline {

/// The figures of the names of the reports that are open. The names that take most time get colours of their
/// own.
class NameBooks : public ReportBooks {
public:
    explicit NameBooks(Session& session);
    ~NameBooks() override;

    /// nullptr while it is not there.
    const NameBook* find(ReportId report) const;
    /// What is known of the name of `event`; nullptr while it is not.
    const NameSummary* summaryOf(EventId event) const;

private:
    bool isWaitedFor() const; ///< books of complete reports are missing
    bool addColored(); ///< whether there are reports whose names had no colours; they have them then
    /// Colours what is known in the order in which sessions were made, whichever was read first: of two runs
    /// that are compared names have the same colours at every start.
    static void colorInTurn();

    std::vector<std::weak_ptr<const warpline::Trace>> m_colored;
};

} // namespace warpline
