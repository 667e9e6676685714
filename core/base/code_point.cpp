#include "core/base/code_point.h"

namespace warpline {

void appendUtf8(std::uint32_t code, std::string& text)
{
    const auto tail = [&](unsigned shift) { text += static_cast<char>(0x80U | (code >> shift & 0x3FU)); };
    if (code < 0x80) {
        text += static_cast<char>(code);
    } else if (code < 0x800) {
        text += static_cast<char>(0xC0U | code >> 6U);
        tail(0);
    } else if (code < 0x10000) {
        text += static_cast<char>(0xE0U | code >> 12U);
        tail(6);
        tail(0);
    } else {
        text += static_cast<char>(0xF0U | (code >> 18U & 7U));
        tail(12);
        tail(6);
        tail(0);
    }
}

} // namespace warpline
