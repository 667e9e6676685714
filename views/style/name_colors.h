#pragma once

#include <QColor>
#include <QObject>

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpline {

class Theme;

/// FNV-1a of `text`, or of it without its digits: the same on every machine and day.
std::uint64_t nameHash(std::string_view text, bool withDigits);

/// Names that share no colours with one another, but may with those of the other group: they stand in other
/// rows.
enum class ColorGroup : std::uint8_t { Kernel, Host };

/// The colour of each name: its hue follows from the name without its digits, so that it is the same in every
/// report and on every day. Of the names of the open reports the later one steps aside where it would look
/// like an earlier one; with more names than can be told apart the last ones do look alike. What was open
/// before changes nothing. One for the whole program.
class NameColors : public QObject {
    Q_OBJECT
public:
    static NameColors& shared();

    /// Keeps `names`, the most important first, apart from one another, and forgets all others.
    void assign(ColorGroup group, std::span<const std::string_view> names);
    /// The colour of `name` on the ground of `theme`. O(length).
    QColor of(ColorGroup group, std::string_view name, const Theme& theme) const;
    /// As many names as have colours of their own.
    static std::size_t mostApart();

signals:
    void changed();

private:
    NameColors() = default;

    /// The colours given in one group, once for all readers and once for colour-blind ones.
    struct Given {
        std::vector<std::uint64_t> keys; ///< in order, each once
        std::unordered_map<std::uint64_t, std::size_t> places; ///< by what keyOf() says of a name
    };
    static std::uint64_t keyOf(ColorGroup group, std::string_view name);
    Given& given(ColorGroup group, bool safe)
    {
        return m_given[static_cast<std::size_t>(group)][safe ? 1 : 0];
    }

    std::array<std::array<Given, 2>, 2> m_given;
};

} // namespace warpline
