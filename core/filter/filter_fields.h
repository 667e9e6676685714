#pragma once

#include "core/base/message.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// Fields of events for filters. An event without the fact never passes a term about it.
enum class FilterField : std::uint8_t {
    Name,
    Kind,
    Duration,
    Start,
    End,
    Stream,
    Device,
    Context,
    Process,
    Thread,
    Rank,
    Domain,
    Category,
    Path,
    Payload,
    Bytes,
    Grid,
    GridX,
    GridY,
    GridZ,
    Block,
    BlockX,
    BlockY,
    BlockZ,
    Registers,
    SharedMemory,
    Correlation,
    Call,
};

/// How values of a field are written and compared.
enum class FilterType : std::uint8_t {
    Text, ///< one text, with * and ?
    Words, ///< texts or numbers, with commas between them: any of them
    Path, ///< names with slashes between them
    Number, ///< a number, or LOW..HIGH, with commas between them
    Time, ///< the same in ns, us, ms, s
    Size, ///< the same in bytes, kB, MB, GB, KiB, MiB, GiB
    Extent, ///< a number, or X x Y x Z as in 128x1x1
    Any, ///< numbers where it is one, else a text: payloads
};

struct FilterFieldInfo {
    FilterField field;
    FilterType type;
    std::string_view key; ///< as it is typed: "dur"
    std::string_view help; ///< a description of the field, as the end of a sentence

    Message helpText() const { return {key, "field_help", help}; }
};

/// All fields, in the order in which they are offered.
std::span<const FilterFieldInfo> allFilterFields();
const FilterFieldInfo& infoOf(FilterField field);

/// A field as the user typed it.
struct NamedField {
    FilterField field = FilterField::Name;
    std::string part; ///< of "payload.size": "size"; else empty
};
/// The field named `word`, ignoring case; also by aliases such as "duration", "pid", "gpu". Nothing for other
/// words.
std::optional<NamedField> findFilterField(std::string_view word);
/// The key most similar to the mistyped `word`; empty when there is none.
std::string_view similarFilterField(std::string_view word);

} // namespace warpline
