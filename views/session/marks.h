#pragma once

#include "core/handover/mark.h"

#include <QObject>
#include <QString>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace warpline {

class TimeView;

/// The user's bookmarks and notes for the first open report, on its clock. A bookmark is identified by its
/// index in all(), which is sorted by time: every change signals the new index.
class Marks : public QObject {
    Q_OBJECT
public:
    explicit Marks(QObject* parent = nullptr);

    const std::vector<Mark>& all() const { return m_marks; }
    /// Adds `mark` and returns its index; when there is one of the same time, returns that one. -1:
    /// refused().
    int add(const Mark& mark);
    /// Puts `mark` in the place of the one at `place`. Returns where it is now.
    int change(int place, const Mark& mark);
    void remove(int place);
    /// Other marks and notes altogether, as a file or the settings have them.
    void setAll(std::vector<Mark> marks, const QString& notes);
    void clear() { setAll({}, {}); }
    /// Those of other reports come: forgets what is noted as stored, too.
    void leave();

    /// Notes about the whole report.
    const QString& notes() const { return m_notes; }
    void setNotes(const QString& notes);

    /// The index of the mark that the user looks at; -1: none.
    int current() const { return m_current; }
    void setCurrent(int place);
    /// Requests editing the text of the bookmark at index `place`.
    void edit(int place);

    /// State kept between two runs of the program, so that unsaved changes are not lost.
    struct Kept {
        std::vector<Mark> marks;
        QString notes;
        std::vector<Mark> fileMarks{}; ///< of the view file, when it was last read or written
        QString fileNotes{};
        QString filePath{};
        bool isChanged() const { return marks != fileMarks || notes != fileNotes; }
        bool operator==(const Kept&) const = default;
    };
    Kept kept() const { return {m_marks, m_notes, m_fileMarks, m_fileNotes, m_filePath}; }
    /// Whether they differ from those of the view file.
    bool isChanged() const { return kept().isChanged(); }
    /// The view file at `path` has these: what was changed here since it was last read or written is changed
    /// in them. When that was another file and something is unsaved, all that is here joins them.
    void readFile(const QString& path, const std::vector<Mark>& marks, const QString& notes);
    /// These were written to it.
    void noteFile(const QString& path, std::vector<Mark> marks, const QString& notes);
    void restore(Kept kept);
    /// The settings have `stored` for the report, nothing where they have none: it joins what was made while
    /// the report was loading.
    void restoreStored(std::optional<Kept> stored);
    /// Whether they had any then.
    bool hadStored() const { return m_hadStored; }
    /// What the settings had when they were last read or written here.
    const std::optional<Kept>& stored() const { return m_stored; }
    void noteStored(std::optional<Kept> stored) { m_stored = std::move(stored); }
    /// Why so many marks, and these notes, would not be read again; empty: they are.
    static QString refusal(std::size_t marks, const QString& notes);

signals:
    void changed(); ///< the marks
    void notesChanged();
    void currentChanged(int place);
    void editWanted(int place);
    void refused(const QString& why); ///< what is stored would not be read again

private:
    std::vector<Mark> m_marks;
    QString m_notes;
    std::vector<Mark> m_fileMarks;
    QString m_fileNotes;
    QString m_filePath;
    int m_current = -1;
    std::optional<Kept> m_stored;
    bool m_hadStored = false;
};

/// `mine`, with what `theirs` has changed since both were `before`. A bookmark that both changed is `mine`,
/// and notes that both changed stand one below the other.
Marks::Kept merged(const Marks::Kept& before, const Marks::Kept& mine, const Marks::Kept& theirs);

/// Shows the mark at `place` and selects its range; a moment is shown with the scale that there is.
void goToMark(TimeView& time, Marks& marks, int place);

} // namespace warpline
