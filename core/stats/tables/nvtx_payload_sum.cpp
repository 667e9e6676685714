// NVTX ranges by payload: for each payload field, and for categories, the ranges of one name and one value.
// nsys has no such table. Each range counts once for each of its fields, so shares are of all ranges with the
// field.

#include "core/base/utf8.h"
#include "core/query/event_text.h"
#include "core/stats/grouping.h"
#include "core/stats/names.h"
#include "core/stats/nvtx_nesting.h"
#include "core/stats/stats_table.h"
#include "core/stats/summary_rows.h"
#include "core/store/payload_fields.h"
#include "core/store/trace.h"
#include "core/store/track_cursor.h"

#include <algorithm>
#include <map>

namespace warpline::nvtx_payload_sum {

namespace {

constexpr std::uint32_t noValue = 0xFFFFFFFFU;

/// The values of one field, a text each once, and which of them each record of NVTX attributes has.
struct Values {
    std::vector<std::string> texts;
    std::vector<std::uint32_t> ofAttributes;
};

template <typename TextOf> Values valuesOf(const NvtxTable& nvtx, const std::stop_token& stop, TextOf textOf)
{
    Values values;
    std::map<std::string, std::uint32_t> known;
    for (const NvtxAttributes& attributes : stoppableItems(nvtx.attributes, stop)) {
        std::string text;
        if (!textOf(attributes, text)) {
            values.ofAttributes.push_back(noValue);
            continue;
        }
        const auto [place, isNew]
            = known.try_emplace(std::move(text), static_cast<std::uint32_t>(values.texts.size()));
        if (isNew)
            values.texts.push_back(place->first);
        values.ofAttributes.push_back(place->second);
    }
    return values;
}

/// Appends the rows of one field to `table`.
void addField(
    const Trace& trace, const StatsQuery& query, const std::string& field, const Values& values, Cells& table)
{
    const NvtxTable& nvtx = trace.nvtx();
    struct Key {
        std::uint64_t name;
        std::uint32_t value;
        auto operator<=>(const Key&) const = default;
    };
    std::map<Key, std::uint64_t> numbers;
    std::vector<Key> keys;
    Groups groups(query);
    TrackCursor tracks(nvtx);
    forEachEvent(nvtx, query, [&](EventIndex i) {
        const std::uint32_t value = values.ofAttributes[nvtx.attribute[i]];
        if (value == noValue || !isClosedRange(nvtx, i))
            return;
        const Key key{nvtxNameKey(trace, tracks.of(i), i), value};
        const auto [place, isNew] = numbers.try_emplace(key, keys.size());
        if (isNew)
            keys.push_back(key);
        groups.add(place->second, nvtx.duration[i], {EventKind::Nvtx, i});
    });
    groups.finish();
    const SummaryLayout layout{"Instances", {"Range", "Field", "Value"}, {}};
    const Cells rows = summaryTable(groups, layout, [&](std::uint64_t number) {
        const Key& key = keys[number];
        return Labels{nvtxNameOfKey(trace, key.name), field, values.texts[key.value]};
    });
    table.columns = rows.columns;
    for (std::size_t row = 0; row < rows.rowCount(); ++row) {
        const auto cells = rows.row(row);
        table.addRow({cells.begin(), cells.end()}, rows.events(row));
    }
}

bool hasPayloads(const Trace& trace)
{
    const NvtxTable& nvtx = trace.nvtx();
    return !nvtx.payloadFields.empty()
        || std::ranges::any_of(
            nvtx.attributes, [](const NvtxAttributes& attributes) { return attributes.category != 0; });
}

Cells fill(const Trace& trace, const StatsQuery& query)
{
    Cells table;
    addField(trace, query, "Category",
        valuesOf(trace.nvtx(), query.stop,
            [&](const NvtxAttributes& each, auto& text) {
                text = categoryText(trace, each);
                return !text.empty();
            }),
        table);
    for (const StringId field : trace.nvtx().payloadFields) {
        const auto textOf = [&](const NvtxAttributes& each, std::string& text) {
            const auto found = findPayloadField(trace.text(each.payload), trace.text(field));
            text = found ? toUtf8(found->value) : std::string();
            return found.has_value();
        };
        addField(trace, query, toUtf8(trace.text(field)), valuesOf(trace.nvtx(), query.stop, textOf), table);
    }
    return table;
}

} // namespace

extern constinit const StatsTable nvtxPayloadSum{.id = "nvtx_payload_sum",
    .title = "NVTX Payload Summary",
    .description
    = "How does the duration of a range depend on its payload? NVTX ranges by name, and by the values of their categories and payload fields.",
    .applies = hasPayloads,
    .fill = fill,
    .origin = TableOrigin::Own,
    .group = TableGroup::Nvtx};

} // namespace warpline::nvtx_payload_sum
