#include "core/kineto/event_splitter.h"

#include "core/kineto/json_shape.h"
#include "core/kineto/object_scan.h"

#include <algorithm>
#include <cstring>

namespace warpline {

namespace {

constexpr std::size_t maxEventBytes = std::size_t{64} << 20U;
constexpr std::size_t maxFieldBytes = std::size_t{1} << 20U;
constexpr std::size_t maxFields = 1000;
/// Bytes needed to detect the begin of an event: a comma, space, a bracket, space, a key.
constexpr std::size_t eventHeadBytes = 256;
/// How Kineto ends an event and begins the next. Inside an event this cannot be: a string holds no end of
/// line.
constexpr std::string_view betweenEvents = "},\n  {\n    \"ph\":";
/// Bytes before the end of a text in which the last beginning of an event is searched.
constexpr std::size_t runTailBytes = std::size_t{64} << 10U;

/// How many events begin in `run`, as Kineto writes them.
std::uint64_t eventsIn(std::string_view run)
{
    const char* at = run.data();
    const char* const last = at + run.size() - std::min<std::size_t>(3, run.size());
    std::uint64_t count = 0;
#ifdef __SSE2__
    const auto are = [](const char* from, char c) {
        return _mm_cmpeq_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)), _mm_set1_epi8(c));
    };
    while (last - at >= 16) {
        __m128i found = _mm_setzero_si128(); // in each of 16 places, up to 255
        for (int i = 0; i < 255 && last - at >= 16; ++i, at += 16)
            found = _mm_sub_epi8(found, _mm_and_si128(are(at, '\n'), are(at + 3, '{')));
        const __m128i sums = _mm_sad_epu8(found, _mm_setzero_si128());
        count += static_cast<std::uint64_t>(_mm_cvtsi128_si32(sums))
            + static_cast<std::uint64_t>(_mm_extract_epi16(sums, 4));
    }
#endif
    for (; at < last; ++at)
        count += *at == '\n' && at[3] == '{' ? 1 : 0;
    return count;
}

} // namespace

EventSplitter::EventSplitter(TextSource& source, std::size_t blockBytes)
    : m_source(&source),
      m_blockBytes(blockBytes)
{
}

EventSplitter::EventSplitter(std::string_view events)
    : m_blockBytes(events.size()),
      m_text(events),
      m_state(State::Events),
      m_atEnd(true),
      m_isTrace(true),
      m_hasList(true)
{
}

bool EventSplitter::next(EventBlock& block)
{
    while (m_state != State::Done) {
        if (m_state == State::Events && m_events.empty() && takeRun(block))
            return true;
        if (!m_events.empty() && m_at >= m_blockBytes)
            break;
        if (step())
            continue;
        if (!m_events.empty() || !more())
            break;
    }
    if (m_events.empty())
        return false;
    block.run = {};
    block.events = std::move(m_events);
    m_events = {};
    handOut(block, block.events.size());
    return true;
}

/// Gives `block` the text up to the place that is reached.
void EventSplitter::handOut(EventBlock& block, std::uint64_t events)
{
    std::string rest = m_text.substr(m_at);
    m_text.resize(m_at);
    block.text = std::move(m_text);
    block.firstEvent = m_handedOut;
    m_handedOut += events;
    m_text = std::move(rest);
    m_at = 0;
}

/// Returns the text before the last visible event, for events formatted as by Kineto. False when none is
/// found.
bool EventSplitter::takeRun(EventBlock& block)
{
    if (m_source == nullptr)
        return false;
    if (!m_atEnd && m_text.size() - m_at < m_blockBytes && !more())
        return false;
    if (m_at == m_text.size() || (m_text[m_at] != ',' && !isJsonSpace(m_text[m_at])))
        return false;
    const std::size_t from = std::max(m_at, m_text.size() - std::min(runTailBytes, m_text.size()));
    const std::size_t found = std::string_view(m_text).substr(from).rfind(betweenEvents);
    if (found == std::string_view::npos)
        return false;
    const std::size_t end = from + found + 1;
    block.events.clear();
    block.run = {m_at, end};
    const std::uint64_t events = eventsIn(std::string_view(m_text).substr(m_at, end - m_at));
    m_at = end;
    handOut(block, events);
    return true;
}

/// Advances by one step. False when the text at the place is incomplete.
bool EventSplitter::step()
{
    const std::size_t before = m_at;
    const State state = m_state;
    switch (m_state) {
    case State::Start:
        start();
        break;
    case State::Root:
        root();
        break;
    case State::Events:
        events();
        break;
    case State::Lost:
        findNext();
        break;
    case State::Done:
        break;
    }
    return m_at != before || m_state != state;
}

/// Reads on; only when all complete events were taken. False at the end of the text.
bool EventSplitter::more()
{
    if (m_atEnd) {
        cutOffHere();
        return m_state != State::Done;
    }
    m_text.erase(0, m_at);
    m_at = 0;
    if (m_text.size() > maxEventBytes && m_state != State::Lost) {
        m_state = State::Lost;
        m_counted = false;
    }
    const std::size_t had = m_text.size();
    const std::size_t wanted = std::max(m_blockBytes, had);
    m_text.resize(had + wanted);
    const std::size_t read = m_source->read(m_text.data() + had, wanted);
    m_text.resize(had + read);
    m_atEnd = read < wanted;
    return true;
}

/// The text ends where something is not whole.
void EventSplitter::cutOffHere()
{
    m_cutOff = m_state != State::Start;
    if (m_state == State::Events && skipBetween(m_at) < m_text.size())
        lose(m_at, m_text.size());
    else if (m_state == State::Lost && !m_counted)
        lose(m_at, m_text.size());
    m_state = State::Done;
}

void EventSplitter::start()
{
    std::size_t at = m_text.starts_with("\xEF\xBB\xBF") ? 3 : 0; // a byte order mark
    while (at < m_text.size() && isJsonSpace(m_text[at]))
        ++at;
    if (at == m_text.size())
        return;
    m_isTrace = m_text[at] == '{' || m_text[at] == '[';
    m_isList = m_hasList = m_text[at] == '[';
    m_state = !m_isTrace ? State::Done : m_isList ? State::Events : State::Root;
    m_at = at + 1;
}

/// Behind spaces and commas.
std::size_t EventSplitter::skipBetween(std::size_t from) const
{
    while (from < m_text.size() && (isJsonSpace(m_text[from]) || m_text[from] == ','))
        ++from;
    return from;
}

/// A key of the root object with its value, or the root's end.
void EventSplitter::root()
{
    const std::size_t key = skipBetween(m_at);
    if (key == m_text.size())
        return;
    if (m_text[key] == '}') {
        m_at = key + 1;
        m_state = State::Done;
        return;
    }
    std::size_t keyEnd = 0;
    if (m_text[key] != '"') {
        m_state = State::Lost;
        m_counted = true; // a value that is no event
        return;
    }
    if (scanText(m_text, key, keyEnd) != Found::Whole)
        return;
    const char* const end = m_text.data() + m_text.size();
    const char* at = behindSpace(m_text.data() + keyEnd, end);
    at = at < end && *at == ':' ? behindSpace(at + 1, end) : at;
    if (at == end)
        return;
    const std::string_view name(m_text.data() + key + 1, keyEnd - key - 2);
    const auto value = static_cast<std::size_t>(at - m_text.data());
    if (name == "traceEvents" && *at == '[') {
        m_hasList = true;
        m_state = State::Events;
        m_at = value + 1;
        return;
    }
    std::size_t valueEnd = 0;
    switch (scanValue(m_text, value, valueEnd)) {
    case Found::Whole:
        keep(name, std::string_view(m_text).substr(value, valueEnd - value));
        m_at = valueEnd;
        break;
    case Found::Broken:
        m_at = valueEnd;
        m_state = State::Lost;
        m_counted = true;
        break;
    case Found::Incomplete:
        break;
    }
}

void EventSplitter::keep(std::string_view key, std::string_view value)
{
    while (!value.empty() && isJsonSpace(value.back()))
        value.remove_suffix(1);
    if (value.size() <= maxFieldBytes && m_fields.size() < maxFields)
        m_fields.emplace_back(key, value);
}

/// Splits the events up to the end of the list, of the buffered text, or of a block.
void EventSplitter::events()
{
    while (m_at < m_blockBytes || m_events.empty()) {
        const std::size_t at = skipBetween(m_at);
        if (at == m_text.size())
            return;
        if (m_text[at] == ']') {
            m_at = at + 1;
            m_state = m_isList ? State::Done : State::Root;
            return;
        }
        std::size_t end = 0;
        const Found found = m_text[at] == '{' ? scanObject(m_text, at, end) : Found::Broken;
        if (found == Found::Incomplete)
            return;
        if (found == Found::Broken) {
            end = std::max(end, at + 1);
            lose(at, end);
            m_at = end;
            m_counted = true;
            m_state = State::Lost;
            return;
        }
        m_events.emplace_back(static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(end));
        m_at = end;
    }
}

/// Counts the events that begin in the discarded text, at least one.
void EventSplitter::lose(std::size_t from, std::size_t to)
{
    const std::string_view text = std::string_view(m_text).substr(from, to - from);
    std::uint64_t begin = 0;
    for (std::size_t at = text.find("\"ph\""); at != std::string_view::npos; at = text.find("\"ph\"", at + 4))
        ++begin;
    m_lost += std::max<std::uint64_t>(1, begin);
}

/// Finds the beginning of the next event.
void EventSplitter::findNext()
{
    const char* const begin = m_text.data();
    const char* const end = begin + m_text.size();
    const char* at = begin + m_at;
    const char* const last
        = m_atEnd ? end : end - std::min<std::size_t>(eventHeadBytes, m_text.size() - m_at);
    for (; at < last; ++at) {
        at = static_cast<const char*>(std::memchr(at, '{', static_cast<std::size_t>(last - at)));
        if (at == nullptr)
            break;
        if (opensEvent(begin, at, end)) {
            if (!m_counted)
                lose(m_at, static_cast<std::size_t>(at - begin));
            m_hasList = true;
            m_state = State::Events;
            m_at = static_cast<std::size_t>(at - begin);
            return;
        }
    }
    m_at = static_cast<std::size_t>(std::max(last, begin + m_at) - begin);
    if (m_atEnd)
        m_state = State::Done;
}

} // namespace warpline
