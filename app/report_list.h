#pragma once

#include "core/workspace/report_set.h"
#include "core/workspace/workspace.h"
#include "views/loading/latest_job.h"
#include "views/loading/trace_loader.h"
#include "views/models/written_files.h"

#include <QObject>
#include <QString>
#include <QStringList>
#include <QTimer>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

class ReportConverter;
struct ReadView;

/// A file that the user wants to open, with its state.
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
    std::optional<std::size_t> colorIndex; ///< see OpenReport; nothing: the first free one
    /// Its loaded part; trace is null before there is any.
    OpenReport report;
    OpenReport earlier = {}; ///< while it is read again: it stays if that fails

    bool isThere() const { return report.trace != nullptr; }
    bool isShown() const { return isThere() && choices.isIncluded; }
    bool canShow() const { return isThere() || state != State::Failed; } ///< is there, or may come
};

/// The files that are open together, in order: loads them in parallel, and signals each new workspace. A file
/// that fails stays in the list with the reason, and the others are shown.
class ReportList : public QObject {
    Q_OBJECT
public:
    explicit ReportList(QObject* parent = nullptr);
    ~ReportList() override;

    /// Opens `names` (see findReportFiles(); or a file with a set of reports) instead of the open ones, which
    /// stay until the first that is not left out is loaded, or for good when all of these fail.
    void open(const QStringList& names);
    /// The same of what a user names: also a view of the other reports there; alone, of the open reports, or
    /// of its reports next to it. A fleet's result is not opened: see summaryNamed().
    void openAny(const QStringList& names);
    /// Applies the view that was read from `path` to the open reports. False: it is of others.
    using ViewTaker = std::function<bool(const QString& path, const ReadView& read)>;
    void setViewTaker(ViewTaker taker) { m_takeView = std::move(taker); }
    /// The files with the user's settings for them, for the same or another list.
    struct Listed {
        std::vector<ListedReport> reports;
        QString setPath; ///< of the saved set that they are; empty: none

        std::vector<ReportOfSet> set() const;
        QStringList names() const; ///< see ReportList::names()
        /// What the user chose for them, to be chosen again with takeChoices(), as reportSetJson(); empty:
        /// nothing.
        QByteArray choices() const;
    };
    Listed listed() const { return {m_reports, m_setPath}; }
    /// Opens these instead, as they are. Reads only those that are not loaded; of one that failed, the part
    /// that is there stays. Where none is read, all is done when it returns.
    void openListed(Listed listed);
    /// Reloads the same files, with the user's settings for them. Those that fail stay as they are.
    void reopen();
    /// Opens `names` in addition to the open ones.
    void add(const QStringList& names);
    void close();
    /// Cancels loading; loaded parts stay.
    void cancel();
    void remove(std::size_t place);
    void change(std::size_t place, ReportChoices choices);
    /// The same of several, by their places: they are shown once.
    void change(std::map<std::size_t, ReportChoices> all);
    void show(); ///< signals those that are there
    void takeChoices(const QByteArray& stored);
    const std::vector<ListedReport>& reports() const { return m_reports; }
    /// The index in reports() of the report `id` of the last signalled workspace; nothing while reports()
    /// are others, of which none is shown yet.
    std::optional<std::size_t> placeOf(ReportId id) const
    {
        return m_before.empty() && raw(id) < m_places.size() ? std::optional(m_places[raw(id)])
                                                             : std::nullopt;
    }
    bool isEmpty() const { return m_reports.empty(); }
    /// The paths of all that are listed, and of the previous ones that may come back.
    QStringList files() const;
    bool isLoading() const;
    /// Others are being opened instead of those that were shown last, or looked for.
    bool isReplacing() const;

    /// Writes the set to `path`, then does `done` with an error as a sentence, or an empty text: before it
    /// returns, unless the disk takes longer.
    void save(const QString& path, std::function<void(const QString& problem)> done);
    /// Arguments for open() to open the same again: the file of a set, else the paths; empty: nothing is
    /// open.
    QStringList names() const { return listed().names(); }
    QStringList openedNames() const; ///< the same without the files that failed
    /// For the title: the name of the file, or of the first and how many there are more.
    QString title() const;

    void setCacheUsed(bool used);
    ReportConverter& converter() { return *m_converter; }

signals:
    /// openAny() found what is named, and opens it now, with the view at `view`; empty: with their own.
    void opening(const QString& view);
    void summaryNamed(const QString& path); ///< by openAny(): a fleet's result
    void shown(const warpline::Workspace& workspace);
    void changed(); ///< reports()
    /// The files of ListedReports are read from now on: later content is a change.
    void reading(const QStringList& paths);
    void progressed(int permille, const QString& text); ///< permille -1: not known
    void finished(); ///< nothing is being opened any more
    void tooLarge(const QString& path, warpline::TimeRange part); ///< see TraceLoader
    void failed(const QString& message); ///< which of the requested files failed, and why

private:
    struct Named;
    /// Finds with `find` what `names` stand for, and does `then`: at once, or when their disk answers.
    void look(const QStringList& names, Named (*find)(const QStringList& names, const std::stop_token& stop),
        void (ReportList::*then)(Named named));
    /// Drops what look() still looks for; m_problems says so.
    void stopLooking();
    void startAny(Named named);
    void startInstead(Named named); ///< the open reports
    void startBeside(Named named);
    void start(Named named);
    void startLoading(const std::vector<std::size_t>& places);
    void convertNext();
    void onProgress(const LoadingState& state);
    void onLoaded(const OpenReport& report, int number);
    void onFailed(const QString& message, int number);
    void onConversionFailed(const QString& message);
    void fail(ListedReport& report, const QString& message);
    void arrived(); ///< one of them is loaded, or failed
    void keepEarlier(); ///< nothing is read any more: of those that were read again and failed
    static OpenReport toShow(const ListedReport& listed, const std::string& name);
    void tellProblems();
    ListedReport* withNumber(int number);

    TraceLoader m_loader;
    ViewTaker m_takeView;
    LatestJob m_looking{JobPool::files()};
    FileWriter m_writer{nullptr, this};
    QString m_lookedFor; ///< the first name, while m_looking is busy
    bool m_looksForOthers = false; ///< the same: to open them instead
    ReportConverter* m_converter;
    std::vector<ListedReport> m_reports;
    std::vector<ListedReport> m_before; ///< the previous reports, until one of m_reports is shown
    std::vector<std::size_t> m_places; ///< for the reports of the last signalled workspace
    QStringList m_problems; ///< shown when all is done
    QString m_setPath; ///< the file with the set that is open; empty: none
    QString m_setBefore;
    std::optional<std::size_t> m_converting;
    bool m_choosesNext = false; ///< convertNext() runs
    QTimer m_showSoon; ///< joins reports that arrive one after another
    int m_showMs = 0; ///< how long that takes; longer each time
    bool m_cacheUsed = true;
};

} // namespace warpline
