#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace warpline {

/// JSON's whitespace.
constexpr bool isJsonSpace(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/// Skips whitespace, sixteen bytes at a time where the machine can, because lines are indented.
inline const char* behindSpace(const char* at, const char* end)
{
    if (at < end && !isJsonSpace(*at))
        return at;
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const auto are = [&](char c) { return _mm_cmpeq_epi8(text, _mm_set1_epi8(c)); };
        const auto space = static_cast<std::uint32_t>(_mm_movemask_epi8(
            _mm_or_si128(_mm_or_si128(are(' '), are('\n')), _mm_or_si128(are('\t'), are('\r')))));
        if (space != 0xFFFF)
            return at + std::countr_one(space);
    }
#endif
    while (at < end && isJsonSpace(*at))
        ++at;
    return at;
}

/// The first quote or backslash from `at` on; `end` when there is none. Sixteen at a time where the machine
/// can.
inline const char* findQuote(const char* at, const char* end)
{
#ifdef __SSE2__
    for (; end - at >= 16; at += 16) {
        const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
        const auto found = static_cast<std::uint32_t>(_mm_movemask_epi8(_mm_or_si128(
            _mm_cmpeq_epi8(text, _mm_set1_epi8('"')), _mm_cmpeq_epi8(text, _mm_set1_epi8('\\')))));
        if (found != 0)
            return at + std::countr_zero(found);
    }
#endif
    while (at < end && *at != '"' && *at != '\\')
        ++at;
    return at;
}

/// Iterates over the structural characters of JSON: quotes, brackets, backslashes, and newlines, which no
/// string may contain. Sixteen bytes at a time where the machine can.
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

} // namespace warpline
