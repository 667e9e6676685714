#include "tests/support/shown_texts.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAccessible>
#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QGroupBox>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainter>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QRegularExpression>
#include <QSpinBox>
#include <QTabBar>
#include <QTextEdit>

#include <cmath>
#include <set>
#include <utility>

namespace warpline::test {

namespace {

constexpr int mostRows = 200; ///< rows of an item view that are read: later ones have the same texts
constexpr int mostChildren = 400; ///< of an accessible one

/// Keeps the texts that are drawn.
class TextEngine : public QPaintEngine {
public:
    explicit TextEngine(QList<ShownText>& texts)
        : QPaintEngine(AllFeatures),
          m_texts(texts)
    {
    }

    bool begin(QPaintDevice* /*device*/) override { return true; }
    bool end() override { return true; }
    Type type() const override { return User; }
    void updateState(const QPaintEngineState& changed) override
    {
        if (changed.state().testFlag(DirtyTransform))
            m_transform = changed.transform();
    }
    void drawPixmap(const QRectF& /*r*/, const QPixmap& /*p*/, const QRectF& /*s*/) override { }
    void drawImage(const QRectF& /*r*/, const QImage& /*p*/, const QRectF& /*s*/,
        Qt::ImageConversionFlags /*flags*/) override
    {
    }
    void drawTiledPixmap(const QRectF& /*r*/, const QPixmap& /*p*/, const QPointF& /*s*/) override { }
    void drawPath(const QPainterPath& /*path*/) override { }
    void drawPolygon(const QPointF* /*points*/, int /*count*/, PolygonDrawMode /*mode*/) override { }
    void drawPolygon(const QPoint* /*points*/, int /*count*/, PolygonDrawMode /*mode*/) override { }
    void drawRects(const QRectF* /*rects*/, int /*count*/) override { }
    void drawRects(const QRect* /*rects*/, int /*count*/) override { }
    void drawLines(const QLineF* /*lines*/, int /*count*/) override { }
    void drawLines(const QLine* /*lines*/, int /*count*/) override { }
    void drawPoints(const QPointF* /*points*/, int /*count*/) override { }
    void drawPoints(const QPoint* /*points*/, int /*count*/) override { }
    void drawEllipse(const QRectF& /*r*/) override { }
    void drawEllipse(const QRect& /*r*/) override { }

    /// A sentence of two scripts comes in pieces, one after the other on a line.
    void drawTextItem(const QPointF& at, const QTextItem& item) override
    {
        const QPointF place = m_transform.map(at);
        constexpr double touching = 1.5;
        if (!m_texts.isEmpty() && std::abs(place.y() - m_end.y()) < touching
            && std::abs(place.x() - m_end.x()) < touching)
            m_texts.back().text += item.text();
        else
            m_texts.append({QStringLiteral("painted"), item.text()});
        m_end = m_transform.map(at + QPointF(item.width(), 0));
    }

private:
    QList<ShownText>& m_texts;
    QTransform m_transform;
    QPointF m_end{-1, -1}; ///< of the text before
};

class TextDevice : public QPaintDevice {
public:
    TextDevice(QSize size, QList<ShownText>& texts)
        : m_size(size),
          m_engine(texts)
    {
    }
    QPaintEngine* paintEngine() const override { return &m_engine; }

protected:
    int metric(PaintDeviceMetric metric) const override
    {
        constexpr int dpi = 96;
        constexpr int depth = 32;
        switch (metric) {
        case PdmWidth:
        case PdmWidthMM:
            return m_size.width();
        case PdmHeight:
        case PdmHeightMM:
            return m_size.height();
        case PdmDpiX:
        case PdmDpiY:
        case PdmPhysicalDpiX:
        case PdmPhysicalDpiY:
            return dpi;
        case PdmDepth:
            return depth;
        case PdmDevicePixelRatio:
            return 1;
        case PdmDevicePixelRatioScaled:
            return static_cast<int>(devicePixelRatioFScale());
        default:
            return 0;
        }
    }

private:
    QSize m_size;
    mutable TextEngine m_engine;
};

QString withoutTags(QString text)
{
    static const QRegularExpression style(
        "<style.*?</style>", QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression inner("</?(?:b|i|a|span|code|tt|font|em|strong|nobr)\\b[^>]*>");
    static const QRegularExpression tag("</?[a-zA-Z][^>]*>");
    if (Qt::mightBeRichText(text) || text.contains("</") || text.contains("<br"))
        text.remove(style)
            .remove(inner)
            .replace(tag, "\n")
            .replace("&nbsp;", " ")
            .replace("&middot;", "\u00b7")
            .replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
            .replace("&quot;", "\"");
    return text;
}

class Collector {
public:
    QList<ShownText> texts;

    void add(const QString& place, const QString& text)
    {
        if (text.isEmpty())
            return;
        for (const QString& line : withoutTags(text).split('\n', Qt::SkipEmptyParts)) {
            if (m_known.insert({place, line}).second)
                texts.append({place, line});
        }
    }

    void addWidget(const QWidget& widget)
    {
        const QString kind = widget.metaObject()->className()
            + QString(widget.objectName().isEmpty() ? "" : "#") + widget.objectName();
        const auto put = [&](const char* what, const QString& text) { add(kind + ": " + what, text); };
        put("toolTip", widget.toolTip());
        put("whatsThis", widget.whatsThis());
        put("statusTip", widget.statusTip());
        put("accessibleName", widget.accessibleName());
        put("accessibleDescription", widget.accessibleDescription());
        put("windowTitle", widget.windowTitle());
        if (const auto* const label = qobject_cast<const QLabel*>(&widget))
            put("text", label->text());
        if (const auto* const button = qobject_cast<const QAbstractButton*>(&widget))
            put("text", button->text());
        if (const auto* const group = qobject_cast<const QGroupBox*>(&widget))
            put("title", group->title());
        if (const auto* const menu = qobject_cast<const QMenu*>(&widget))
            put("title", menu->title());
        if (const auto* const line = qobject_cast<const QLineEdit*>(&widget)) {
            put("placeholder", line->placeholderText());
            if (line->isReadOnly())
                put("text", line->text());
        }
        if (const auto* const spin = qobject_cast<const QSpinBox*>(&widget))
            put("spin", spin->prefix() + ' ' + spin->suffix() + ' ' + spin->specialValueText());
        if (const auto* const spin = qobject_cast<const QDoubleSpinBox*>(&widget))
            put("spin", spin->prefix() + ' ' + spin->suffix() + ' ' + spin->specialValueText());
        if (const auto* const bar = qobject_cast<const QProgressBar*>(&widget))
            put("text", bar->text());
        if (const auto* const text = qobject_cast<const QTextEdit*>(&widget)) {
            put("placeholder", text->placeholderText());
            if (text->isReadOnly())
                put("text", text->toPlainText());
        }
        if (const auto* const text = qobject_cast<const QPlainTextEdit*>(&widget)) {
            put("placeholder", text->placeholderText());
            if (text->isReadOnly())
                put("text", text->toPlainText());
        }
        if (const auto* const box = qobject_cast<const QComboBox*>(&widget)) {
            put("placeholder", box->placeholderText());
            for (int i = 0; i < box->count(); ++i) {
                put("item", box->itemText(i));
                put("item tip", box->itemData(i, Qt::ToolTipRole).toString());
            }
        }
        if (const auto* const tabs = qobject_cast<const QTabBar*>(&widget)) {
            for (int i = 0; i < tabs->count(); ++i) {
                put("tab", tabs->tabText(i));
                put("tab tip", tabs->tabToolTip(i));
            }
        }
        if (const auto* const view = qobject_cast<const QAbstractItemView*>(&widget);
            view && view->model() && !qobject_cast<const QHeaderView*>(&widget))
            addModel(kind, *view->model(), {});
        for (const QAction* const action : widget.actions())
            addAction(*action);
    }

    void addAction(const QAction& action)
    {
        const QString kind = "QAction " + action.objectName() + ": ";
        add(kind + "text", action.text());
        add(kind + "toolTip", action.toolTip());
        add(kind + "statusTip", action.statusTip());
        add(kind + "whatsThis", action.whatsThis());
    }

    void addAccessible(QAccessibleInterface& item, int depth)
    {
        constexpr int deepest = 40;
        const QString kind
            = QString("accessible %1").arg(item.object() ? item.object()->metaObject()->className() : "item");
        add(kind + " name", item.text(QAccessible::Name));
        add(kind + " description", item.text(QAccessible::Description));
        add(kind + " help", item.text(QAccessible::Help));
        if (item.role() != QAccessible::EditableText && item.role() != QAccessible::StaticText)
            add(kind + " value", item.text(QAccessible::Value));
        for (int i = 0; i < std::min(item.childCount(), mostChildren) && depth < deepest; ++i) {
            if (QAccessibleInterface* const child = item.child(i); child && child->isValid())
                addAccessible(*child, depth + 1);
        }
    }

private:
    void addModel(const QString& kind, const QAbstractItemModel& model, const QModelIndex& parent)
    {
        for (const auto& [role, name] : {std::pair(Qt::DisplayRole, "head"), {Qt::ToolTipRole, "head tip"},
                 {Qt::WhatsThisRole, "head help"}, {Qt::AccessibleTextRole, "head name"}}) {
            for (int column = 0; column < model.columnCount(parent); ++column)
                add(kind + ' ' + name, model.headerData(column, Qt::Horizontal, role).toString());
        }
        for (int row = 0; row < std::min(model.rowCount(parent), mostRows); ++row) {
            for (int column = 0; column < model.columnCount(parent); ++column) {
                const QModelIndex index = model.index(row, column, parent);
                for (const auto& [role, name] : {std::pair(Qt::DisplayRole, "cell"),
                         {Qt::ToolTipRole, "cell tip"}, {Qt::StatusTipRole, "cell status"},
                         {Qt::WhatsThisRole, "cell help"}, {Qt::AccessibleTextRole, "cell name"},
                         {Qt::AccessibleDescriptionRole, "cell description"}})
                    add(kind + ' ' + name, index.data(role).toString());
                if (column == 0 && model.hasChildren(index))
                    addModel(kind, model, index);
            }
        }
    }

    std::set<std::pair<QString, QString>> m_known;
};

} // namespace

QList<ShownText> paintedTexts(QWidget& root)
{
    QList<ShownText> texts;
    TextDevice device(root.size(), texts);
    root.render(&device);
    return texts;
}

QList<ShownText> shownTexts(QWidget& root)
{
    Collector collector;
    collector.addWidget(root);
    for (const QWidget* const each : root.findChildren<QWidget*>())
        collector.addWidget(*each);
    for (const QAction* const action : root.findChildren<QAction*>())
        collector.addAction(*action);
    if (QAccessibleInterface* const top = QAccessible::queryAccessibleInterface(&root))
        collector.addAccessible(*top, 0);
    for (const ShownText& painted : paintedTexts(root))
        collector.add(painted.place, painted.text);
    return collector.texts;
}

} // namespace warpline::test
