#pragma once

#include "core/handover/mark.h"

#include <QByteArray>
#include <QObject>
#include <QString>

#include <optional>
#include <vector>

namespace warpline {

class TimeView;

/// What the user marked in the reports that are open, and wrote about them. Marks are known by their place in
/// all(), which is sorted by time: every change of a mark tells where it is now.
class Marks : public QObject {
    Q_OBJECT
public:
    explicit Marks(QObject* parent = nullptr);

    const std::vector<Mark>& all() const { return m_marks; }
    /// Adds `mark`; one of the same time is there already: then that one. Returns its place.
    int add(const Mark& mark);
    /// Puts `mark` in the place of the one at `place`. Returns where it is now.
    int change(int place, const Mark& mark);
    void remove(int place);
    /// Other marks and notes altogether, as a file or the settings have them.
    void setAll(std::vector<Mark> marks, const QString& notes);
    void clear() { setAll({}, {}); }

    /// What is written about the reports as a whole.
    const QString& notes() const { return m_notes; }
    void setNotes(const QString& notes);

    /// The one that the user looks at; -1: none.
    int current() const { return m_current; }
    void setCurrent(int place);
    /// Asks whoever can to let the user write what the mark at `place` is about.
    void edit(int place);

    /// Which view file marks and notes are those of, by a hash of its bytes; empty: of none.
    const QByteArray& file() const { return m_file; }
    /// They are what the file with that hash holds.
    void setFile(const QByteArray& hash);
    /// Whether something was changed since.
    bool isChanged() const { return m_isChanged; }

    /// What is kept between two runs of the program, so that nothing is lost that was not saved.
    struct Kept {
        std::vector<Mark> marks;
        QString notes;
        QByteArray file;
        bool isChanged = false;
    };
    Kept kept() const { return {m_marks, m_notes, m_file, m_isChanged}; }
    void restore(Kept kept);

signals:
    void changed(); ///< the marks
    void notesChanged();
    void currentChanged(int place);
    void editWanted(int place);

private:
    std::vector<Mark> m_marks;
    QString m_notes;
    QByteArray m_file;
    int m_current = -1;
    bool m_isChanged = false;
};

/// Shows the mark at `place` and selects its range; a moment is shown with the scale that there is.
void goToMark(TimeView& time, Marks& marks, int place);

} // namespace warpline
