// Scans the outermost level of a JSON object. Payloads are parsed for each shown cell, so no tree is built.

#include "core/store/payload_fields.h"

#include "core/base/code_point.h"

#include <charconv>
#include <cstdint>

namespace warpline {

namespace {

class Walk {
public:
    explicit Walk(std::string_view text)
        : m_rest(text)
    {
    }

    bool take(char c)
    {
        skipSpace();
        if (m_rest.empty() || m_rest.front() != c)
            return false;
        m_rest.remove_prefix(1);
        return true;
    }

    /// A quoted text, its escapes undone.
    bool text(std::string& out)
    {
        if (!take('"'))
            return false;
        while (!m_rest.empty() && m_rest.front() != '"') {
            char c = m_rest.front();
            m_rest.remove_prefix(1);
            if (c == '\\' && !m_rest.empty()) {
                c = m_rest.front();
                m_rest.remove_prefix(1);
                escaped(c, out);
            } else {
                out += c;
            }
        }
        return take('"');
    }

    /// Any other value as text: a number, a word, a list, an object.
    bool plain(std::string& out)
    {
        skipSpace();
        std::size_t length = 0;
        int depth = 0;
        bool quoted = false;
        for (; length < m_rest.size(); ++length) {
            const char c = m_rest[length];
            if (quoted) {
                length += c == '\\' ? 1 : 0;
                quoted = c != '"';
            } else if (c == '"') {
                quoted = true;
            } else if (c == '{' || c == '[') {
                ++depth;
            } else if (depth == 0 && (c == ',' || c == '}' || c == ']')) {
                break;
            } else if (c == '}' || c == ']') {
                --depth;
            }
        }
        length = std::min(length, m_rest.size());
        out = m_rest.substr(0, length);
        m_rest.remove_prefix(length);
        while (!out.empty() && (out.back() == ' ' || out.back() == '\n'))
            out.pop_back();
        return !out.empty();
    }

    bool atQuote()
    {
        skipSpace();
        return !m_rest.empty() && m_rest.front() == '"';
    }

private:
    void skipSpace()
    {
        while (!m_rest.empty()
            && (m_rest.front() == ' ' || m_rest.front() == '\n' || m_rest.front() == '\t'
                || m_rest.front() == '\r'))
            m_rest.remove_prefix(1);
    }

    /// The four digits after "\\u".
    std::uint32_t takeHexadecimal()
    {
        std::uint32_t code = 0;
        std::from_chars(m_rest.data(), m_rest.data() + 4, code, 16);
        m_rest.remove_prefix(4);
        return code;
    }

    void escaped(char c, std::string& out)
    {
        if (c == 'u' && m_rest.size() >= 4) {
            std::uint32_t code = takeHexadecimal();
            if (isHighSurrogate(code) && m_rest.size() >= 6 && m_rest.starts_with("\\u")) {
                m_rest.remove_prefix(2); // two halves of one character
                code = joinedSurrogates(code, takeHexadecimal());
            }
            appendUtf8(code, out);
            return;
        }
        out += c == 'n' ? '\n' : c == 't' ? '\t' : c == 'r' ? '\r' : c;
    }

    std::string_view m_rest;
};

/// Calls visit(PayloadField&&) for each field until it returns false.
template <typename Visit> void visitFields(std::string_view payload, Visit visit)
{
    if (payload.empty())
        return;
    Walk walk(payload);
    if (!walk.take('{')) {
        PayloadField whole{"Payload", {}, walk.atQuote()};
        if (!whole.isText || !walk.text(whole.value))
            whole.value = payload;
        visit(std::move(whole));
        return;
    }
    do {
        PayloadField field;
        if (!walk.text(field.name) || !walk.take(':'))
            return;
        field.isText = walk.atQuote();
        if (!(field.isText ? walk.text(field.value) : walk.plain(field.value)))
            return;
        if (!visit(std::move(field)))
            return;
    } while (walk.take(','));
}

} // namespace

std::vector<PayloadField> payloadFields(std::string_view payload)
{
    std::vector<PayloadField> fields;
    visitFields(payload, [&fields](PayloadField&& field) {
        fields.push_back(std::move(field));
        return true;
    });
    return fields;
}

std::vector<std::string> payloadElements(std::string_view list)
{
    std::vector<std::string> elements;
    Walk walk(list);
    if (!walk.take('['))
        return elements;
    do {
        std::string element;
        if (!walk.plain(element))
            break;
        elements.push_back(std::move(element));
    } while (walk.take(','));
    return elements;
}

std::optional<PayloadField> findPayloadField(std::string_view payload, std::string_view name)
{
    std::optional<PayloadField> found;
    visitFields(payload, [&](PayloadField&& field) {
        if (field.name == name)
            found = std::move(field);
        return !found;
    });
    return found;
}

} // namespace warpline
