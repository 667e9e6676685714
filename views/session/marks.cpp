#include "views/session/marks.h"

#include "views/session/time_view.h"
#include "views/style/rich_text.h"

#include <QRegularExpression>
#include <QSet>
#include <QStringList>

#include <algorithm>
#include <utility>

namespace warpline {

namespace {

QString withoutLinesOf(const QString& other, const QString& text)
{
    static const QRegularExpression gaps("\n{3,}");
    const QStringList lines = other.split('\n', Qt::SkipEmptyParts);
    const QSet<QString> known(lines.begin(), lines.end());
    QStringList left = text.split('\n');
    const bool isOther = left.removeIf([&known](const QString& line) { return known.contains(line); }) > 0;
    return isOther ? left.join('\n').replace(gaps, "\n\n").trimmed() : text;
}

/// Nothing that somebody wrote is lost: what both changed is `mine`, above the lines that are new in
/// `theirs`. Lines that they removed go, or those of each version would pile up.
QString mergedNotes(const QString& before, const QString& mine, const QString& theirs)
{
    if (mine == before || theirs == before)
        return mine == before ? theirs : mine;
    const QString left = withoutLinesOf(withoutLinesOf(theirs, before), mine);
    const QString added = withoutLinesOf(before, theirs).trimmed();
    const auto hasLines = [](const QString& all, const QString& some) {
        return some.isEmpty() || ('\n' + all + '\n').contains('\n' + some + '\n');
    };
    if (hasLines(added, left))
        return added;
    const QString missing = withoutLinesOf(left, added); // both may have read the same file
    return missing.isEmpty() ? left : left + "\n\n" + missing;
}

} // namespace

Marks::Marks(QObject* parent)
    : QObject(parent)
{
}

int Marks::add(const Mark& mark)
{
    const auto same = std::ranges::find(m_marks, mark.range, &Mark::range);
    if (same != m_marks.end()) {
        setCurrent(static_cast<int>(same - m_marks.begin()));
        return m_current;
    }
    if (const QString why = refusal(m_marks.size() + 1, {}); !why.isEmpty()) {
        emit refused(why);
        return -1;
    }
    m_marks.push_back(mark);
    return change(static_cast<int>(m_marks.size()) - 1, mark);
}

int Marks::change(int place, const Mark& mark)
{
    m_marks[static_cast<std::size_t>(place)] = mark;
    sortMarks(m_marks);
    m_current = static_cast<int>(std::ranges::find(m_marks, mark) - m_marks.begin());
    emit changed();
    emit currentChanged(m_current);
    return m_current;
}

void Marks::remove(int place)
{
    if (place < 0 || place >= static_cast<int>(m_marks.size()))
        return;
    m_marks.erase(m_marks.begin() + place);
    m_current = -1;
    emit changed();
    emit currentChanged(-1);
}

void Marks::setAll(std::vector<Mark> marks, const QString& notes)
{
    sortMarks(marks);
    const bool other = marks != m_marks;
    m_marks = std::move(marks);
    m_current = -1;
    noteFile({}, m_marks, notes);
    if (other) {
        emit changed();
        emit currentChanged(-1);
    }
    if (notes != std::exchange(m_notes, notes))
        emit notesChanged();
}

void Marks::leave()
{
    clear();
    m_stored.reset();
}

void Marks::setNotes(const QString& notes)
{
    if (notes == m_notes)
        return;
    const QString why = refusal(0, notes);
    if (!why.isEmpty() && notes.toUtf8().size() > m_notes.toUtf8().size()) {
        emit refused(why);
        emit notesChanged(); // who shows others shows these again
        return;
    }
    m_notes = notes;
    emit notesChanged();
}

void Marks::setCurrent(int place)
{
    if (place == m_current || place >= static_cast<int>(m_marks.size()))
        return;
    m_current = place;
    emit currentChanged(place);
}

void Marks::edit(int place)
{
    setCurrent(place);
    emit editWanted(place);
}

void Marks::readFile(const QString& path, const std::vector<Mark>& marks, const QString& notes)
{
    Kept before = kept();
    const bool isOther = path != m_filePath && before.isChanged(); // it may never have had the saved ones
    before.marks = isOther ? std::vector<Mark>() : m_fileMarks;
    before.notes = isOther ? QString() : m_fileNotes;
    restore(merged(before, kept(), {marks, notes, marks, notes, path}));
}

void Marks::noteFile(const QString& path, std::vector<Mark> marks, const QString& notes)
{
    m_filePath = path;
    m_fileMarks = std::move(marks);
    m_fileNotes = notes;
}

void Marks::restore(Kept kept)
{
    if (kept == this->kept())
        return; // what is chosen stays so
    setAll(std::move(kept.marks), kept.notes);
    noteFile(kept.filePath, std::move(kept.fileMarks), kept.fileNotes);
}

void Marks::restoreStored(std::optional<Kept> stored)
{
    restore(merged({}, kept(), stored.value_or(Kept())));
    m_hadStored = stored.has_value();
    m_stored = std::move(stored);
}

QString Marks::refusal(std::size_t marks, const QString& notes)
{
    if (marks > mostMarks)
        return tr("No more than %1 bookmarks are kept. Remove some first.").arg(numberText(mostMarks));
    return static_cast<std::size_t>(notes.toUtf8().size()) > mostNoteBytes
        ? tr("No more than a megabyte of notes is kept.")
        : QString();
}

Marks::Kept merged(const Marks::Kept& before, const Marks::Kept& mine, const Marks::Kept& theirs)
{
    if (mine == before)
        return theirs;
    const auto isIn = [](const Marks::Kept& place, const Mark& mark) {
        return std::ranges::find(place.marks, mark) != place.marks.end();
    };
    Marks::Kept all = mine;
    std::erase_if(all.marks, [&](const Mark& mark) { return isIn(before, mark) && !isIn(theirs, mark); });
    for (const Mark& mark : theirs.marks) {
        if (!isIn(before, mark) && std::ranges::find(all.marks, mark.range, &Mark::range) == all.marks.end())
            all.marks.push_back(mark);
    }
    sortMarks(all.marks);
    all.notes = mergedNotes(before.notes, mine.notes, theirs.notes);
    if (mine.fileMarks == before.fileMarks && mine.fileNotes == before.fileNotes
        && mine.filePath == before.filePath) {
        all.fileMarks = theirs.fileMarks;
        all.fileNotes = theirs.fileNotes;
        all.filePath = theirs.filePath;
    }
    return all;
}

void goToMark(TimeView& time, Marks& marks, int place)
{
    if (place < 0 || place >= static_cast<int>(marks.all().size()))
        return;
    const Mark& mark = marks.all()[static_cast<std::size_t>(place)];
    marks.setCurrent(place);
    if (mark.isMoment()) {
        const Ns half = time.shown().duration() / 2;
        time.show({mark.range.start - half, mark.range.start + half});
        return;
    }
    const TimeRange range = mark.range;
    time.selectRange(range);
    time.goTo(range);
}

} // namespace warpline
