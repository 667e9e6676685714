#include "views/panels/table_list.h"

#include "core/render/hip_words.h"
#include "core/render/render.h"
#include "views/style/rich_text.h"

#include <QSignalBlocker>

#include <algorithm>

namespace warpline {

namespace {

/// The heading of a table in the list.
QString titleOf(TableGroup group)
{
    switch (group) {
    case TableGroup::Gpu:
        return QObject::tr("GPU");
    case TableGroup::CudaApi:
        return QObject::tr("CUDA API");
    case TableGroup::CudaLaunches:
        return QObject::tr("CUDA launches");
    case TableGroup::Nvtx:
        return QObject::tr("NVTX");
    case TableGroup::OperatingSystem:
        return QObject::tr("Operating system");
    case TableGroup::UnifiedMemory:
        return QObject::tr("Unified memory");
    case TableGroup::Other:
        break;
    }
    return QObject::tr("Other");
}

} // namespace

TableList::TableList(QWidget* parent)
    : QListWidget(parent)
{
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
}

void TableList::showTables(std::vector<const StatsTable*> tables, GpuApi api)
{
    // The groups in the order of their first table, the tables of a group together.
    QStringList order;
    for (const StatsTable* const table : tables) {
        if (!order.contains(titleOf(table->group)))
            order << titleOf(table->group);
    }
    std::ranges::stable_sort(
        tables, {}, [&](const StatsTable* table) { return order.indexOf(titleOf(table->group)); });
    const QSignalBlocker quiet(this);
    clear();
    const auto words = [&](const Message& text) {
        return api == GpuApi::Hip ? tableWordsOfHip(plain(text)) : plain(text);
    };
    QString group;
    for (const StatsTable* const table : tables) {
        if (titleOf(table->group) != group) {
            group = titleOf(table->group);
            auto* const heading = new QListWidgetItem(group, this);
            heading->setFlags(Qt::NoItemFlags);
            QFont font = this->font();
            font.setBold(true);
            heading->setFont(font);
        }
        auto* const item = new QListWidgetItem("   " + textOf(words(table->titleText())), this);
        item->setData(Qt::UserRole, textOf(table->id));
        item->setToolTip(textOf(table->id) + "\n" + textOf(words(table->descriptionText())));
    }
}

void TableList::choose(const QString& id)
{
    for (int i = 0; i < count() && !id.isEmpty(); ++i) {
        if (item(i)->data(Qt::UserRole).toString() == id)
            setCurrentRow(i);
    }
}

const StatsTable* TableList::chosen() const
{
    return currentItem() ? findStatsTable(chosenId().toStdString()) : nullptr;
}

QString TableList::chosenId() const
{
    return currentItem() ? currentItem()->data(Qt::UserRole).toString() : QString();
}

/// A readable form of nsys' suffix after the colon of a table's name.
QString variantTitle(const StatsTable& table, std::string_view variant)
{
    if (std::ranges::find(table.arguments, "rows", &TableArgument::name) != table.arguments.end())
        return variant.empty() ? QObject::tr("First ten rows") : QObject::tr("All rows");
    return variant.empty()               ? QObject::tr("Kernel names: full")
        : variant == "base"              ? QObject::tr("Kernel names: short")
        : variant == "mangled"           ? QObject::tr("Kernel names: mangled")
        : variant == "nvtx-name"         ? QObject::tr("Kernel names: by NVTX range")
        : variant == "nvtx-name:base"    ? QObject::tr("Kernel names: by NVTX range, short")
        : variant == "nvtx-name:mangled" ? QObject::tr("Kernel names: by NVTX range, mangled")
                                         : textOf(variant);
}

} // namespace warpline
