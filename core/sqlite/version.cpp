#include "core/sqlite/version.h"

#include <sqlite3.h>

namespace warpline::sqlite {

std::string_view version()
{
    return sqlite3_libversion();
}

} // namespace warpline::sqlite
