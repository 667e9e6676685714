#include "views/panels/judged_range.h"

#include "views/session/session.h"
#include "views/style/rich_text.h"

namespace warpline {

RangeNotice::RangeNotice(Session& session, bool followsRows, QWidget* parent)
    : QLabel(parent),
      m_session(session),
      m_followsRows(followsRows)
{
    setWordWrap(true);
    setTextFormat(Qt::RichText);
    setContentsMargins(6, 2, 6, 2);
    connect(this, &QLabel::linkActivated, this, [this] {
        m_session.selectRange({});
        m_session.selectRows({});
    });
    connect(&session, &Session::selectedRowsChanged, this, &RangeNotice::fill);
    connect(&session, &Session::judgedChanged, this, &RangeNotice::fill);
    connect(&session, &Session::traceChanged, this, &RangeNotice::fill);
    fill();
}

WayBack::WayBack(Session& session, QWidget* parent)
    : QLabel(tr("<a href='all'>Show all</a>"), parent)
{
    setToolTip(tr("Clear the selection"));
    const auto follow = [this, &session] {
        setVisible(!session.selectedRange().empty() || !session.selectedRows().empty());
    };
    follow();
    connect(&session, &Session::selectedRangeChanged, this, follow);
    connect(&session, &Session::selectedRowsChanged, this, follow);
    connect(&session, &Session::reportOpened, this, follow);
    connect(this, &QLabel::linkActivated, this, [&session] {
        session.selectRange({});
        session.selectRows({});
    });
}

void RangeNotice::fill()
{
    const TimeRange judged = m_session.judged();
    const TimeRange all = m_session.session();
    QString text;
    if (judged != all)
        text = tr("Showing <b>%1</b> of %2.")
                   .arg(durationHtml(judged.duration()), durationHtml(all.duration()));
    if (!m_session.selectedRows().empty())
        text += ' '
            + (m_followsRows ? tr("Only the selected rows.")
                             : tr("All GPUs and processes: the selected rows do not apply here."));
    setVisible(!text.isEmpty());
    setText(text + " <a href='all'>" + tr("Whole report") + "</a>");
}

} // namespace warpline
