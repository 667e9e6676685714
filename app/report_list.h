#pragma once

#include "core/workspace/report_set.h"
#include "core/workspace/workspace.h"
#include "views/loading/latest_job.h"
#include "views/loading/trace_loader.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace warpline {

class ReportConverter;

/// A file that the user wants open, and what became of it.
struct ListedReport {
    enum class State : std::uint8_t {
        Recorded, ///< waits for nsys to export it
        Loading,
        Open,
        Failed,
    };
    QString path; ///< as the user has it: an export, or a recorded report; absolute
    ReportChoices choices;
    State state = State::Loading;
    QString problem; ///< Failed: why, in a sentence
    int number = 0; ///< of the loader
    /// What is there of it, maybe in part; trace is null when nothing is.
    OpenReport report;
};

/// The files that are open together, in their order: opens them side by side, and tells what to show whenever
/// that is another workspace. One that cannot be opened stays in the list with the reason, and the others are
/// shown.
class ReportList : public QObject {
    Q_OBJECT
public:
    explicit ReportList(QObject* parent = nullptr);
    ~ReportList() override;

    /// Opens `names` (see findReportFiles(); or a file with a set of reports) instead of what is open, which
    /// stays until the first of them is there, and for good when none can be opened.
    void open(const QStringList& names);
    /// Opens the same files anew, with what the user said of them.
    void reopen();
    /// The same beside what is open.
    void add(const QStringList& names);
    void close();
    /// Ends what is being opened; what was read by then stays.
    void cancel();
    void remove(std::size_t place);
    void change(std::size_t place, ReportChoices choices);
    const std::vector<ListedReport>& reports() const { return m_reports; }
    /// Which of reports() the report `id` of the workspace that was told last is.
    std::size_t placeOf(ReportId id) const { return m_places[raw(id)]; }
    bool isEmpty() const { return m_reports.empty(); }
    bool isLoading() const;

    /// Writes the set to `path`. Empty on success, else what went wrong in a sentence.
    QString save(const QString& path);
    /// What opens the same again: the file of a set, else the paths, a line each.
    QString origin() const;
    /// What open() takes to open the same again; none: nothing is open.
    QStringList names() const { return origin().split('\n', Qt::SkipEmptyParts); }
    /// For the title: the name of the file, or of the first and how many there are more.
    QString title() const;

    void setCacheUsed(bool used);
    ReportConverter& converter() { return *m_converter; }

signals:
    void shown(const warpline::Workspace& workspace);
    void changed(); ///< reports()
    /// From now on what the file of a ListedReport holds is read: what it holds later is something else.
    void reading(const QString& path);
    void progressed(int permille, const QString& text); ///< permille -1: not known
    void finished(); ///< nothing is being opened any more
    void tooLarge(const QString& path, warpline::TimeRange part); ///< see TraceLoader
    void failed(const QString& message); ///< what of the files that were asked for is not open, and why

private:
    struct Named;
    /// Finds what `names` stand for, and does `then`: at once, or when their disk answers.
    void look(const QStringList& names, void (ReportList::*then)(Named named));
    void startInstead(Named named); ///< of what is open
    void startBeside(Named named);
    void start(Named named);
    void startLoading(const std::vector<std::size_t>& places);
    void convertNext();
    void onProgress(const LoadingState& state);
    void onLoaded(const OpenReport& report, int number);
    void onFailed(const QString& message, int number);
    void onConversionFailed(const QString& message);
    void fail(ListedReport& report, const QString& message);
    void arrived(); ///< one of them is open, or failed
    void show();
    OpenReport toShow(const ListedReport& listed) const;
    void tellProblems();
    ListedReport* withNumber(int number);

    TraceLoader m_loader;
    LatestJob m_looking{JobPool::files()};
    QString m_lookedFor; ///< the first name, while m_looking is busy
    ReportConverter* m_converter;
    std::vector<ListedReport> m_reports;
    std::vector<ListedReport> m_before; ///< what was open, until something of m_reports is there
    std::vector<std::size_t> m_places; ///< of the reports of the workspace that was told last
    QStringList m_problems; ///< to be told when all is done
    QString m_setPath; ///< the file with the set that is open; empty: none
    QString m_setBefore;
    std::optional<std::size_t> m_converting;
    QTimer m_showSoon; ///< joins reports that arrive one after another
    int m_showMs = 0; ///< how long that takes; longer each time
    bool m_cacheUsed = true;
};

} // namespace warpline
