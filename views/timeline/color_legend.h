#pragma once

#include "views/loading/latest_job.h"
#include "views/session/idle_books.h"
#include "views/timeline/legend_entries.h"

#include <QTimer>
#include <QWidget>

#include <memory>
#include <vector>

class QToolButton;

namespace warpline {

class RowLayout;

/// The bar below the rows: explains the colours of the visible rows as far as there is room, with a button to
/// change them. A click on a name marks its events.
class ColorLegend : public QWidget {
    Q_OBJECT
public:
    ColorLegend(Session& session, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// Speaks of the rows of `layout`, which outlives this.
    void setRows(const RowLayout& layout);
    /// Includes the colours of `other`, of the other compared run. It must outlive this.
    void setOther(ColorLegend& other);
    /// Updates after rows came or went.
    void look();
    const std::vector<LegendEntry>& entries() const { return m_entries; }
    /// Where entry `index` stands; empty when there was no room.
    QRect placeOf(std::size_t index) const;
    QSize sizeHint() const override;
    bool isReady() const { return !m_job.isBusy() && !m_rest.isActive(); }

signals:
    void filled();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void fill();
    void arrange();
    const LegendEntry* entryAt(QPoint position) const;
    void mark(const LegendEntry& entry);
    void markFamily(EventKind kind, const std::string& family);

    Session& m_session;
    const RowLayout* m_layout = nullptr;
    ColorLegend* m_other = nullptr; ///< nullptr: no other run
    const Theme* m_theme;
    QToolButton* m_button;
    IdleBooks& m_idle;
    std::vector<std::uint16_t> m_idleSeen; ///< see idleEntries()
    std::vector<SeenName> m_seen; ///< of the report that panels are about
    std::weak_ptr<const Trace> m_seenOf; ///< that report's
    QTimer m_rest; ///< the view moves
    LatestJob m_job;
    LatestJob m_marking;
    std::vector<LegendEntry> m_entries;
    std::vector<QString> m_texts;
    std::vector<QRect> m_places; ///< of each entry; empty where there is no room for it
};

} // namespace warpline
