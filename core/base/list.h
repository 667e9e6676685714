#pragma once

#include <array>
#include <span>

/// The list of a room: `std::span<const Type* const> function()`, of the objects that `NAMES` names, each of
/// which is `extern constinit const Type` in a file of its own. NAMES(X) is a macro with a line X(name) for
/// each, and no object registers itself: the order is what the list says. Once in a file.
#define WARPLINE_LIST(Type, function, NAMES) \
    WARPLINE_LIST_OF(Type, function, NAMES, WARPLINE_LIST_DECLARE, WARPLINE_LIST_ADDRESS)
#define WARPLINE_LIST_DECLARE(name) extern const ListEntry name;
#define WARPLINE_LIST_ADDRESS(name) &name,

/// The same of a folder whose files use the same names for their parts, and are compiled together: each has a
/// namespace that is named like it. NAMES(X) has a line X(file, name) for each object.
#define WARPLINE_FILE_LIST(Type, function, NAMES) \
    WARPLINE_LIST_OF(Type, function, NAMES, WARPLINE_FILE_LIST_DECLARE, WARPLINE_FILE_LIST_ADDRESS)
#define WARPLINE_FILE_LIST_DECLARE(file, name) \
    namespace file {                           \
    extern const ListEntry name;               \
    }
#define WARPLINE_FILE_LIST_ADDRESS(file, name) &file::name,

// What both are: DECLARE and ADDRESS take what a line of NAMES has.
#define WARPLINE_LIST_OF(Type, function, NAMES, DECLARE, ADDRESS) \
    using ListEntry = Type;                                       \
    NAMES(DECLARE)                                                \
    std::span<const ListEntry* const> function()                  \
    {                                                             \
        static constexpr std::array list{NAMES(ADDRESS)};         \
        return list;                                              \
    }
