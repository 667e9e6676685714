#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace warpline {

/// Takes text in pieces, in order. Returns false to refuse more, for example when it cannot be written.
using TextSink = std::function<bool(std::string_view piece)>;

/// Adds `field` to a line of comma-separated values: in quotes where it must be, its bytes unchanged.
inline void appendQuoted(std::string& out, std::string_view field)
{
    if (field.find_first_of(",\"\r\n") == std::string_view::npos) {
        out += field;
        return;
    }
    out += '"';
    for (const char c : field) {
        if (c == '"')
            out += '"';
        out += c;
    }
    out += '"';
}

/// Collects text and passes it on in pieces worth a write.
class TextPieces {
public:
    explicit TextPieces(const TextSink& sink)
        : m_sink(sink)
    {
    }

    std::string text;

    /// Call between rows. False: the sink refuses more.
    bool goOn()
    {
        constexpr std::size_t piece = 64U * 1024;
        return text.size() < piece || flush();
    }
    bool flush()
    {
        m_wanted = m_wanted && (text.empty() || m_sink(text));
        text.clear();
        return m_wanted;
    }

private:
    const TextSink& m_sink;
    bool m_wanted = true;
};

} // namespace warpline
