#pragma once

#include "core/handover/view_file.h"
#include "core/workspace/event_id.h"
#include "views/loading/latest_job.h"
#include "views/models/written_files.h"
#include "views/session/marks.h"
#include "views/session/result_rows.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>
#include <QVariant>

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warpline {

class ReportList;
class RowFilter;
class RowTree;
class Session;
class Trace;
class Workspace;

/// What `filter` lets through, as a view has it.
RowFilterOfView rowFilterOf(const RowFilter& filter);
/// Makes `filter` let through what a view `wanted`.
void applyRowFilter(RowFilter& filter, const RowFilterOfView& wanted);

/// What a view file holds, or why it cannot be used.
struct ReadView {
    QByteArray hash; ///< of the file; empty: it could not be read
    Result<SavedView> view;

    /// Whether it is a view, maybe of a newer Warpline, and no other file with its ending.
    bool isView() const;
};

/// What a view has now for all of the program and for the filter of rows: it may have changed since the file
/// was read. What the user chose instead is in the settings.
struct ChoicesOfView {
    QByteArray file; ///< the hash of the file; empty: there is none
    std::map<std::string, double> thresholds;
    QVariantMap drawing;
    std::optional<QStringList> mine; ///< see RowFilter
    RowFilterOfView rowFilter; ///< without those
};

/// An SQL row of the report at `path`.
struct RowOfReport {
    QString path;
    AskedRow row;
};

/// The view file of the open reports: found next to them or named, applied, and written. A file that differs
/// from what was last read or written is only overwritten on confirmation.
class ViewFiles : public QObject {
    Q_OBJECT
public:
    /// `others` are those of side B. All outlive this object.
    ViewFiles(Session& session, ReportList& reports, const ReportList& others, QObject* parent = nullptr);

    /// The filter of the rows that the view is about; it outlives this.
    void setRowFilter(RowFilter& filter) { m_rowFilter = &filter; }
    /// Uses the file at `path` instead of the one next to the reports that come after forget().
    void use(const QString& path) { m_path = path; }
    /// B, as it is listed, has the file at `path` when it becomes A; empty: its own.
    void useForB(const QString& path);
    /// Applies the view that was read from `path` to the open reports; unsaved bookmarks and notes join its
    /// own. False, and nothing happens: it is of others, or these are not read yet.
    bool open(const QString& path, const ReadView& read);
    /// Other reports are being opened: the view is theirs.
    void forget();
    /// The reports of `next` are about to be shown: forgets the view when none of those is left that it was
    /// applied to or written for, and says so. Then their own is to be applied.
    bool leave(const Workspace& next);
    /// Others of the listed reports are shown: those that were hidden have their SQL rows again.
    void showHidden();
    /// The same reports are read again, maybe of another recording: what is to be done when the first is
    /// there. It keeps the view that they have then as far as possible, whatever their view file contains; in
    /// a comparison, which moves it when B is there, that of now.
    std::function<void()> reloaded();
    /// B is about to be read again: keeps what it has now, when A can no longer come to nothing at once.
    void keepB();
    /// B is about to be shown again: its bookmarks, notes and SQL rows are kept as they are now.
    void keepMarksOfB();
    /// The runs of a comparison change sides: what is to be done when B is there as A, and nothing before. It
    /// keeps B's view, and for B what is selected in A, with A's SQL rows.
    std::function<void()> swapped();
    /// These reports give way to others for a while: what is to be done when the first of them is there
    /// again. It keeps the view that they have now, except for what their view file contains.
    std::function<void()> returning();
    /// The SQL rows of `side`, which shows `list`, but for those that a view file brought.
    std::vector<RowOfReport> rowsAdded(const Session& side, const ReportList& list) const;
    /// The reports that are being opened get these rows of theirs when their view is applied.
    void addLater(std::vector<RowOfReport> rows) { m_later = std::move(rows); }
    /// All of the reports is there: applies their view, once.
    void apply();
    /// What apply() has is of those that are shown: others of their list may still be read.
    bool isBack() const;

    /// The view is being read.
    bool isBusy() const { return m_reading.isBusy(); }

    /// The path of the view: next to the report, with the user's data for the bundled one, or the user's
    /// choice. Empty: no report is open.
    QString path() const;
    /// The user's choice, while it is the view of the reports that are shown; else empty.
    QString named() const { return isOfThese() ? m_path : QString(); }
    /// The same of B, which was A before a swap, maybe in another window.
    QString namedOfB() const { return fileOfB().path; }
    /// Whether the view file was read or written for just the reports that are shown.
    bool isOfThese() const;
    enum class Outcome : std::uint8_t {
        Written,
        Failed, ///< failed() was emitted
        Foreign, ///< there is a file that is not the one that was read: ask, then write with `force`
        Later, ///< a signal tells: the disk takes its time
    };
    Outcome save(bool force = false) { return saveTo(path(), force); }
    /// A dialog has asked whether to overwrite.
    Outcome saveAs(const QString& path) { return saveTo(path, true); }

    ChoicesOfView choices() const;
    /// Makes them those of the view again, where its file is still the same.
    void restore(const ChoicesOfView& choices);

    /// What the view at `path` holds. Nothing: it is another file, and not wanted.
    static std::optional<ReadView> readAt(const QString& path, bool isWanted);
    /// Says which reports `view`, the one at `path`, is of, and what to do to see it.
    static QString ofOtherReports(const SavedView& view, const QString& path);

signals:
    void said(const QString& text); ///< for the status bar
    void noticed(const QString& message); ///< to stay until it is read
    void failed(const QString& message);
    void thresholdsChanged(); ///< of rules: the view brought some
    void foreignLate(); ///< Outcome::Foreign, after save() returned
    void appliedLate(); ///< the view, or there is none: after apply() returned

private:
    using Traces = std::vector<std::weak_ptr<const Trace>>;
    void forgetView(); ///< forget(), but for the rows of hidden reports
    /// The view of reports that are reloaded.
    struct Kept {
        SavedView view;
        Marks::Kept marks;
        bool showsAll = false;
        bool showsGpuWork = false;
        bool isOfOtherRun = false; ///< which may have a view file of its own: then it joins that
        std::vector<std::shared_ptr<const RowTree>> rows; ///< of each
        EventId current; ///< for the same recording
        std::string program; ///< of the first, which has the marks; empty: unknown
        ChoicesOfView choices; ///< of another run: what it is a change of
        std::vector<RowOfReport> asked; ///< its SQL rows: they stay with their report among others
        Traces of; ///< of B, while it is reloaded: its reports before
        QStringList paths; ///< the listed reports that it is of
        std::vector<std::string> shownPaths; ///< of those, the ones that were shown; empty: unknown
        bool isReplaced = false; ///< with `of`: others were shown since

        bool isOf(const ReportList& list, const Session& session) const; ///< which shows it
        bool isOfFirst(const ReportList& list, const Session& session) const; ///< which has the marks
    };
    /// The view file of a side.
    struct FileOfRun {
        QString path; ///< the user's choice
        ChoicesOfView choices;
        QStringList paths; ///< the listed reports that it is of, also where they are read again
    };
    FileOfRun fileOfB() const; ///< m_fileOfB, unless B is another; it may wait for A
    Outcome saveTo(const QString& path, bool force);
    /// `view` of the reports `of`, whose file has `hash`, is at `path`.
    void noteWritten(const SavedView& view, const QByteArray& hash, const QString& path, const Traces& of);
    /// The view of `session`, as it is now; nothing: not all of its reports are there.
    std::optional<Kept> keptOf(const Session& session) const;
    /// What restoreB() needs, of `session`, which shows `list`.
    std::optional<Kept> keptForB(const Session& session, const ReportList& list) const;
    void applyKept(Kept kept);
    void restoreB();
    std::vector<RowOfReport> withoutThoseOfFiles(std::vector<RowOfReport> rows) const;
    void adapt(Kept& kept) const; ///< to another recording
    /// The bookmarks and notes of `session`, whose reports are reloaded. False: it has others now, and to
    /// replace the file of those before, the user is asked.
    bool restoreMarks(Session& session, const Kept& kept);
    void take(const ReadView& read, const QString& path);
    void choose(const QString& path); ///< of the reports that are shown
    void applyClocks(const SavedView& view);
    static DrawingOfView drawing();
    static void draw(const DrawingOfView& wanted);

    Session& m_session;
    ReportList& m_reports;
    const ReportList& m_others;
    QString m_path; ///< the user's choice; empty: next to the report
    QByteArray m_hash; ///< of the content last read or written; empty: none
    Traces m_of; ///< the reports that the view was applied to or written for; empty: not yet
    LatestJob m_reading{JobPool::files()};
    FileWriter m_writer{&m_session, this};
    std::function<void()> m_again; ///< saves what changed while the view was being written
    std::optional<Kept> m_kept;
    std::optional<Kept> m_keptOfB; ///< its SQL rows, bookmarks and what is selected are
    FileOfRun m_fileOfB; ///< that was A before a swap
    std::vector<RowOfReport> m_later; ///< see addLater()
    std::vector<RowOfReport> m_hidden; ///< of reports that are listed and left out
    std::vector<RowOfReport> m_ofFiles; ///< that view files brought, also to a run that is B now
    RowFilter* m_rowFilter = nullptr;
    bool m_filtersRows = false; ///< the view does
};

} // namespace warpline
