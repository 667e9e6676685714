#pragma once

#include "core/store/event_kind.h"

#include <QCache>
#include <QFont>
#include <QFontMetricsF>
#include <QRectF>
#include <QStaticText>

#include <memory>

namespace warpline {

class Trace;

/// The names on slices, fitted to their width and laid out once. Short forms keep the most specific part: a
/// copy's direction, an API call without its version.
class SliceNames {
public:
    explicit SliceNames(std::shared_ptr<const Trace> trace);

    /// The name of `event` in at most `width` pixels; nullptr where nothing readable fits. Valid until the
    /// next call.
    const QStaticText* nameFor(EventRef event, int width);
    const QFont& font() const { return m_font; }
    /// Where a name begins in a bar of `height`: in its middle, but higher where an underscore would be below
    /// it.
    double topIn(double height) const;

private:
    struct Layout {
        QStaticText text;
        double width = 0;
        bool fits = true;
    };
    const Layout& layoutOf(quint64 key, EventRef event, int width);
    QString textFor(EventRef event, int width) const;

    std::shared_ptr<const Trace> m_trace;
    QFont m_font;
    QFontMetricsF m_metrics;
    QRectF m_ink; ///< of letters and underscores, from the line that they are on
    QCache<quint64, Layout> m_layouts{20'000};
};

/// Whether `name` is elided at its end: plain texts are recognized by their beginning, while names of kernels
/// and layers differ at their ends.
bool isWord(const QString& name);

/// The forms of `event`'s name from the longest to the shortest that is still specific.
QStringList nameForms(const Trace& trace, EventRef event);

} // namespace warpline
