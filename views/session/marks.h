#pragma once

#include "core/handover/mark.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <map>
#include <vector>

namespace warpline {

class TimeView;

/// The user's bookmarks and notes for the open reports. A bookmark is identified by its index in all(), which
/// is sorted by time: every change signals the new index.
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

    /// Notes about the whole reports.
    const QString& notes() const { return m_notes; }
    void setNotes(const QString& notes);

    /// The index of the mark that the user looks at; -1: none.
    int current() const { return m_current; }
    void setCurrent(int place);
    /// Requests editing the text of the bookmark at index `place`.
    void edit(int place);

    /// A hash of the view file that contains these marks and notes; empty: none does.
    const QByteArray& file() const { return m_file; }
    /// They equal the file with that hash.
    void setFile(const QByteArray& hash);
    /// Whether something was changed since.
    bool isChanged() const { return m_isChanged; }

    /// State kept between two runs of the program, so that unsaved changes are not lost.
    struct Kept {
        std::vector<Mark> marks;
        QString notes;
        QByteArray file;
        bool isChanged = false;
        bool operator==(const Kept&) const = default;
    };
    Kept kept() const { return {m_marks, m_notes, m_file, m_isChanged}; }
    void restore(Kept kept);
    /// kept(), with what is other in `stored` since noteStored() of the same `group` of the settings.
    /// Bookmarks that both changed stay as they are here, and notes stand one below the other.
    Kept mergedWith(const Kept& stored, const QString& group) const;
    /// `stored` is what the `group` of the settings has of these marks and notes.
    void noteStored(Kept stored, const QString& group);

signals:
    void changed(); ///< the marks
    void notesChanged();
    void currentChanged(int place);
    void editWanted(int place);
    void refused(const QString& why); ///< add() or setNotes(): what is stored would not be read again

private:
    std::vector<Mark> m_marks;
    QString m_notes;
    QByteArray m_file;
    int m_current = -1;
    bool m_isChanged = false;
    std::map<QString, Kept> m_stored; ///< at noteStored(), by group
};

/// `mine`, with what `theirs` has changed since both were `before`, as Marks::mergedWith().
Marks::Kept merged(const Marks::Kept& before, const Marks::Kept& mine, const Marks::Kept& theirs);

/// Shows the mark at `place` and selects its range; a moment is shown with the scale that there is.
void goToMark(TimeView& time, Marks& marks, int place);

} // namespace warpline
