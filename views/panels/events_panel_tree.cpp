// The events panel's second view: the same events as a tree of the NVTX ranges around them.

#include "views/panels/events_panel.h"
#include "views/panels/table_columns.h"
#include "views/style/empty_note.h"
#include "views/style/text_scale.h"

#include <QHeaderView>
#include <QMenu>
#include <QStackedWidget>
#include <QTableView>
#include <QToolButton>
#include <QTreeView>

namespace warpline {

void EventsPanel::makeTree()
{
    m_nest->setObjectName("events-nest");
    m_nest->setText(tr("NVTX tree"));
    m_nest->setToolTip(tr("Group events by the NVTX ranges around them"));
    m_nest->setCheckable(true);
    m_nest->setAutoRaise(true);
    m_tree->setObjectName("events-tree");
    m_tree->setModel(m_nested);
    m_tree->setUniformRowHeights(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    m_tree->setAlternatingRowColors(m_table->alternatingRowColors());
    m_tree->setTextElideMode(Qt::ElideMiddle);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->header()->setStretchLastSection(false);
    m_tree->header()->setSectionResizeMode(NestedEventsModel::Name, QHeaderView::Stretch);
    const auto widths = {inTextSize(90), inTextSize(110), widthOfInstants(*m_tree), 220};
    int column = NestedEventsModel::Count;
    for (const int width : widths)
        m_tree->header()->resizeSection(column++, width);
    auto* const note = new EmptyNote(*m_tree, [this] {
        for (const QString& failure : {m_model->failure(), m_nesting.failure()}) {
            if (!failure.isEmpty())
                return failure;
        }
        if (isBusy() || !m_session.hasReport())
            return QString();
        return m_session.isEmpty() ? tr("This report contains no events.")
                                   : tr("No events match the selection and the filter.");
    });
    connect(this, &EventsPanel::updated, note, &EmptyNote::refresh);
    m_nesting.onFailure([this] {
        m_nested->show({}, {});
        emit updated();
    });
}

void EventsPanel::connectTree()
{
    connect(m_nest, &QToolButton::toggled, this, [this](bool nested) {
        m_stack->setCurrentWidget(nested ? static_cast<QWidget*>(m_tree) : m_table);
        nest();
        showCurrent();
    });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this,
        [this](const QModelIndex& current) {
            const EventId event = m_nested->idAt(current);
            if (m_following || !event.valid())
                return;
            m_leading = true;
            m_session.selection().setCurrentEvent(event);
            m_leading = false;
        });
    connect(m_tree, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
        if (const EventId event = m_nested->idAt(index); event.valid())
            m_session.selection().goTo(event);
    });
    connect(m_tree, &QTreeView::customContextMenuRequested, this, [this](QPoint position) {
        const EventId event = m_nested->idAt(m_tree->indexAt(position));
        if (!event.valid())
            return;
        QMenu menu;
        fillMenu(menu, event);
        menu.exec(m_tree->viewport()->mapToGlobal(position));
    });
    // Events of a trace that is gone must not be shown, not even for a moment.
    connect(&m_session, &Session::traceChanged, m_nested, [this] { m_nested->show({}, {}); });
}

void EventsPanel::nest()
{
    if (!m_nest->isChecked()) {
        m_nesting.cancel();
        m_nested->show({}, {});
        return;
    }
    const auto list = m_model->sharedList();
    if (m_nested->list() == list || m_model->isBusy())
        return;
    m_nesting.start([list, known = m_nested->parts()](
                        const std::stop_token& stop) { return nestedParts(*list, known, stop); },
        [this, list](NestedParts parts) {
            if (list != m_model->sharedList())
                return;
            m_nested->show(list, std::move(parts));
            if (m_nested->rowCount() == 1)
                m_tree->expand(m_nested->index(0, 0));
            showCurrent();
            emit updated();
        });
}

} // namespace warpline
