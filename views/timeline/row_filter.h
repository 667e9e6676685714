#pragma once

#include "views/loading/latest_job.h"
#include "views/session/session.h"

#include <QObject>
#include <QRegularExpression>
#include <QStringList>
#include <QTimer>

#include <array>
#include <optional>
#include <vector>

namespace warpline {

/// Rows that are looked at together.
enum class RowSet : std::uint8_t {
    All,
    Compute, ///< what GPUs did
    Communication, ///< NCCL, MPI, networks
    Host, ///< processes, threads, CPU cores
    Metrics, ///< counters
    Mine, ///< those the user named
};
inline constexpr std::array allRowSets{
    RowSet::All, RowSet::Compute, RowSet::Communication, RowSet::Host, RowSet::Metrics, RowSet::Mine};
/// "Compute" in the user's language.
QString titleOf(RowSet set);

/// The words that rows are looked for by: `kernels, stream 7` are alternatives, of each all words must stand
/// in the labels of the row and of those above it; `-memory` leaves rows out; /.../ is a regular expression.
class RowTerms {
public:
    RowTerms() = default;
    explicit RowTerms(const QString& text);

    bool isEmpty() const { return m_wanted.empty() && m_unwanted.isEmpty(); }
    /// Whether each expression can be understood.
    bool isSound() const { return m_sound; }
    /// `path`: the labels of the rows from the top to the one asked about, which is the last.
    bool accepts(const QString& path) const;

private:
    struct Alternative {
        QStringList words;
        std::vector<QRegularExpression> expressions;
    };
    std::vector<Alternative> m_wanted;
    QStringList m_unwanted;
    bool m_sound = true;
};

/// Which rows the timeline leaves out for now: by words, by a set, without events in view, GPUs that did
/// nothing. Nothing of it is an arrangement of the user's: hidden rows are the session's, and stay hidden.
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

    /// Whether `row` is among the rows of the timeline, as far as it goes.
    bool passes(RowId row) const { return raw(row) >= m_passes.size() || m_passes[raw(row)]; }
    /// Whether `row` is open because something below it is looked for.
    bool opens(RowId row) const { return raw(row) < m_opens.size() && m_opens[raw(row)]; }
    /// How many rows are left out, those below them not counted.
    int leftOut() const { return m_leftOut; }
    /// Pins the rows that the words find, at most some twenty; how many.
    int pinMatching();

    /// The rows of RowSet::Mine: the user's, or those that a view brought. Each by the key and the values of
    /// its label, so that it is the same in all languages and reports; of earlier versions by the label in
    /// English.
    static QStringList mine();
    /// Those of a view that is open, instead of the user's; nothing: the user's again.
    static void setMineOfView(const std::optional<QStringList>& rows);
    /// Those of them that the open reports have.
    QStringList mineHere() const;
    static void setMine(const Row& row, bool isMine);
    static bool isMine(const Row& row);
    void mineChanged();

signals:
    void changed();

private:
    void evaluate(); ///< and tells of it
    void judge();
    void askForView(); ///< which rows have events in what is shown
    bool isOfSet(RowId row) const;
    bool isIdleGpu(RowId row) const;
    QString pathOf(RowId row) const;
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
    std::vector<bool> m_found; ///< by the words themselves
    std::vector<std::uint32_t> m_inView; ///< lanes with events, of the last answer; empty: none yet
    std::vector<RowId> m_inSpite; ///< asked for by name: a jump went there
    QTimer m_rest;
    LatestJob m_viewJob;
};

} // namespace warpline
