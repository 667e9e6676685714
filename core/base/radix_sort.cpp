#include "core/base/radix_sort.h"

#include "core/base/parallel.h"

#include <array>

namespace warpline {

namespace {

constexpr unsigned digitBits = 11; // the counters of a digit fit the first-level cache
constexpr std::size_t digitValues = std::size_t{1} << digitBits;
using Counts = std::array<std::size_t, digitValues>;

std::size_t digitOf(std::uint64_t value, unsigned bit, unsigned width)
{
    return static_cast<std::size_t>(value >> bit) & ((std::size_t{1} << width) - 1);
}

/// Turns counts into offsets, by digit and then by thread: the sort stays stable.
void placesOf(std::vector<Counts>& counts)
{
    std::size_t place = 0;
    for (std::size_t digit = 0; digit < digitValues; ++digit) {
        for (Counts& ofThread : counts) {
            const std::size_t count = ofThread[digit];
            ofThread[digit] = place;
            place += count;
        }
    }
}

} // namespace

void radixSort(
    std::vector<std::uint64_t>& values, unsigned lowBit, unsigned highBit, const std::stop_token& stop)
{
    std::vector<std::uint64_t> other(values.size());
    const std::size_t threads = threadsFor(values.size());
    std::vector<Counts> counts(threads);
    for (unsigned bit = lowBit; bit < highBit && !stop.stop_requested(); bit += digitBits) {
        const unsigned width = std::min(digitBits, highBit - bit);
        inParallel(threads, values.size(), [&](std::size_t thread, std::size_t first, std::size_t last) {
            counts[thread].fill(0);
            for (std::size_t i = first; i < last; ++i)
                ++counts[thread][digitOf(values[i], bit, width)];
        });
        placesOf(counts);
        inParallel(threads, values.size(), [&](std::size_t thread, std::size_t first, std::size_t last) {
            Counts& places = counts[thread];
            for (std::size_t i = first; i < last; ++i)
                other[places[digitOf(values[i], bit, width)]++] = values[i];
        });
        values.swap(other);
    }
}

} // namespace warpline
