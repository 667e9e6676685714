#include "views/timeline/slice_names.h"

#include "core/kernels/name_forms.h"
#include "core/store/trace.h"
#include "views/style/rich_text.h"
#include "views/style/text_scale.h"
#include "views/timeline/row_lanes.h"

#include <QGuiApplication>
#include <QRegularExpression>

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr int roomStep = 6; ///< widths are rounded to steps, so that zooming does not lay out every name
                            ///< again
constexpr int unbounded = 1 << 14;

QRectF inkOf(const QFont& font)
{
    return QFontMetricsF(font).tightBoundingRect(QStringLiteral("bg_"));
}

/// As large as the bars have room for.
QFont sliceFont()
{
    constexpr double least = 7.5;
    const int bar = inTextSize(RowLanes::laneHeight) - 1; // a gap is below it
    QFont font = QGuiApplication::font();
    font.setPointSizeF(std::max(least, font.pointSizeF() - 1.5));
    while (font.pointSizeF() > least && inkOf(font).height() > bar)
        font.setPointSizeF(font.pointSizeF() - 0.5);
    return font;
}

/// A short direction, in Nsight's form: "HtoD".
QString shortDirection(CopyKind kind)
{
    switch (kind) {
    case CopyKind::HtoD:
    case CopyKind::UnifiedHtoD:
        return QStringLiteral("HtoD");
    case CopyKind::DtoH:
    case CopyKind::UnifiedDtoH:
        return QStringLiteral("DtoH");
    case CopyKind::DtoD:
    case CopyKind::UnifiedDtoD:
        return QStringLiteral("DtoD");
    case CopyKind::PtoP:
        return QStringLiteral("PtoP");
    default:
        return {};
    }
}

} // namespace

bool isWord(const QString& name)
{
    constexpr qsizetype longestWord = 16;
    return name.size() <= longestWord
        && std::ranges::all_of(name, [](QChar c) { return c.isLetter() || c == '_' || c == ' '; });
}

QStringList nameForms(const Trace& trace, EventRef event)
{
    const std::string_view view = trace.displayName(event);
    QString name = textOf(view);
    if (event.kind == EventKind::ApiCall) {
        static const QRegularExpression version("_v[0-9]+(_ptsz|_ptds)?$");
        name.remove(version);
    }
    QStringList forms{name};
    if (event.kind == EventKind::Kernel) {
        forms.clear();
        for (const std::string& form : kernelNameForms(trace.name(event), view))
            forms << textOf(form);
    }
    if (event.kind == EventKind::Memcpy) {
        const CopyKind kind = trace.memcpys().copy(event.index).kind;
        const std::string_view direction = labelOf(kind);
        forms << QString::fromUtf8(direction.data(), static_cast<qsizetype>(direction.size()));
        if (const QString brief = shortDirection(kind); !brief.isEmpty())
            forms << brief;
    }
    return forms;
}

SliceNames::SliceNames(std::shared_ptr<const Trace> trace)
    : m_trace(std::move(trace)),
      m_font(sliceFont()),
      m_metrics(m_font),
      m_ink(inkOf(m_font))
{
}

double SliceNames::topIn(double height) const
{
    const double middle = (height - m_metrics.height()) / 2;
    return m_ink.height() > height
        ? middle
        : std::min(middle, height - std::ceil(m_ink.bottom()) - m_metrics.ascent());
}

QString SliceNames::textFor(EventRef event, int width) const
{
    const QStringList forms = nameForms(*m_trace, event);
    for (const QString& form : forms) {
        if (m_metrics.horizontalAdvance(form) <= width)
            return form;
    }
    const QString& last = forms.back();
    const QString cut = m_metrics.elidedText(last, isWord(last) ? Qt::ElideRight : Qt::ElideMiddle, width);
    // Fewer letters and an ellipsis are useless.
    constexpr qsizetype minLetters = 3;
    return cut.size() > minLetters ? cut : QString();
}

const SliceNames::Layout& SliceNames::layoutOf(quint64 key, EventRef event, int width)
{
    if (const Layout* const known = m_layouts.object(key))
        return *known;
    auto layout = std::make_unique<Layout>();
    const QString text = textFor(event, width);
    layout->width = m_metrics.horizontalAdvance(text);
    layout->text.setTextFormat(Qt::PlainText);
    layout->text.setText(text);
    layout->text.prepare({}, m_font);
    layout->fits = !text.isEmpty();
    const Layout& kept = *layout;
    m_layouts.insert(key, layout.release());
    return kept;
}

const QStaticText* SliceNames::nameFor(EventRef event, int width)
{
    // Copies are distinguished by direction, kernels by short name: both follow from the name of the event.
    const EventTable& table = m_trace->table(event.kind);
    const quint64 name = static_cast<quint64>(raw(table.name[event.index])) << 20U
        | static_cast<quint64>(indexOf(event.kind)) << 14U;
    const Layout& whole = layoutOf(name | (unbounded - 1), event, unbounded);
    if (whole.fits && whole.width <= width)
        return &whole.text;
    const int steps = std::clamp(width / roomStep, 0, unbounded - 2);
    const Layout& cut = layoutOf(name | static_cast<quint64>(steps), event, steps * roomStep);
    return cut.fits ? &cut.text : nullptr;
}

} // namespace warpline
