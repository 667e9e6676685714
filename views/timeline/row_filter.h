#pragma once

#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QObject>
#include <QStringList>
#include <QTimer>

#include <memory>
#include <optional>
#include <vector>

namespace warpline {

class RegularExpression;

/// Sets of rows that the timeline can show.
enum class RowSet : std::uint8_t {
    All,
    Compute, ///< GPU activity
    Communication, ///< NCCL, MPI, networks
    Host, ///< processes, threads, CPU cores
    Metrics, ///< counters
    Mine, ///< those the user named
};
/// "Compute" in the user's language.
QString titleOf(RowSet set);

/// The text filter of rows: `kernels, stream 7` are alternatives, each matches when all its words are in the
/// labels of the row and its parents; `-memory` excludes rows; /.../ is a RegularExpression. Of 2,000
/// letters, 100 terms and 4 expressions the rest is ignored. Not for two threads at once.
class RowTerms {
public:
    RowTerms() = default;
    explicit RowTerms(const QString& text);

    bool isEmpty() const { return m_wanted.empty() && m_unwanted.isEmpty(); }
    /// Whether each expression can be understood, and none took too long: that accepts what it did not
    /// search.
    bool isSound() const;
    /// `path`: the labels from the top row to the tested row, which is the last.
    bool accepts(const QString& path) const;

private:
    struct Alternative {
        QStringList words;
        std::shared_ptr<RegularExpression> expression; ///< in place of words
    };
    std::vector<Alternative> m_wanted;
    QStringList m_unwanted;
    bool m_sound = true;
};

/// The label of each row behind those of the rows above it, with `separator` between them: "GPU 0 Stream 7".
/// Of a label 500 letters: a stranger named it.
std::vector<QString> rowPaths(const RowTree& rows, const QString& separator);

/// Which rows the timeline temporarily hides: by text, by a set, without visible events, idle GPUs. Rows that
/// the user hid are part of the session, and stay hidden.
class RowFilter : public QObject {
    Q_OBJECT
public:
    explicit RowFilter(Session& session, QObject* parent = nullptr);

    const QString& text() const { return m_text; }
    void setText(const QString& text);
    bool isSound() const { return m_terms.isSound(); }
    RowSet set() const { return m_set; }
    void setSet(RowSet set);
    bool onlyInView() const { return m_onlyInView; }
    void setOnlyInView(bool only);
    bool showsIdleGpus() const { return m_showsIdle; }
    void setShowsIdleGpus(bool shown);
    /// GPUs of a process that have rows but no work, and stand aside; 0 while they are shown.
    int idleGpus() const { return m_showsIdle ? 0 : m_idleCount; }

    /// Whether `row` passes the filters.
    bool passes(RowId row) const { return raw(row) >= m_passes.size() || m_passes[raw(row)]; }
    /// Whether `row` is expanded because the filter matches a row below it.
    bool opens(RowId row) const { return raw(row) < m_opens.size() && m_opens[raw(row)]; }
    /// How many rows are hidden, not counting the rows below them.
    int leftOut() const { return m_leftOut; }
    /// Pins the matching rows, at most about twenty; returns their number.
    int pinMatching();

    /// The rows of RowSet::Mine: the user's, or a view's. By the key and the values of the label, which are
    /// equal in all languages and reports; in earlier versions by the English label.
    static QStringList mine();
    /// Uses the rows of an open view instead of the user's; nothing: the user's again.
    static void setMineOfView(const std::optional<QStringList>& rows);
    static std::optional<QStringList> mineOfView();
    /// The rows of mine() that the open reports have.
    QStringList mineHere() const;
    static void setMine(const Row& row, bool isMine);
    static bool isMine(const Row& row);
    void mineChanged();

signals:
    void changed();

private:
    void evaluate(); ///< emits changed()
    void judge();
    void askForView(); ///< which rows have events in the shown range
    bool isOfSet(RowId row) const;
    bool isIdleGpu(RowId row) const;
    void showInSpite(RowId row);

    Session& m_session;
    QString m_text;
    RowTerms m_terms;
    RowSet m_set = RowSet::All;
    bool m_onlyInView = false;
    bool m_showsIdle = false;
    int m_idleCount = 0;
    int m_leftOut = 0;
    std::vector<bool> m_passes; ///< by RowId; empty: all
    std::vector<bool> m_opens;
    std::vector<bool> m_found; ///< by the text filter
    std::vector<std::uint32_t> m_inView; ///< lanes with events, of the last result; empty: none yet
    std::vector<RowId> m_inSpite; ///< shown because a jump went there
    QTimer m_rest;
    LatestJob m_viewJob;
};

} // namespace warpline
