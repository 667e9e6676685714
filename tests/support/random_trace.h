#pragma once

#include "core/store/table_builder.h"
#include "core/store/trace.h"

#include <memory>
#include <random>
#include <vector>

namespace warpline::test {

/// A table of `events` random events on `tracks` tracks; some are marks, some touch, and with `nested` they
/// overlap.
inline std::shared_ptr<EventTable> randomTable(
    std::mt19937& random, EventKind kind, std::uint32_t tracks, std::uint32_t events, bool nested)
{
    TableBuilder builder(kind);
    const auto pick = [&](Ns low, Ns high) { return std::uniform_int_distribution<Ns>(low, high)(random); };
    std::vector<Ns> time(tracks, 0);
    for (std::uint32_t i = 0; i < events; ++i) {
        const auto t = static_cast<std::uint32_t>(pick(0, tracks - 1));
        TrackKey key;
        key.owner = 100ULL << 24U;
        key.device = 0;
        key.context = 1;
        key.stream = static_cast<std::int32_t>(t);
        const Ns start = nested ? pick(0, events * 3) : time[t] + pick(0, 4);
        const Ns length = pick(0, 9) < 2 ? 0 : pick(1, nested ? 40 : 5);
        time[t] = start + length;
        builder.add(builder.track(key), start, start + length,
            StringId{static_cast<std::uint32_t>(pick(1, 5))}, i + 1);
    }
    auto table = std::make_shared<EventTable>();
    builder.finishInto(*table);
    return table;
}

/// A trace with just `table`, which must be of a kind without tables of its own (Memset, ApiCall, OsRuntime
/// ...).
inline std::shared_ptr<Trace> traceWith(std::shared_ptr<const EventTable> table)
{
    auto pool = std::make_shared<StringPool>();
    for (const char* const name : {"alpha", "beta", "Gamma", "delta", "epsilon"})
        pool->intern(name);
    auto trace = std::make_shared<Trace>();
    trace->pool = pool;
    Ns end = 1;
    for (std::size_t i = 0; i < table->size(); ++i)
        end = std::max(end, table->end(i));
    trace->session = {0, end};
    trace->tables[indexOf(table->kind)] = std::move(table);
    trace->complete = true;
    return trace;
}

} // namespace warpline::test
