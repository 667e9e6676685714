#include "core/base/version.h"

namespace warpline {

std::string_view programVersion()
{
    return WARPLINE_VERSION;
}

} // namespace warpline
