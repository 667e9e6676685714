// One function describes the format of a summary, for writing and reading. Numbers are varints (7 bits per
// byte); times in lists are differences from the previous one.

#include "core/across/summary_bytes.h"

#include <algorithm>
#include <bit>
#include <type_traits>

namespace warpline {

namespace {

constexpr std::uint64_t version = 4; // grows with each change of layout or meaning

class Writer {
public:
    static constexpr bool reads = false;

    void number(std::uint64_t& value)
    {
        std::uint64_t rest = value;
        for (; rest >= 0x80; rest >>= 7U)
            m_bytes += static_cast<char>(rest | 0x80U);
        m_bytes += static_cast<char>(rest);
    }
    void text(std::string& text)
    {
        std::uint64_t size = text.size();
        number(size);
        m_bytes += text;
    }
    /// How many items a list has.
    std::size_t count(std::size_t size)
    {
        std::uint64_t wide = size;
        number(wide);
        return size;
    }
    std::string take() { return std::move(m_bytes); }

private:
    std::string m_bytes;
};

class Reader {
public:
    static constexpr bool reads = true;

    explicit Reader(std::string_view bytes)
        : m_rest(bytes)
    {
    }

    void number(std::uint64_t& value)
    {
        value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (m_rest.empty())
                break;
            const auto byte = static_cast<unsigned char>(m_rest.front());
            m_rest.remove_prefix(1);
            value |= std::uint64_t{byte & 0x7FU} << shift;
            if (byte < 0x80)
                return;
        }
        m_failed = true;
        value = 0;
    }
    void text(std::string& text)
    {
        const std::size_t size = count(0);
        text = m_rest.substr(0, size);
        m_rest.remove_prefix(size);
    }
    /// An item takes at least a byte, so a larger count than bytes left is an error, and no room is allocated
    /// for it.
    std::size_t count(std::size_t)
    {
        std::uint64_t size = 0;
        number(size);
        m_failed = m_failed || size > m_rest.size();
        return m_failed ? 0 : static_cast<std::size_t>(size);
    }
    bool isDone() const { return !m_failed && m_rest.empty(); }

private:
    std::string_view m_rest;
    bool m_failed = false;
};

template <typename Codec> void code(Codec& codec, std::string& text)
{
    codec.text(text);
}

/// Whole numbers and enumerations: small ones of either sign take little room.
template <typename Codec, typename Number>
requires std::is_integral_v<Number> || std::is_enum_v<Number>
void code(Codec& codec, Number& number)
{
    const auto wide = static_cast<std::int64_t>(number);
    std::uint64_t folded = (static_cast<std::uint64_t>(wide) << 1U) ^ static_cast<std::uint64_t>(wide >> 63);
    codec.number(folded);
    if constexpr (Codec::reads)
        number = static_cast<Number>(
            static_cast<std::int64_t>(folded >> 1U) ^ -static_cast<std::int64_t>(folded & 1U));
}

template <typename Codec> void code(Codec& codec, double& value)
{
    auto bits = std::bit_cast<std::uint64_t>(value);
    codec.number(bits);
    value = std::bit_cast<double>(bits);
}

template <typename Codec> void code(Codec& codec, TimeRange& range)
{
    code(codec, range.start);
    Ns length
        = static_cast<Ns>(static_cast<std::uint64_t>(range.end) - static_cast<std::uint64_t>(range.start));
    code(codec, length);
    range.end = static_cast<Ns>(static_cast<std::uint64_t>(range.start) + static_cast<std::uint64_t>(length));
}

template <typename Codec, typename Item> void code(Codec& codec, std::vector<Item>& items);

template <typename Codec, typename... Values>
requires(sizeof...(Values) > 1) void code(Codec& codec, Values&... values)
{
    (code(codec, values), ...);
}

template <typename Codec> void code(Codec& codec, ExchangeType& type)
{
    code(codec, type.kind, type.onHost, type.operation, type.element, type.group, type.groupSize);
}

template <typename Codec> void code(Codec& codec, ExchangePeer& peer)
{
    code(codec, peer.rank, peer.sends);
}

template <typename Codec> void code(Codec& codec, Exchange& exchange)
{
    code(codec, exchange.range, exchange.type, exchange.bytes, exchange.sequence, exchange.tag,
        exchange.firstPeer, exchange.peers, exchange.step, exchange.event.kind, exchange.event.index);
}

template <typename Codec> void code(Codec& codec, StepPart& part)
{
    code(codec, part.kind, part.name);
}

template <typename Codec> void code(Codec& codec, StepFacts& step)
{
    code(codec, step.name, step.host, step.time, step.warmUp, step.busy, step.parts);
}

template <typename Codec> void code(Codec& codec, KernelPace& pace)
{
    code(codec, pace.name, pace.count, pace.median);
}

template <typename Codec> void code(Codec& codec, ParticipantSummary& participant)
{
    code(codec, participant.process, participant.device, participant.rank, participant.foundBy,
        participant.worldSize, participant.gpu, participant.gpuPlace, participant.clockMHz, participant.types,
        participant.peers, participant.exchanges, participant.parts, participant.steps,
        participant.stepPattern, participant.computing, participant.computeAlone, participant.communicating,
        participant.kernels);
}

template <typename Codec> void code(Codec& codec, ReportSummary& summary)
{
    code(codec, summary.file, summary.error, summary.host, summary.utcOfZero, summary.session,
        summary.identity, summary.lostEvents, summary.lacksWork, summary.graphsAsWhole, summary.participants);
}

template <typename Codec, typename Item> void code(Codec& codec, std::vector<Item>& items)
{
    const std::size_t count = codec.count(items.size());
    items.resize(count);
    for (Item& item : items)
        code(codec, item);
}

/// Whether all indexes of `participant` lead somewhere, and times are those of events.
bool isWhole(const ParticipantSummary& participant)
{
    for (const Exchange& each : participant.exchanges) {
        if (!isPossibleTime(each.range.start) || !isPossibleTime(each.range.end)
            || each.range.end < each.range.start)
            return false;
        const bool peers = std::size_t{each.firstPeer} + each.peers <= participant.peers.size();
        const bool step = each.step == noIndex || each.step < participant.steps.size();
        if (each.type >= participant.types.size() || !peers || !step)
            return false;
    }
    for (const StepFacts& step : participant.steps) {
        if (step.parts.size() > participant.parts.size())
            return false;
    }
    return true;
}

} // namespace

std::string bytesOf(const ReportSummary& summary)
{
    Writer writer;
    std::uint64_t head = version;
    writer.number(head);
    ReportSummary copy = summary; // the shared function takes a non-const argument
    code(writer, copy);
    return writer.take();
}

Result<ReportSummary> summaryFrom(std::string_view bytes)
{
    Reader reader(bytes);
    std::uint64_t head = 0;
    reader.number(head);
    ReportSummary summary;
    if (head == version)
        code(reader, summary);
    if (head != version || !reader.isDone())
        return Error{"summary.cut_off",
            "The summary of a report was cut off, or another version of Warpline made it."};
    const bool isPossible = summary.utcOfZero >= 0 && summary.utcOfZero <= latestUtcNs;
    if (!isPossible || !std::ranges::all_of(summary.participants, isWhole))
        return Error{"summary.contradiction", "The summary of a report contradicts itself."};
    return summary;
}

} // namespace warpline
