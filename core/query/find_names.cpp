#include "core/query/find_names.h"

#include "core/base/ascii_case.h"
#include "core/base/utf8.h"
#include "core/base/words.h"
#include "core/filter/event_predicate.h"
#include "core/filter/filter_values.h"
#include "core/store/trace.h"

#include <algorithm>
#include <unordered_set>

namespace warpline {

namespace {

void addFound(
    const Trace& trace, NamedQuery query, std::vector<FoundName>& found, const std::stop_token& stop)
{
    const EventTable& table = trace.table(query.kind);
    const std::vector<EventIndex> events = eventsOf(trace, query, stop);
    if (events.empty())
        return;
    FoundName name{std::move(query), events.size(), 0};
    for (const EventIndex i : events)
        name.total += table.duration[i];
    found.push_back(std::move(name));
}

bool isShortName(const Trace& trace, StringId id)
{
    return std::ranges::find(trace.kernels().launches, id, &KernelLaunch::shortName)
        != trace.kernels().launches.end();
}

} // namespace

std::string withName(std::string_view filter, std::string_view value)
{
    const std::string text = "name=" + std::string(value);
    const FilterExpression parsed(filter);
    if (const auto plain = parsed.plainText())
        return text + " name~" + quotedValue(*plain);
    return parsed.passesAll() ? text : text + " (" + std::string(filter) + ")";
}

std::vector<FoundName> findNames(const Trace& trace, std::string_view text, TimeRange window,
    std::string_view filter, const std::stop_token& stop)
{
    std::vector<FoundName> found;
    StringId id{};
    const bool isKnown = trace.pool->find(text, id);
    for (const EventKind kind : allEventKinds()) {
        if (!isKnown || trace.table(kind).empty())
            continue;
        NamedQuery query{
            .kind = kind, .name = id, .label = {}, .window = window, .filter = std::string(filter)};
        if (kind == EventKind::Kernel && isShortName(trace, id))
            query.form = NameForm::Short;
        addFound(trace, query, found, stop);
        if (kind == EventKind::Nvtx) {
            query.recordedOnGpu = true;
            addFound(trace, std::move(query), found, stop);
        }
    }
    if (found.empty())
        addFound(trace,
            {.kind = EventKind::Kernel,
                .name = {},
                .form = NameForm::Label,
                .label = std::string(text),
                .window = window,
                .filter = std::string(filter)},
            found, stop);
    if (found.empty() && text.find_first_of("*?") != std::string_view::npos) {
        const std::string both = withName(filter, quotedGlob(globOfWord(text)));
        const EventPredicate passes(trace, FilterExpression(both), stop);
        for (const EventKind kind : allEventKinds()) {
            if (!trace.table(kind).empty() && passes.mayPass(kind))
                addFound(trace, {.kind = kind, .name = {}, .label = {}, .window = window, .filter = both},
                    found, stop);
        }
    }
    std::ranges::stable_sort(found, [](const FoundName& a, const FoundName& b) {
        const bool aDerived = isDerived(a.query.kind) || a.query.recordedOnGpu;
        const bool bDerived = isDerived(b.query.kind) || b.query.recordedOnGpu;
        return aDerived != bDerived ? bDerived : a.total > b.total;
    });
    return found;
}

std::vector<std::string> namesLike(const Trace& trace, std::string_view text, std::size_t most)
{
    std::vector<std::string> names;
    const std::string wanted = lowered(text);
    std::unordered_set<std::uint32_t> known;
    for (const EventKind kind : allEventKinds()) {
        const EventTable& table = trace.table(kind);
        for (EventIndex i = 0; i < table.size() && names.size() < most && !isDerived(kind); ++i) {
            if (!known.insert(raw(table.name[i])).second)
                continue;
            for (const std::string_view name : {trace.displayName({kind, i}), trace.name({kind, i})}) {
                if (!containsWord(name, wanted))
                    continue;
                if (const std::string text8 = toUtf8(name); std::ranges::find(names, text8) == names.end())
                    names.push_back(text8);
                break;
            }
        }
    }
    return names;
}

} // namespace warpline
