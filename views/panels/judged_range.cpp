#include "views/panels/judged_range.h"

#include "views/session/run_pair.h"
#include "views/session/session.h"
#include "views/style/rich_text.h"

#include <utility>

namespace warpline {

Followed ofComparedRuns()
{
    return {
        false, false, QObject::tr("The runs as they are compared: the selection does not apply here."), true};
}

Followed ofAllRanks()
{
    return {false, false, QObject::tr("All ranks and steps: the selection does not apply here.")};
}

RangeNotice::RangeNotice(Session& session, Followed followed, QWidget* parent)
    : LinkedLabel(parent),
      m_session(session),
      m_followed(std::move(followed))
{
    setWordWrap(true);
    setContentsMargins(6, 2, 6, 2);
    connect(this, &QLabel::linkActivated, this, [this] {
        m_session.time().selectRange({});
        m_session.selection().selectRows({});
    });
    connect(&session.selection(), &Selection::selectedRowsChanged, this, &RangeNotice::fill);
    connect(&session.time(), &TimeView::judgedChanged, this, &RangeNotice::fill);
    connect(&session, &Session::traceChanged, this, &RangeNotice::fill);
    if (m_followed.ofComparedRuns)
        connect(&session.pair(), &RunPair::changed, this, &RangeNotice::fill);
    fill();
}

WayBack::WayBack(Session& session, QWidget* parent)
    : LinkedLabel(parent)
{
    setText(tr("<a href='all'>Show all</a>"));
    setToolTip(tr("Clear the selection"));
    const auto follow = [this, &session] {
        setVisible(!session.time().selectedRange().empty() || !session.selection().selectedRows().empty());
    };
    follow();
    connect(&session.time(), &TimeView::selectedRangeChanged, this, follow);
    connect(&session.selection(), &Selection::selectedRowsChanged, this, follow);
    connect(&session, &Session::reportOpened, this, follow);
    connect(this, &QLabel::linkActivated, this, [&session] {
        session.time().selectRange({});
        session.selection().selectRows({});
    });
}

void RangeNotice::setFollowed(Followed followed)
{
    m_followed = std::move(followed);
    fill();
}

bool RangeNotice::areRangesCompared() const
{
    const RunPair& pair = m_session.pair();
    return m_followed.ofComparedRuns && pair.isOn()
        && (!pair.narrowed(Side::A).empty() || !pair.narrowed(Side::B).empty());
}

bool RangeNotice::isCompared(TimeRange range) const
{
    const RunPair& pair = m_session.pair();
    return areRangesCompared()
        && (range == pair.narrowed(Side::A) || (pair.isWithinOne() && range == pair.narrowed(Side::B)));
}

QString RangeNotice::otherwise(bool ofRange, bool ofRows) const
{
    if (areRangesCompared())
        return tr("The ranges as they are compared: the selection does not apply here.");
    if (!m_followed.otherwise.isEmpty())
        return m_followed.otherwise;
    return ofRange && ofRows ? tr("The whole report: the selected range and rows do not apply here.")
        : ofRange            ? tr("The whole report: the selected range does not apply here.")
                             : tr("All GPUs and processes: the selected rows do not apply here.");
}

void RangeNotice::fill()
{
    const TimeRange judged = m_session.time().judged();
    const TimeRange all = m_session.session();
    const bool isRange = judged != all;
    const bool isRows = !m_session.selection().selectedRows().empty();
    QStringList parts;
    if (isRange && m_followed.range)
        parts << tr("Showing <b>%1</b> of %2.")
                     .arg(roundedText(judged.duration()), roundedText(all.duration()));
    if (isRows && m_followed.rows)
        parts << tr("Only the selected rows.");
    const bool ofRange = isRange && !m_followed.range && !isCompared(judged);
    const bool ofRows = isRows && !m_followed.rows;
    if (ofRange || ofRows)
        parts << otherwise(ofRange, ofRows);
    setVisible(!parts.isEmpty());
    setText(parts.join(' ') + " <a href='all'>"
        + (areRangesCompared() ? tr("Clear the selection") : tr("Whole report")) + "</a>");
}

} // namespace warpline
