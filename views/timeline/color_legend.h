#pragma once

#include "views/timeline/legend_entries.h"

#include <QWidget>

#include <vector>

class QToolButton;

namespace warpline {

/// The bar below the rows: what the colours tell, with a button that chooses something else, and what each of
/// them means, as many as there is room for. A click on a name marks its events.
class ColorLegend : public QWidget {
    Q_OBJECT
public:
    ColorLegend(Session& session, const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    const std::vector<LegendEntry>& entries() const { return m_entries; }
    /// Where entry `index` stands; empty when there was no room.
    QRect placeOf(std::size_t index) const;
    QSize sizeHint() const override;
    bool isReady() const { return !m_books.isBusy(); }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void fill();
    void fillMenu();
    void arrange();
    const LegendEntry* entryAt(QPoint position) const;

    Session& m_session;
    const NameBooks& m_books;
    const Theme* m_theme;
    QToolButton* m_button;
    std::vector<LegendEntry> m_entries;
    std::vector<QRect> m_places; ///< of the first entries
};

} // namespace warpline
