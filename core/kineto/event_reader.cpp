// Interprets the events of a trace. PyTorch's profiler has a category for each kind of event; events with
// other writers' categories become ranges of a thread.

#include "core/kineto/event_reader.h"

#include "core/base/both_ends.h"
#include "core/base/median.h"
#include "core/base/saturate.h"
#include "core/kineto/block_events.h"
#include "core/kineto/event_words.h"

#include <algorithm>
#include <iterator>

namespace warpline {

namespace {

constexpr Ns longest = Ns{7} * 24 * 3600 * 1'000'000'000; // more is a fault of the recording

/// Ranges of frameworks and of devices other than CUDA: their category is their domain.
constexpr std::string_view sameAsName{};

constexpr std::string_view metadataEvents("metadata");
constexpr std::string_view uncategorizedEvents("events without a category");

/// Each field of a counter repeats its name: at most so many bytes of it.
constexpr std::size_t longestRepeatedName = 1000;

} // namespace

const std::array<EventReader::Category, 56> EventReader::categoryList{{
    {"kernel", &EventReader::kernel, {}, true},
    {"Kernel", &EventReader::kernel, {}, true},
    {"gpu_memcpy", &EventReader::memcpy, {}, true},
    {"Memcpy", &EventReader::memcpy, {}, true},
    {"gpu_memset", &EventReader::memset, {}, true},
    {"Memset", &EventReader::memset, {}, true},
    {"cuda_runtime", &EventReader::call, {}, true},
    {"Runtime", &EventReader::call, {}, true},
    {"cuda_driver", &EventReader::call, {}, true},
    {"cpu_op", &EventReader::range, "PyTorch", true},
    {"Operator", &EventReader::oldOperator, "PyTorch", true},
    {"user_annotation", &EventReader::range, "", true},
    {"python_function", &EventReader::range, "Python", true},
    {"gpu_user_annotation", &EventReader::gpuRange, "GPU annotations", true},
    {"cuda_sync", &EventReader::synchronization, {}, true},
    {"cuda_event", &EventReader::cudaEvent, {}, true},
    {"overhead", &EventReader::overhead, {}, true},
    {"Trace", nullptr, {}, true},
    {"ac2g", nullptr, {}, true},
    {"fwdbwd", nullptr, {}, true},
    {"async_cpu_to_gpu", nullptr, {}, true},
    {"cpu_to_cuda", nullptr, {}, true},
    {"external_correlation", &EventReader::range, sameAsName, true},
    {"collective_comm", &EventReader::range, sameAsName, true},
    {"cuda_profiler_range", &EventReader::range, sameAsName, true},
    {"hardware_counters", &EventReader::range, sameAsName, true},
    {"glow_runtime", &EventReader::range, sameAsName, true},
    {"mtia_runtime", &EventReader::call, {}, true},
    {"mtia_ccp_events", &EventReader::mtiaWork, sameAsName, true},
    {"mtia_insight", &EventReader::range, sameAsName, true},
    {"mtia_counters", &EventReader::range, sameAsName, true},
    {"hpu_op", &EventReader::range, sameAsName, true},
    {"xpu_runtime", &EventReader::range, sameAsName, true},
    {"xpu_driver", &EventReader::range, sameAsName, true},
    {"xpu_sync", &EventReader::range, sameAsName, true},
    {"xpu_scope_profiler", &EventReader::range, sameAsName, true},
    {"privateuse1_runtime", &EventReader::range, sameAsName, true},
    {"privateuse1_driver", &EventReader::range, sameAsName, true},
    // Categories of writeChromeTrace() that differ from PyTorch's.
    {"memcpy", &EventReader::memcpy, {}, false},
    {"memset", &EventReader::memset, {}, false},
    {"synchronization", &EventReader::synchronization, {}, false},
    {"cuda_api", &EventReader::call, {}, false},
    {"nvtx", &EventReader::ownRange, {}, false},
    {"graph", &EventReader::graph, sameAsName, false},
    {"host_function", &EventReader::range, sameAsName, false},
    {"decompression", &EventReader::range, sameAsName, false},
    {"osrt", &EventReader::osCall, {}, false},
    {"library", &EventReader::range, sameAsName, false},
    {"thread_states", &EventReader::range, sameAsName, false},
    {"cpu_samples", &EventReader::range, sameAsName, false},
    {"graph_events", &EventReader::range, sameAsName, false},
    {"gpu_memory", &EventReader::range, sameAsName, false},
    {"gpu_memory_pools", &EventReader::range, sameAsName, false},
    {"page_faults", &EventReader::range, sameAsName, false},
    {"file_access", &EventReader::range, sameAsName, false},
    {"diagnostics", &EventReader::range, sameAsName, false},
}};

Ns middleTimeOf(const EventBlock& block)
{
    std::vector<Ns> times;
    RawEvent event;
    BlockEvents events(block);
    while (events.next(event)) {
        const auto time = nanosecondsOf(event.start);
        if (time && !event.isPhase('M'))
            times.push_back(*time);
    }
    return upperMedian(std::move(times));
}

EventReader::EventReader(StringPool& pool, Ns middle)
    : m_names(pool),
      m_middle(middle)
{
}

void EventReader::read(const EventBlock& block)
{
    BlockEvents events(block);
    while (events.next(m_event)) {
        m_number = events.number();
        readEvent();
    }
    faults[{{}, ProblemKind::EventMalformed}] += events.broken();
    faults[{{}, ProblemKind::EventUnreadable}] += events.lost();
}

std::string_view EventReader::countedCategory() const
{
    const std::string_view category = m_event.category.text;
    return category.size() > mostTableLetters ? otherTables
        : !category.empty()                   ? category
        : m_event.isPhase('M')                ? metadataEvents
                                              : uncategorizedEvents;
}

void EventReader::addFault(ProblemKind kind)
{
    const std::string_view category = countedCategory();
    ++faults[{std::string(categories.contains(category) ? category : otherTables), kind}];
}

void EventReader::count(std::string_view category)
{
    if (const auto known = categories.find(category); known != categories.end()) {
        ++known->second.count;
        return;
    }
    const bool hasMeaning = category == metadataEvents || category == uncategorizedEvents
        || category == otherTables
        || std::ranges::find(categoryList, category, &Category::name) != categoryList.end();
    categories.emplace(category, CategoryEvents{1, hasMeaning});
    limitCategories();
}

/// Those that stay do not depend on the order of events, nor on which thread reads them.
void EventReader::limitCategories()
{
    while (categories.size() > mostTables) {
        auto last = std::prev(categories.end());
        while (last->second.hasMeaning) // most categories have none
            --last;
        CategoryEvents& rest
            = categories.try_emplace(std::string(otherTables), CategoryEvents{0, true}).first->second;
        rest.count += last->second.count;
        auto fault = faults.lower_bound({last->first, ProblemKind{}});
        while (fault != faults.end() && fault->first.first == last->first) {
            faults[{std::string(otherTables), fault->first.second}] += fault->second;
            fault = faults.erase(fault);
        }
        categories.erase(last);
    }
}

bool EventReader::isOtherKind(std::string_view category)
{
    const auto* const found = std::ranges::find(categoryList, category, &Category::name);
    return found != categoryList.end() && !found->ofKineto && found->handle == &EventReader::range;
}

const EventReader::Category* EventReader::categoryOf(std::string_view name)
{
    if (name == m_lastCategory)
        return m_lastFound;
    const auto* const found = std::ranges::find(categoryList, name, &Category::name);
    m_lastCategory = name;
    m_lastFound = found != categoryList.end() ? found : nullptr;
    return m_lastFound;
}

void EventReader::readEvent()
{
    m_category = categoryOf(m_event.category.text);
    isKineto = isKineto || (m_category != nullptr && m_category->ofKineto);
    count(countedCategory());
    switch (m_event.phase.text.size() == 1 ? m_event.phase.text.front() : '\0') {
    case 'X':
        readComplete();
        break;
    case 'i':
    case 'I':
        readInstant();
        break;
    case 'C':
        readCounter();
        break;
    case 'M':
        readName();
        break;
    case 'B':
        readEnd(true);
        break;
    case 'E':
        readEnd(false);
        break;
    case 's':
        readFlow(true);
        break;
    case 'f':
        readFlow(false);
        break;
    case 't':
        break; // between the two ends of a flow
    default:
        addFault(ProblemKind::EventKindNotShown);
        break;
    }
}

void EventReader::readComplete()
{
    const bool isSkipped = m_category != nullptr && m_category->handle == nullptr;
    TimeRange time;
    if (isSkipped || !times(time))
        return;
    if (m_category != nullptr)
        (this->*m_category->handle)(time);
    else if (m_event.category.text.empty() && m_event.argument("BeginNs").there())
        firstRocprof(time);
    else if (m_event.category.text.empty() && m_event.argument("correlation_id").there())
        xlaEvent(time);
    else
        range(time);
}

/// Reads the time of the event. False when it has none.
bool EventReader::time(Ns& start)
{
    const auto at = nanosecondsOf(m_event.start);
    if (!at) {
        addFault(ProblemKind::EventWithoutTime);
        return false;
    }
    // Both fit into 63 bits, but their difference may not.
    if (*at < saturatingAdd(m_middle, -maxDistance) || *at > saturatingAdd(m_middle, maxDistance)) {
        addFault(ProblemKind::EventTimeImpossible);
        return false;
    }
    start = *at - m_middle;
    earliest = std::min(earliest, start);
    return true;
}

/// The event's time. False when it has none; an end that cannot be makes it a mark, and is counted.
bool EventReader::times(TimeRange& whole)
{
    if (!time(whole.start))
        return false;
    whole.end = whole.start;
    const std::string_view duration = m_event.duration.text; // may be "nan"
    if (duration.find_first_of("0123456789") == std::string_view::npos) {
        addFault(ProblemKind::EventWithoutDuration);
        return true;
    }
    const Ns length = nanosecondsOf(m_event.duration).value_or(longest + 1);
    if (length < 0)
        addFault(ProblemKind::EventEndsBeforeStart);
    else if (length > longest)
        addFault(ProblemKind::EventTooLong);
    if (length > 0 && length <= longest)
        whole.end += length;
    return true;
}

GlobalId EventReader::thread() const
{
    const std::uint32_t pid = idOf(m_event.pid);
    // A trace by Warpline has a line for each kind of a thread, with the thread as argument.
    const JsonValue& own = m_event.argument("thread");
    const bool isOwn = own.there() && m_category != nullptr
        && (!m_category->ofKineto || m_category->name == keyOf(EventKind::Overhead));
    const std::uint32_t tid = idOf(isOwn ? own : m_event.tid);
    return pid == 0 ? GlobalId{tid} : GlobalId{pid} << 24U | tid;
}

std::int32_t EventReader::number32(std::string_view key, std::int32_t otherwise) const
{
    const auto number = integerOf(m_event.argument(key));
    return number && *number >= -0x7FFFFFFF && *number <= 0x7FFFFFFF ? static_cast<std::int32_t>(*number)
                                                                     : otherwise;
}

std::uint32_t EventReader::linkOf(std::int64_t id)
{
    const bool fits = id <= std::numeric_limits<std::uint32_t>::max();
    if (!fits)
        addFault(ProblemKind::CorrelationIdTooWide);
    return id > 0 && fits ? static_cast<std::uint32_t>(id) : 0;
}

std::uint32_t EventReader::correlation()
{
    auto id = integerOf(m_event.argument("correlation"));
    if (!id)
        id = integerOf(m_event.argument("correlation_id")); // JAX, TensorFlow
    return id ? linkOf(*id) : 0;
}

/// The number that joins a call with its GPU work; 0 where only external ids may.
std::uint32_t EventReader::launchNumber()
{
    if (const std::uint32_t id = correlation(); id != 0) {
        correlates = true;
        return id;
    }
    if (correlates)
        return 0;
    if (const auto id = integerOf(m_event.argument("External id")); id && *id > 0)
        externalIds.emplace(sourceRow(), linkOf(*id));
    return 0;
}

std::uint32_t EventReader::sourceRow() const
{
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(m_number, noIndex - 1));
}

TrackKey EventReader::onThread(std::string_view source, StringId domain)
{
    TrackKey key{.owner = thread(), .family = domain, .source = m_names(source)};
    ++processes[pidOf(key.owner)];
    return key;
}

void EventReader::readCounter()
{
    Ns at = 0;
    if (!time(at))
        return;
    const GlobalId process = processOf(thread());
    std::string name = textOf(m_event.name);
    if (m_event.id.there()) // counters of one name
        name += '[' + textOf(m_event.id) + ']';
    const std::string repeated = bothEnds(name, longestRepeatedName) + ' ';
    for (const JsonField& field : m_event.arguments) {
        const auto value = realOf(field.value);
        if (!value) {
            addFault(ProblemKind::CounterWithoutNumber);
            continue;
        }
        const bool same = m_event.arguments.size() == 1 || field.key == m_event.name.text;
        counters[{process, -1, same ? name : repeated + unescaped(field.key)}].push_back(
            {at, *value, m_number});
    }
}

void EventReader::readName()
{
    const JsonValue& name = m_event.argument("name");
    if (!name.there() || idOf(m_event.pid) == 0)
        return;
    if (m_event.name.text == "process_name")
        processNames[processOf(thread())] = {m_number, m_names(name)};
    else if (m_event.name.text == "thread_name")
        threadNames[thread()] = {m_number, m_names(name)};
}

void EventReader::readEnd(bool begins)
{
    Ns at = 0;
    if (!time(at))
        return;
    const bool isWork = m_category
        && (m_category->handle == &EventReader::kernel || m_category->handle == &EventReader::memcpy
            || m_category->handle == &EventReader::memset || m_category->handle == &EventReader::call);
    if (begins && isWork)
        addFault(ProblemKind::WorkInTwoEvents);
    ends.push_back({m_number, thread(), at, begins, m_names(m_event.name), m_names(m_event.category)});
    ++processes[pidOf(thread())];
}

/// One end of an arrow. Arrows from calls to GPU work ("ac2g") repeat correlation ids.
void EventReader::readFlow(bool begins)
{
    if (m_event.category.text != "fwdbwd")
        return;
    const auto id = integerOf(m_event.id);
    Ns at = 0;
    if (id && time(at))
        loose.passes.push_back({*id, thread(), at, begins});
}

void EventReader::append(EventReader&& other)
{
    other.kernels.translateAttributes(launches, other.launches);
    other.memcpys.translateAttributes(copies, other.copies);
    other.ranges.translateAttributes(attributes, other.attributes);
    other.allocations.translateAttributes(operations, other.operations);
    for (const auto table :
        {&EventReader::kernels, &EventReader::memcpys, &EventReader::memsets, &EventReader::graphs,
            &EventReader::synchronizations, &EventReader::cudaEvents, &EventReader::calls,
            &EventReader::osCalls, &EventReader::ranges, &EventReader::overheads, &EventReader::allocations})
        (this->*table).append(std::move(other.*table));
    ends.insert(ends.end(), other.ends.begin(), other.ends.end());
    loose.append(std::move(other.loose));
    for (auto& [key, values] : other.counters) {
        CounterValues& all = counters[key];
        all.insert(all.end(), values.begin(), values.end());
    }
    for (const auto& [pid, events] : other.processes)
        processes[pid] += events;
    for (const auto names : {&EventReader::processNames, &EventReader::threadNames}) {
        for (const auto& [id, given] : other.*names) {
            GivenName& last = (this->*names)[id];
            last = last.event < given.event ? given : last;
        }
    }
    for (const auto& [category, events] : other.categories) {
        const auto [known, isNew] = categories.try_emplace(category, events);
        known->second.count += isNew ? 0 : events.count;
    }
    for (const auto& [group, ranks] : other.communicators) {
        std::int64_t& known = communicators[group];
        known = std::max(known, ranks);
    }
    for (const auto& [fault, events] : other.faults)
        faults[fault] += events;
    limitCategories();
    earliest = std::min(earliest, other.earliest);
    isKineto = isKineto || other.isKineto;
    correlates = correlates || other.correlates;
    if (correlates)
        externalIds.clear();
    else
        externalIds.merge(other.externalIds);
}

} // namespace warpline
