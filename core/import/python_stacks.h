#pragma once

#include "core/base/ids.h"
#include "core/store/callchains.h"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace warpline {

class StringPool;
class StringTable;

/// Contents of the payload of a Python sample.
struct PythonSample {
    std::uint32_t stack = 0; ///< in PythonStacks; 0: the payload has no frames
    StringId facts{}; ///< the payload without its frames: {"Thread state":"Running"}
    std::uint32_t unnamed = 0; ///< frames whose function or file is not in StringIds
};

/// The ids of StringIds that the frames in `payload` name, functions and files; see PythonStacks.
std::vector<std::int64_t> pythonNameIds(std::string_view payload);

/// The stacks of nsys' Python samples, each once. The payload of a sample is {"Python Periodic
/// Sampling":{"Thread state":"Running","Frames":[{"Function":7,"File":9,"Line":12},...]}}, or only the inner
/// object. The innermost frame is first; functions and files are ids of StringIds.
class PythonStacks {
public:
    /// Parses `payload`; nothing when it is not such a payload.
    PythonSample intern(std::string_view payload, const StringTable& strings, StringPool& pool);
    /// The function that runs in `stack`, which is not 0.
    StringId innermost(std::uint32_t stack) const;
    bool empty() const { return m_chains.empty(); }

    /// Adds the stacks of `other`; the number here of each of its stacks, 0 first.
    std::vector<std::uint32_t> add(const PythonStacks& other);
    /// The stacks by their numbers; nothing is left here.
    Callchains takeChains();

private:
    using Frame = std::tuple<StringId, StringId, std::uint32_t>; // function, file, line

    std::uint32_t number(const std::vector<Frame>& frames);
    /// Counts in `unnamed` the frames with names that are not in StringIds.
    std::vector<Frame> framesIn(
        std::string_view list, const StringTable& strings, StringPool& pool, std::uint32_t& unnamed) const;

    std::map<std::vector<Frame>, std::uint32_t> m_numbers;
    Callchains m_chains;
    /// By payload, because most repeat an earlier one. Only recent ones, because the texts are long.
    std::unordered_map<std::string, PythonSample> m_known;
};

} // namespace warpline
