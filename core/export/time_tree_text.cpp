#include "core/export/time_tree_text.h"

#include "core/base/path_names.h"
#include "core/base/utf8.h"
#include "core/export/json_text.h"
#include "core/render/render.h"
#include "core/store/trace.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

namespace warpline {

namespace {

std::string_view unitWord(TimeTreeUnit unit)
{
    return unit == TimeTreeUnit::Samples ? "samples" : "ns";
}

/// How much of a frame's file stands behind its name in a folded stack.
enum class FileShown : std::uint8_t { None, LastParts, All };

/// The frame's name without characters that separate frames in a folded stack.
std::string foldedName(const Trace& trace, const TimeFrame& frame, FileShown shown)
{
    std::string name = plain(textOf(trace, frame));
    const std::string file = toUtf8(shown == FileShown::All ? std::string(trace.text(frame.module))
                                                            : lastParts(trace.text(frame.module)));
    const bool isTold = shown == FileShown::LastParts && name.ends_with(" " + file);
    if (shown != FileShown::None && !file.empty() && !isTold)
        name += " (" + file + ")";
    std::ranges::replace(name, ';', ':');
    std::ranges::replace(name, '\n', ' ');
    return name;
}

/// The names of all frames of `tree`, by node, made unique by files where possible.
std::vector<std::string> foldedNames(const Trace& trace, const TimeTree& tree, bool namesFiles)
{
    using Key = std::pair<std::uint32_t, std::uint32_t>; // name, file
    const auto keyOf = [](const TimeFrame& frame) { return Key{raw(frame.name), raw(frame.module)}; };
    std::map<Key, std::pair<TimeFrame, std::string>> frames;
    const auto nodes = tree.nodes();
    const FileShown least = namesFiles ? FileShown::LastParts : FileShown::None;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
        const TimeFrame& frame = nodes[i].frame;
        if (frame.thread != 0)
            continue;
        if (const auto [known, added] = frames.try_emplace(keyOf(frame)); added)
            known->second = {frame, foldedName(trace, frame, least)};
    }
    for (const FileShown more : {FileShown::LastParts, FileShown::All}) {
        std::map<std::string, std::size_t> uses;
        for (const auto& [key, named] : frames)
            ++uses[named.second];
        for (auto& [key, named] : frames) {
            if (uses[named.second] > 1 && more > least)
                named.second = foldedName(trace, named.first, more);
        }
    }
    std::vector<std::string> names(nodes.size());
    for (std::size_t i = 1; i < nodes.size(); ++i)
        names[i] = nodes[i].frame.thread != 0 ? foldedName(trace, nodes[i].frame, FileShown::None)
                                              : frames[keyOf(nodes[i].frame)].second;
    return names;
}

Json nodeJson(const Trace& trace, const TimeNode& node)
{
    Json json;
    json["name"] = node.parent == noIndex ? "all" : plain(textOf(trace, node.frame));
    const bool isThread = node.frame.thread != 0;
    json["pid"] = isThread ? Json(pidOf(node.frame.thread)) : Json();
    json["tid"] = isThread ? Json(tidOf(node.frame.thread)) : Json();
    json["module"] = node.frame.module != StringId{} ? jsonText(trace.text(node.frame.module)) : Json();
    json["self"] = node.self;
    json["total"] = node.total;
    json["children"] = Json::array();
    return json;
}

} // namespace

std::string foldedStacks(const Trace& trace, const TimeTreeSource& source, const TimeTree& tree)
{
    const std::vector<std::string> names = foldedNames(trace, tree, source.namesFiles);
    const auto nodes = tree.nodes();
    std::string text;
    std::vector<std::uint32_t> stack;
    for (std::uint32_t i = 1; i < nodes.size(); ++i) {
        if (nodes[i].self == 0)
            continue;
        stack.clear();
        for (std::uint32_t node = i; node != 0; node = nodes[node].parent)
            stack.push_back(node);
        for (const std::uint32_t node : stack | std::views::reverse)
            text.append(node == stack.back() ? "" : ";").append(names[node]);
        text += fmt::format(" {}\n", nodes[i].self);
    }
    return text;
}

Json timeTreeJson(const Trace& trace, const TimeTreeSource& source, TimeRange window, const TimeTree& tree)
{
    const auto nodes = tree.nodes();
    const auto children = tree.children();
    std::vector<Json> made(nodes.size());
    // Children come behind their parents: from the end on, each is whole when its parent takes it.
    for (std::size_t i = nodes.size(); i-- > 0;) {
        made[i] = nodeJson(trace, nodes[i]);
        for (const std::uint32_t child : children[i]) {
            if (nodes[child].total != 0) // skip threads without any time
                made[i]["children"].push_back(std::move(made[child]));
        }
    }
    Json json;
    json["source"] = source.id;
    json["unit"] = unitWord(source.unit);
    json["range_ns"] = jsonRange(window);
    json["total"] = tree.total();
    json["tree"] = std::move(made.front());
    return json;
}

Cells flatCells(const Trace& trace, const TimeTreeSource& source, const TimeTree& tree)
{
    const bool samples = source.unit == TimeTreeUnit::Samples;
    const Unit unit = samples ? Unit::Count : Unit::Nanoseconds;
    Cells cells;
    cells.columns = {{"Self (%)", Unit::Percent}, {samples ? "Self (samples)" : "Self (ns)", unit},
        {"Total (%)", Unit::Percent}, {samples ? "Total (samples)" : "Total (ns)", unit},
        {"Name", Unit::Text}, {"Module", Unit::Text}};
    const auto share = [&](std::int64_t part) {
        return tree.total() == 0 ? 0.0
                                 : 100.0 * static_cast<double>(part) / static_cast<double>(tree.total());
    };
    for (const FlatFrame& flat : flatFrames(tree)) {
        cells.addRow({share(flat.self), flat.self, share(flat.total), flat.total,
            plain(textOf(trace, flat.frame)), toUtf8(trace.text(flat.frame.module))});
    }
    return cells;
}

} // namespace warpline
