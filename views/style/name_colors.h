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

/// FNV-1a of `text`, or of it without digits: the same on every machine and in every run.
std::uint64_t nameHash(std::string_view text, bool withDigits);

/// Names of one group have different colours; those of the other group may share them, because they are in
/// other rows.
enum class ColorGroup : std::uint8_t { Kernel, Host };

/// The colour of each name: its hue follows from the name without digits, so that it is the same in every
/// report. Of the open reports' names, later ones avoid the colours of earlier ones; beyond the number of
/// distinct colours, names look alike. Closed reports have no influence. One object for the whole program.
class NameColors : public QObject {
    Q_OBJECT
public:
    static NameColors& shared();

    /// Gives `names`, the most important first, distinct colours, and forgets all others.
    void assign(ColorGroup group, std::span<const std::string_view> names);
    /// The colour of `name` on the ground of `theme`. O(length).
    QColor of(ColorGroup group, std::string_view name, const Theme& theme) const;
    /// The number of names with distinct colours.
    static std::size_t mostApart();

signals:
    void changed();

private:
    NameColors() = default;

    /// The colours given in one group, once for all readers and once for colour-blind ones.
    struct Given {
        std::vector<std::uint64_t> keys; ///< in order, each once
        std::unordered_map<std::uint64_t, std::size_t> places; ///< by keyOf() of a name
    };
    static std::uint64_t keyOf(ColorGroup group, std::string_view name);
    Given& given(ColorGroup group, bool safe)
    {
        return m_given[static_cast<std::size_t>(group)][safe ? 1 : 0];
    }

    std::array<std::array<Given, 2>, 2> m_given;
};

} // namespace warpline
