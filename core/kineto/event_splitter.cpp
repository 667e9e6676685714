#include "core/kineto/event_splitter.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace warpline {

namespace {

constexpr std::size_t mostEventBytes = std::size_t{64} << 20U;
constexpr std::size_t mostFieldBytes = std::size_t{1} << 20U;
constexpr std::size_t mostFields = 1000;
/// What must be seen of a text to tell whether an event begins: a comma, space, a bracket, space, a key.
constexpr std::size_t eventHeadBytes = 256;

bool isSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// Goes over a text from one character that gives JSON its shape to the next: quotes, brackets, backslashes,
/// and ends of lines, which no string may hold. Sixteen at a time where the machine can.
class Shape {
public:
    Shape(const char* at, const char* end)
        : m_at(at),
          m_end(end)
    {
    }

    /// The next one; the end of the text when there is none.
    const char* next()
    {
#ifdef __SSE2__
        while (m_mask == 0) {
            if (m_end - m_at < step)
                return nextSingle();
            m_base = m_at;
            m_mask = maskOf(m_at);
            m_at += step;
        }
        const char* const found = m_base + std::countr_zero(m_mask);
        m_mask &= m_mask - 1;
        return found;
#else
        return nextSingle();
#endif
    }

private:
    const char* nextSingle()
    {
        static constexpr std::string_view shapes = "\"\\\n{}[]";
        while (m_at < m_end && shapes.find(*m_at) == std::string_view::npos)
            ++m_at;
        return m_at < m_end ? m_at++ : m_end;
    }

#ifdef __SSE2__
    static constexpr std::ptrdiff_t step = 16;

    static std::uint32_t maskOf(const char* at)
    {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const auto are = [&](char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
        const __m128i folded = _mm_or_si128(text, _mm_set1_epi8(0x20)); // [ and ] become { and }
        const auto folds = [&](char c) { return _mm_cmpeq_epi8(folded, _mm_set1_epi8(c)); };
        return static_cast<std::uint32_t>(
            _mm_movemask_epi8(_mm_or_si128(_mm_or_si128(_mm_or_si128(are('"'), are('\\')), are('\n')),
                _mm_or_si128(folds('{'), folds('}')))));
    }

    const char* m_base = nullptr;
    std::uint32_t m_mask = 0;
#endif
    const char* m_at;
    const char* m_end;
};

const char* behindSpace(const char* at, const char* end)
{
    while (at < end && isSpace(*at))
        ++at;
    return at;
}

/// The character before `at` that is no space; 0 when there is none.
char before(const char* begin, const char* at)
{
    while (at > begin && isSpace(at[-1]))
        --at;
    return at > begin ? at[-1] : '\0';
}

/// Whether the text at `at` is one of the keys, with its quotes, that an event begins with.
bool isEventKey(const char* at, const char* end)
{
    static constexpr std::array<std::string_view, 7> keys{
        "\"ph\"", "\"name\"", "\"cat\"", "\"pid\"", "\"tid\"", "\"ts\"", "\"id\""};
    const std::string_view text(at, static_cast<std::size_t>(end - at));
    return std::ranges::any_of(keys, [&](std::string_view key) { return text.starts_with(key); });
}

/// Whether the bracket at `at` opens an event: behind a comma, or the list's beginning, and before a key.
bool opensEvent(const char* begin, const char* at, const char* end)
{
    const char ahead = before(begin, at);
    return (ahead == ',' || ahead == '[') && isEventKey(behindSpace(at + 1, end), end);
}

/// Whether an end of line inside a string shows that a quote too many stands before it: what follows goes on
/// as a new line of JSON does.
bool breaksString(const char* newline, const char* end)
{
    const char* const at = behindSpace(newline, end);
    return at < end && (*at == '"' || *at == '{' || *at == '}');
}

} // namespace

EventSplitter::EventSplitter(TextSource& source, std::size_t blockBytes)
    : m_source(source),
      m_blockBytes(blockBytes)
{
}

bool EventSplitter::next(EventBlock& block)
{
    while (m_state != State::Done) {
        if (!m_events.empty() && m_at >= m_blockBytes)
            break;
        if (step())
            continue;
        if (!m_events.empty() || !more())
            break;
    }
    if (m_events.empty())
        return false;
    std::string rest = m_text.substr(m_at);
    m_text.resize(m_at);
    block.text = std::move(m_text);
    block.events = std::move(m_events);
    block.firstEvent = m_handedOut;
    m_handedOut += block.events.size();
    m_text = std::move(rest);
    m_events = {};
    m_at = 0;
    return true;
}

/// One step on. False when what stands at the place is not whole yet.
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

/// Reads on. Only when nothing waits to be handed out. False at the end of the text.
bool EventSplitter::more()
{
    if (m_atEnd) {
        cutOffHere();
        return m_state != State::Done;
    }
    m_text.erase(0, m_at);
    m_at = 0;
    if (m_text.size() > mostEventBytes && m_state != State::Lost) {
        m_state = State::Lost;
        m_counted = false;
    }
    const std::size_t had = m_text.size();
    const std::size_t wanted = std::max(m_blockBytes, had);
    m_text.resize(had + wanted);
    const std::size_t read = m_source.read(m_text.data() + had, wanted);
    m_text.resize(had + read);
    m_textBytes += read;
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
    while (at < m_text.size() && isSpace(m_text[at]))
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
    while (from < m_text.size() && (isSpace(m_text[from]) || m_text[from] == ','))
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
    if (scanText(key, keyEnd) != Found::Whole)
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
    switch (scanValue(value, valueEnd)) {
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
    while (!value.empty() && isSpace(value.back()))
        value.remove_suffix(1);
    if (value.size() <= mostFieldBytes && m_fields.size() < mostFields)
        m_fields.emplace_back(key, value);
}

/// The events up to the end of the list, of what was read, or of a block.
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
        const Found found = m_text[at] == '{' ? scanObject(at, end) : Found::Broken;
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

/// Counts the events that begin in what is given up, or one.
void EventSplitter::lose(std::size_t from, std::size_t to)
{
    const std::string_view text = std::string_view(m_text).substr(from, to - from);
    std::uint64_t begin = 0;
    for (std::size_t at = text.find("\"ph\""); at != std::string_view::npos; at = text.find("\"ph\"", at + 4))
        ++begin;
    m_lost += std::max<std::uint64_t>(1, begin);
}

/// Looks for the beginning of the next event.
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

/// The string at `from`, quotes included.
EventSplitter::Found EventSplitter::scanText(std::size_t from, std::size_t& end) const
{
    for (std::size_t i = from + 1; i < m_text.size(); ++i) {
        if (m_text[i] == '\\') {
            ++i;
        } else if (m_text[i] == '"') {
            end = i + 1;
            return Found::Whole;
        }
    }
    return Found::Incomplete;
}

/// Any value beside the events.
EventSplitter::Found EventSplitter::scanValue(std::size_t from, std::size_t& end) const
{
    if (m_text[from] == '"')
        return scanText(from, end);
    if (m_text[from] == '{' || m_text[from] == '[')
        return scanObject(from, end);
    end = m_text.find_first_of(",}", from);
    return end == std::string::npos ? Found::Incomplete : Found::Whole;
}

/// The object (or list) at `from`. Broken: it ends nowhere; the next event may begin at `end` or later.
EventSplitter::Found EventSplitter::scanObject(std::size_t from, std::size_t& end) const
{
    const char* const begin = m_text.data();
    const char* const textEnd = begin + m_text.size();
    const char* const first = begin + from;
    const char* escaped = nullptr; // the character behind a backslash
    bool inString = false;
    std::size_t depth = 0;
    const auto broken = [&](const char* at) {
        end = static_cast<std::size_t>(at - begin);
        return Found::Broken;
    };
    Shape shape(first, textEnd);
    for (const char* at = shape.next(); at != textEnd; at = shape.next()) {
        if (at == escaped)
            continue;
        if (inString) {
            if (*at == '\\') {
                escaped = at + 1;
            } else if (*at == '"') {
                // With quotes and text the wrong way round, the key of the next event seems to be none.
                if (at[-1] == '{' && isEventKey(at, textEnd) && opensEvent(begin, at - 1, textEnd))
                    return broken(at - 1);
                inString = false;
            } else if (*at == '\n' && breaksString(at, textEnd)) {
                return broken(at);
            }
            continue;
        }
        switch (*at) {
        case '"':
            inString = true;
            break;
        case '{':
        case '[':
            // Another event inside this one: the end of this one is missing.
            if (depth > 0 && *at == '{' && before(begin, at) == ','
                && std::string_view(behindSpace(at + 1, textEnd),
                    static_cast<std::size_t>(textEnd - behindSpace(at + 1, textEnd)))
                       .starts_with("\"ph\""))
                return broken(at);
            ++depth;
            break;
        case '}':
        case ']':
            if (--depth == 0) {
                end = static_cast<std::size_t>(at - begin) + 1;
                return Found::Whole;
            }
            break;
        default:
            break;
        }
    }
    return Found::Incomplete;
}

} // namespace warpline
