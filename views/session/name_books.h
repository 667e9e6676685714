#pragma once

#include "core/query/name_book.h"
#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QObject>

#include <memory>
#include <vector>

namespace warpline {

/// The figures of the names of the reports that are open, worked out in the background once for each report.
/// The names that take most time get colours of their own.
class NameBooks : public QObject {
    Q_OBJECT
public:
    /// `session` outlives this object.
    explicit NameBooks(Session& session);
    ~NameBooks() override;

    /// nullptr while it is not there.
    const NameBook* find(ReportId report) const;
    /// What is known of the name of `event`; nullptr while it is not.
    const NameSummary* summaryOf(EventId event) const;
    bool isBusy() const { return m_job.isBusy(); }

signals:
    void changed();

private:
    void workOut();
    bool isWaitedFor() const; ///< books of complete reports are missing
    /// Colours what is known in the order in which sessions were made, whichever was read first: of two runs
    /// that are compared names have the same colours at every start.
    static void colorInTurn();

    struct Book {
        std::weak_ptr<const Trace> trace;
        std::shared_ptr<const NameBook> book;
        bool isColored = false; ///< its names have colours
    };
    static Book bookOf(const std::shared_ptr<const Trace>& trace, const std::stop_token& stop);
    const Book* ofReport(ReportId report) const;

    Session& m_session;
    std::vector<Book> m_books;
    LatestJob m_job;
};

} // namespace warpline
