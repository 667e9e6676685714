#pragma once

#include <array>
#include <span>

/// Defines the registry of a room: `std::span<const Type* const> function()`, of the objects in `NAMES`, each
/// an `extern constinit const Type` in its own file. NAMES(X) is a macro with a line X(name) for each object,
/// in order; no object registers itself. Once in a file.
#define WARPLINE_LIST(Type, function, NAMES) \
    WARPLINE_LIST_OF(Type, function, NAMES, WARPLINE_LIST_DECLARE, WARPLINE_LIST_ADDRESS)
#define WARPLINE_LIST_DECLARE(name) extern const ListEntry name;
#define WARPLINE_LIST_ADDRESS(name) &name,

/// The same for a folder that is compiled as one unit and whose files use equal names for their parts: each
/// file has a namespace of its own name. NAMES(X) has a line X(file, name) for each object.
#define WARPLINE_FILE_LIST(Type, function, NAMES) \
    WARPLINE_LIST_OF(Type, function, NAMES, WARPLINE_FILE_LIST_DECLARE, WARPLINE_FILE_LIST_ADDRESS)
#define WARPLINE_FILE_LIST_DECLARE(file, name) \
    namespace file {                           \
    extern const ListEntry name;               \
    }
#define WARPLINE_FILE_LIST_ADDRESS(file, name) &file::name,

// Common part of both: DECLARE and ADDRESS take the arguments of a line of NAMES.
#define WARPLINE_LIST_OF(Type, function, NAMES, DECLARE, ADDRESS) \
    using ListEntry = Type;                                       \
    NAMES(DECLARE)                                                \
    std::span<const ListEntry* const> function()                  \
    {                                                             \
        static constexpr std::array list{NAMES(ADDRESS)};         \
        return list;                                              \
    }
