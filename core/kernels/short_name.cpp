#include "core/kernels/short_name.h"

#include <cstddef>

namespace warpline {

namespace {

/// Where the parameters begin: the first parenthesis outside template arguments that is no namespace.
std::size_t parametersOf(std::string_view name)
{
    int angles = 0;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (c == '<') {
            ++angles;
        } else if (c == '>' && angles > 0) {
            --angles;
        } else if (c == '(' && angles == 0) {
            if (!name.substr(i).starts_with(anonymousNamespace))
                return i;
            i += anonymousNamespace.size() - 1;
        }
    }
    return name.size();
}

} // namespace

std::string_view shortNameOf(std::string_view demangled)
{
    std::string_view name = demangled.substr(0, parametersOf(demangled));
    name = name.substr(0, name.find("[abi:")); // a signature of Numba's, no part of the name
    int angles = 0;
    std::size_t first = 0; // of the last part
    std::size_t last = name.size(); // where its template arguments begin
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (name.substr(i).starts_with(anonymousNamespace)) {
            i += anonymousNamespace.size() - 1;
            continue;
        }
        const char c = name[i];
        if (c == '<') {
            if (angles++ == 0)
                last = i;
        } else if (c == '>' && angles > 0) {
            --angles;
        } else if (angles == 0 && (c == ' ' || c == ':') && i + 1 < name.size()) {
            first = i + 1;
            last = name.size();
        }
    }
    const std::string_view own = last > first ? name.substr(first, last - first) : std::string_view();
    return own.empty() ? demangled : own;
}

} // namespace warpline
