#pragma once

#include "core/handover/view_file.h"
#include "views/session/marks.h"

#include <QByteArray>
#include <QObject>
#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace warpline {

class ReportList;
class RowFilter;
class RowTree;
class Session;
class Trace;

/// The view file of the reports that are open: found beside them or named, applied, and written. A file that
/// is not what was read or written last is never overwritten without being asked for.
class ViewFiles : public QObject {
    Q_OBJECT
public:
    /// Both outlive this object.
    ViewFiles(Session& session, ReportList& reports, QObject* parent = nullptr);

    /// The filter of the rows that the view is about; it outlives this.
    void setRowFilter(RowFilter& filter) { m_rowFilter = &filter; }
    /// Takes the file at `path` for the reports that are opened next, instead of the one beside them.
    void want(const QString& path) { m_wanted = path; }
    /// Other reports are being opened: the view is theirs.
    void forget();
    /// The same reports are being opened anew, maybe recorded again: they will be looked at as they are now,
    /// as far as they have the same, whatever the file beside them says.
    void keep();
    /// All of the reports is there: applies their view, once.
    void apply();

    /// Where the view is written: beside the report, that of the bundled one with the user's data, or where
    /// the user wanted it. Empty: no report is open.
    QString path() const;
    enum class Outcome : std::uint8_t {
        Written,
        Failed, ///< failed() has told why
        Foreign, ///< there is a file that is not the one that was read: ask, then write with `force`
    };
    Outcome save(bool force = false);
    Outcome saveAs(const QString& path); ///< a dialog has asked whether to overwrite

    /// The report that the view at `path` lies beside; empty: `path` is no view, or no report is there.
    static QString reportBeside(const QString& path);

signals:
    void said(const QString& text); ///< for the status bar
    void failed(const QString& message);
    void thresholdsChanged(); ///< of rules: the view brought some

private:
    /// How reports were looked at that are being opened anew.
    struct Kept {
        SavedView view;
        Marks::Kept marks;
        bool showsAll = false;
        std::weak_ptr<const Trace> of; ///< the first of them
        std::vector<std::shared_ptr<const RowTree>> rows; ///< of each
    };
    void applyKept(Kept kept);
    void adapt(Kept& kept) const; ///< to another recording
    void read(const QString& path, bool isWanted);
    void applyClocks(const SavedView& view);
    void applyRowFilter(const RowFilterOfView& wanted);
    static DrawingOfView drawing();
    static void draw(const DrawingOfView& wanted);

    Session& m_session;
    ReportList& m_reports;
    QString m_wanted;
    QString m_path; ///< where the user wants it; empty: beside the report
    QByteArray m_hash; ///< of what was read or written last; empty: nothing
    bool m_isApplied = false;
    std::optional<Kept> m_kept;
    RowFilter* m_rowFilter = nullptr;
    bool m_filtersRows = false; ///< the view does
    /// How things were drawn before a view came, and how it wants them: the user's own choice comes back.
    std::optional<std::pair<DrawingOfView, DrawingOfView>> m_drawing;
};

} // namespace warpline
