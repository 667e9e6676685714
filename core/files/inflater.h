#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace warpline {

/// Unpacks a stream of bytes, piece by piece.
class Inflater {
public:
    enum class State {
        Goes, ///< needs more input, or more room for output
        Ended, ///< the stream is whole; another may follow
        Damaged,
    };
    /// Result of one step.
    struct Step {
        std::size_t taken = 0; ///< packed bytes consumed
        std::size_t written = 0; ///< bytes of text
        State state = State::Goes;
    };

    Inflater() = default;
    virtual ~Inflater() = default;
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    virtual Step step(std::span<const char> packed, std::span<char> text) = 0;
    /// Begins with another stream, behind one that ended. False: that failed.
    virtual bool restart() = 0;
};

/// The packing of a file that begins with `head`: "gzip", "xz", "zstd", "bzip2", "lz4"; empty: none of these.
std::string_view packingOf(std::string_view head);

/// The program that unpacks a file that begins with `head`: "gunzip"; empty: it is not packed.
std::string_view unpackerOf(std::string_view head);

/// The packings that this program reads: "gzip, xz, zstd".
std::string readablePackings();

/// An unpacker for files that begin with `head`; nullptr: not packed, or built without the library.
std::unique_ptr<Inflater> inflaterFor(std::string_view head);

} // namespace warpline
