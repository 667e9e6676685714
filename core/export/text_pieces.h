#pragma once

#include "core/export/cells_text.h"

#include <string>

namespace warpline {

/// Collects text and passes it on in pieces worth a write.
class TextPieces {
public:
    explicit TextPieces(const TextSink& sink)
        : m_sink(sink)
    {
    }

    std::string text;

    /// To be called between rows. False: the sink takes no more.
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
