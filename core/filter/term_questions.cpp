// For each field a function that selects the column for a term by kind of event. Matches each distinct text
// once.

#include "core/filter/term_questions.h"

#include "core/base/path_names.h"
#include "core/filter/path_match.h"
#include "core/filter/text_match.h"
#include "core/store/attributes.h"
#include "core/store/event_loops.h"
#include "core/store/gpu_names.h"
#include "core/store/payload_fields.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <optional>

namespace warpline {

namespace {

using How = EventPredicate::Question::How;

/// `answers(i)` for each i below `size`.
template <typename Answers>
std::shared_ptr<const std::vector<std::uint8_t>> knownOf(
    std::size_t size, const std::stop_token& stop, Answers&& answers)
{
    auto known = std::make_shared<std::vector<std::uint8_t>>(size);
    for (const std::size_t i : stoppable(std::size_t{0}, size, stop))
        (*known)[i] = answers(i) ? 1 : 0;
    return known;
}

/// Whether single facts of events match a term. Missing facts never do.
class FactMatch {
public:
    /// Keeps a reference to `term`.
    explicit FactMatch(const FilterTerm& term)
        : m_term(term),
          m_negative(isNegative(term.compared))
    {
        for (const FilterValue& value : term.values) {
            m_values.emplace_back(value.isExpression ? TextMatch::How::Expression
                    : isHolding(term.compared)       ? TextMatch::How::Holds
                                                     : TextMatch::How::Glob,
                value.isExpression || isHolding(term.compared) ? value.text : value.glob);
        }
    }

    /// Whether any value of the term matches, negated or not.
    bool anyMatches(std::string_view text) const
    {
        return std::ranges::any_of(m_values, [&](const TextMatch& value) { return value.isMatch(text); });
    }

    bool isText(std::string_view text) const { return anyMatches(text) != m_negative; }
    bool isNumber(std::int64_t number) const { return isNumberOrText(number, {}); }

    /// For facts with a number and a name. `text` may be empty: no name.
    bool isNumberOrText(std::int64_t number, std::string_view text) const
    {
        if (isOrdering(m_term.compared))
            return isAsked(m_term, static_cast<long double>(number));
        const bool byNumber = isWithin(m_term, static_cast<long double>(number))
            || anyMatches(std::to_string(number)); // stream=1*, stream~3
        return (byNumber || (!text.empty() && anyMatches(text))) != m_negative;
    }

    bool isKind(EventKind kind, bool recordedOnGpu = false) const
    {
        const auto isCalled
            = [&](const TextMatch& value) { return isKindCalled(kind, value, recordedOnGpu); };
        return std::ranges::any_of(m_values, isCalled) != m_negative;
    }

    bool isLaunch(const KernelLaunch& launch) const
    {
        const auto is
            = [&](std::int64_t number) { return isAsked(m_term, static_cast<long double>(number)); };
        switch (m_term.field) {
        case FilterField::Grid:
            return isExtent(launch.grid);
        case FilterField::GridX:
            return is(launch.grid.x);
        case FilterField::GridY:
            return is(launch.grid.y);
        case FilterField::GridZ:
            return is(launch.grid.z);
        case FilterField::Block:
            return isExtent(launch.block);
        case FilterField::BlockX:
            return is(launch.block.x);
        case FilterField::BlockY:
            return is(launch.block.y);
        case FilterField::BlockZ:
            return is(launch.block.z);
        case FilterField::Registers:
            return is(launch.registersPerThread);
        case FilterField::SharedMemory:
            return is(std::int64_t{launch.staticSharedMemory} + launch.dynamicSharedMemory);
        default:
            return false;
        }
    }

    bool isCategory(const Trace& trace, const NvtxAttributes& attributes) const
    {
        if (attributes.category == 0 && attributes.categoryName == StringId{})
            return false;
        return isNumberOrText(attributes.category, trace.text(attributes.categoryName));
    }

    bool isPayload(const Trace& trace, const NvtxAttributes& attributes) const
    {
        const std::string_view payload = trace.text(attributes.payload);
        if (payload.empty())
            return false;
        std::string text(payload);
        if (!m_term.part.empty()) {
            auto field = findPayloadField(payload, m_term.part);
            if (!field)
                return false;
            text = std::move(field->value);
        }
        const auto number = parseSize(text);
        if (isOrdering(m_term.compared))
            return number && isAsked(m_term, *number);
        return ((number && isWithin(m_term, *number)) || anyMatches(text)) != m_negative;
    }

    bool isExhausted() const { return std::ranges::any_of(m_values, &TextMatch::isExhausted); }

private:
    bool isExtent(const Dim3& extent) const
    {
        const auto isSame = [&](const FilterValue& value) {
            return value.extent && *value.extent == std::array<std::int64_t, 3>{extent.x, extent.y, extent.z};
        };
        if (std::ranges::any_of(
                m_term.values, [](const FilterValue& value) { return value.extent.has_value(); }))
            return std::ranges::any_of(m_term.values, isSame) != m_negative;
        return isAsked(m_term, static_cast<long double>(extent.volume()));
    }

    const FilterTerm& m_term;
    bool m_negative;
    std::vector<TextMatch> m_values;
};

/// Compiles terms into tests of columns.
class TermQuestions {
public:
    TermQuestions(const Trace& trace, const std::stop_token& stop)
        : m_trace(trace),
          m_stop(stop)
    {
    }

    EventPredicate::Term of(const FilterTerm& term)
    {
        EventPredicate::Term out;
        out.asked = term;
        switch (term.field) {
        case FilterField::Name:
            askNames(out);
            break;
        case FilterField::Kind:
            askKinds(out);
            break;
        case FilterField::Duration:
        case FilterField::Start:
        case FilterField::End:
        case FilterField::Correlation:
            askColumn(out);
            break;
        case FilterField::Bytes:
            askBytes(out);
            break;
        case FilterField::Thread:
            askThreads(out);
            break;
        case FilterField::Call:
            askCalls(out);
            break;
        case FilterField::Category:
        case FilterField::Payload:
            askNvtx(out);
            break;
        case FilterField::Path:
            askPaths(out);
            break;
        case FilterField::Stream:
        case FilterField::Device:
        case FilterField::Context:
        case FilterField::Process:
        case FilterField::Rank:
        case FilterField::Domain:
            askTracks(out);
            break;
        default:
            askLaunches(out);
        }
        return out;
    }

    bool isExhausted() const { return m_exhausted; }

private:
    using Question = EventPredicate::Question;
    using Known = std::vector<std::uint8_t>;

    /// For each string of the pool whether a value of `term` matches.
    std::shared_ptr<const Known> namesThat(const FilterTerm& term)
    {
        const FactMatch match(term);
        // Whether a value matches, not whether the term does: of kernels either name may.
        const auto known = knownOf(m_trace.pool->size(), m_stop, [&](std::size_t i) {
            return match.anyMatches(m_trace.text(StringId{static_cast<std::uint32_t>(i)}));
        });
        m_exhausted = m_exhausted || match.isExhausted();
        return known;
    }

    void askNames(EventPredicate::Term& out)
    {
        const Question byName{How::ByName, isNegative(out.asked.compared), namesThat(out.asked)};
        out.ofKind.fill(byName);
        Question& kernels = out.ofKind[indexOf(EventKind::Kernel)];
        kernels.how = How::ByNames;
        // A kernel's short name is a part of its full name: searching the full name covers it.
        if (out.asked.compared != FilterOperator::Equal && out.asked.compared != FilterOperator::NotEqual)
            return;
        const FactMatch match(out.asked);
        auto known = std::make_shared<Known>(*byName.known);
        Known looked(known->size());
        for (const EventIndex i : everyEvent(m_trace.kernels(), m_stop)) {
            const std::uint32_t name = raw(m_trace.kernels().name[i]);
            if (looked[name] == 0 && (*known)[name] == 0
                && match.anyMatches(m_trace.displayName({EventKind::Kernel, i})))
                (*known)[name] = 1;
            looked[name] = 1;
        }
        kernels.known = std::move(known);
    }

    void askKinds(EventPredicate::Term& out) const
    {
        const FactMatch match(out.asked);
        for (const EventKind kind : allEventKinds())
            out.ofKind[indexOf(kind)].how = match.isKind(kind) ? How::Always : How::Never;
        const bool onGpu = match.isKind(EventKind::Nvtx, true);
        const bool onThreads = match.isKind(EventKind::Nvtx);
        if (onGpu == onThreads)
            return;
        const std::vector<Track>& tracks = m_trace.nvtx().tracks;
        out.ofKind[indexOf(EventKind::Nvtx)]
            = {How::ByTrack, false, knownOf(tracks.size(), m_stop, [&](std::size_t i) {
                   return isRecordedOnGpu(EventKind::Nvtx, tracks[i]) ? onGpu : onThreads;
               })};
    }

    void askColumn(EventPredicate::Term& out) const
    {
        const How how = out.asked.field == FilterField::Duration ? How::Duration
            : out.asked.field == FilterField::Start              ? How::Start
            : out.asked.field == FilterField::End                ? How::End
                                                                 : How::Correlation;
        for (const EventKind kind : allEventKinds()) {
            if (how != How::Correlation || !m_trace.table(kind).correlation.empty())
                out.ofKind[indexOf(kind)].how = how;
        }
    }

    void askTracks(EventPredicate::Term& out) const
    {
        const FactMatch match(out.asked);
        const FilterField field = out.asked.field;
        const auto answer = [&](EventKind kind, const Track& track) {
            switch (field) {
            case FilterField::Stream:
                return track.stream >= 0 && match.isNumber(track.stream);
            case FilterField::Device:
                return track.device >= 0 && match.isNumber(gpuNumber(m_trace, track.owner, track.device));
            case FilterField::Context:
                return track.context >= 0 && match.isNumber(track.context);
            case FilterField::Process: {
                const Process* const process = m_trace.process(processOf(track.owner));
                return track.owner != 0
                    && match.isNumberOrText(pidOf(track.owner),
                        process ? baseName(m_trace.text(process->name)) : std::string_view());
            }
            case FilterField::Rank: {
                const auto rank = track.owner != 0 ? m_trace.mpiRank(track.owner) : std::nullopt;
                return rank && match.isNumber(*rank);
            }
            default: {
                const bool hasDomain = kind == EventKind::Nvtx || kind == EventKind::NvtxProjected
                    || track.family != StringId{};
                return hasDomain && match.isText(m_trace.text(track.family));
            }
            }
        };
        for (const EventKind kind : allEventKinds()) {
            const std::vector<Track>& tracks = m_trace.table(kind).tracks;
            out.ofKind[indexOf(kind)] = {How::ByTrack, false,
                knownOf(tracks.size(), m_stop, [&](std::size_t i) { return answer(kind, tracks[i]); })};
        }
    }

    void askThreads(EventPredicate::Term& out) const
    {
        const FactMatch match(out.asked);
        const auto answer = [&](const Track& track) {
            if (tidOf(track.owner) == 0)
                return false;
            const Thread* const thread = m_trace.thread(track.owner);
            return match.isNumberOrText(
                tidOf(track.owner), thread ? m_trace.text(thread->name) : std::string_view());
        };
        const auto ofTracks = [&](const EventTable& table) {
            return knownOf(
                table.tracks.size(), m_stop, [&](std::size_t i) { return answer(table.tracks[i]); });
        };
        const auto ofCalls = ofTracks(m_trace.apiCalls());
        for (const EventKind kind : allEventKinds()) {
            const EventTable& table = m_trace.table(kind);
            const bool onThreads = std::ranges::any_of(
                table.tracks, [](const Track& track) { return tidOf(track.owner) != 0; });
            if (runsOnDevice(kind) && !onThreads)
                out.ofKind[indexOf(kind)] = {How::ByCallTrack, false, ofCalls};
            else
                out.ofKind[indexOf(kind)] = {How::ByTrack, false, ofTracks(table)};
        }
    }

    void askCalls(EventPredicate::Term& out)
    {
        const Question byCall{How::ByCallName, isNegative(out.asked.compared), namesThat(out.asked)};
        for (const EventKind kind : allEventKinds()) {
            if (runsOnDevice(kind))
                out.ofKind[indexOf(kind)] = byCall;
        }
    }

    void askLaunches(EventPredicate::Term& out) const
    {
        const FactMatch match(out.asked);
        const std::vector<KernelLaunch>& launches = m_trace.kernels().launches;
        out.ofKind[indexOf(EventKind::Kernel)] = {How::ByAttribute, false,
            knownOf(launches.size(), m_stop, [&](std::size_t i) { return match.isLaunch(launches[i]); })};
    }

    void askNvtx(EventPredicate::Term& out) const
    {
        const FactMatch match(out.asked);
        const std::vector<NvtxAttributes>& attributes = m_trace.nvtx().attributes;
        const auto known = knownOf(attributes.size(), m_stop, [&](std::size_t i) {
            return out.asked.field == FilterField::Category ? match.isCategory(m_trace, attributes[i])
                                                            : match.isPayload(m_trace, attributes[i]);
        });
        out.ofKind[indexOf(EventKind::Nvtx)] = {How::ByAttribute, false, known};
        const EventTable& projected = m_trace.table(EventKind::NvtxProjected);
        const auto ofRange = knownOf(projected.size(), m_stop, [&](std::size_t i) {
            const EventIndex range = rangeProjectedBy(m_trace, static_cast<EventIndex>(i));
            return (*known)[m_trace.nvtx().attribute[range]] != 0;
        });
        out.ofKind[indexOf(EventKind::NvtxProjected)] = {How::ByEvent, false, ofRange};
    }

    void askBytes(EventPredicate::Term& out) const
    {
        for (const EventKind kind : allEventKinds()) {
            if (!m_trace.table(kind).bytes.empty())
                out.ofKind[indexOf(kind)].how = How::Bytes;
        }
        const std::vector<NvtxAttributes>& attributes = m_trace.nvtx().attributes;
        out.ofKind[indexOf(EventKind::Nvtx)]
            = {How::ByAttribute, false, knownOf(attributes.size(), m_stop, [&](std::size_t i) {
                   const std::int64_t bytes = attributes[i].payloadBytes;
                   return bytes >= 0 && isAsked(out.asked, static_cast<long double>(bytes));
               })};
        const std::vector<MessageFacts>& messages = m_trace.libraryCalls().messages;
        out.ofKind[indexOf(EventKind::Library)]
            = {How::ByAttribute, false, knownOf(messages.size(), m_stop, [&](std::size_t i) {
                   const std::int64_t bytes = messages[i].bytes;
                   return bytes != notSaid && isAsked(out.asked, static_cast<long double>(bytes));
               })};
    }

    void askPaths(EventPredicate::Term& out)
    {
        if (!m_ranges)
            m_ranges.emplace(m_trace, m_stop);
        const Known passing = pathsThat(m_trace, *m_ranges, out.asked, m_stop, m_exhausted);
        for (const EventKind kind : allEventKinds()) {
            if (m_trace.table(kind).empty() || kind == EventKind::CpuCore)
                continue;
            const std::vector<std::uint32_t> paths = m_ranges->pathsOf(kind, m_stop);
            out.ofKind[indexOf(kind)] = {How::ByEvent, false,
                knownOf(paths.size(), m_stop, [&](std::size_t i) { return passing[paths[i]] != 0; })};
        }
    }

    const Trace& m_trace;
    const std::stop_token& m_stop;
    std::optional<EnclosingRanges> m_ranges; ///< made for the first term about paths
    bool m_exhausted = false;
};

} // namespace

std::vector<EventPredicate::Term> termsOf(
    const Trace& trace, std::span<const FilterNode> nodes, const std::stop_token& stop, bool& exhausted)
{
    TermQuestions questions(trace, stop);
    std::vector<EventPredicate::Term> terms(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].type == FilterNode::Type::Term)
            terms[i] = questions.of(nodes[i].term);
    }
    exhausted = questions.isExhausted();
    return terms;
}

} // namespace warpline
