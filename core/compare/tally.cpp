#include "core/compare/compare_tables.h"

#include <algorithm>
#include <cmath>

namespace warpline {

namespace {

constexpr double sameAverage = 0.02;
constexpr double farAverage = 0.1; // reported though it may be chance
constexpr double sameCount = 0.01;
constexpr double errors = 2; // standard errors: a difference that 19 of 20 pairs of equal runs do not show

RowFigures figuresOf(const Tally* tally, double divisor)
{
    RowFigures figures;
    if (!tally)
        return figures;
    figures.name = tally->name;
    figures.label = tally->label.empty() ? tally->name : tally->label;
    figures.shape = tally->shape;
    figures.count = tally->count;
    figures.total = tally->total;
    figures.countPerStep = static_cast<double>(tally->count) / divisor;
    figures.perStep = static_cast<double>(tally->total) / divisor;
    figures.average
        = tally->count > 0 ? static_cast<double>(tally->whole) / static_cast<double>(tally->count) : 0;
    figures.isCut = tally->total != tally->whole;
    figures.events = tally->events;
    figures.work = tally->work;
    return figures;
}

/// Square of the standard error of the average.
double errorOf(const Tally& tally)
{
    if (tally.count < 2)
        return 0;
    const auto n = static_cast<double>(tally.count);
    const double mean = static_cast<double>(tally.whole) / n;
    return std::max(0.0, tally.squares / n - mean * mean) / (n - 1);
}

/// The class by whole events, for a row that both sides have.
RowChange changeOfWhole(const CompareRow& row, const Tally& a, const Tally& b)
{
    const double counts = row.b.countPerStep - row.a.countPerStep;
    const bool otherCount = std::abs(counts) > sameCount * std::max(row.a.countPerStep, row.b.countPerStep);
    const double average = row.b.average - row.a.average;
    const bool otherAverage = std::abs(average) > sameAverage * std::max(row.a.average, row.b.average)
        && std::abs(average) > errors * std::sqrt(errorOf(a) + errorOf(b));
    const std::optional<double> known = row.byCount();
    const double byCount = known.value_or(counts * row.a.average); // of cut events the whole times decide
    const double byAverage = known ? row.delta() - byCount : average * row.b.countPerStep;
    if (otherCount && (!otherAverage || std::abs(byCount) >= std::abs(byAverage)))
        return counts > 0 ? RowChange::MoreCalls : RowChange::FewerCalls;
    if (!otherAverage) {
        const bool isFar = std::abs(average) > farAverage * std::max(row.a.average, row.b.average);
        return isFar ? RowChange::Varies : RowChange::Same;
    }
    return average > 0 ? RowChange::Slower : RowChange::Faster;
}

/// The direction of a class: of more time, of less, or of none.
int directionOf(RowChange change)
{
    if (change == RowChange::Slower || change == RowChange::MoreCalls)
        return 1;
    return change == RowChange::Faster || change == RowChange::FewerCalls ? -1 : 0;
}

RowChange changeOf(const CompareRow& row, const Tally* a, const Tally* b)
{
    if (!a || !b)
        return a ? RowChange::Gone : RowChange::New;
    const RowChange whole = changeOfWhole(row, *a, *b);
    const int direction = directionOf(whole);
    const bool explains = direction != 0
        ? direction * row.delta() > 0
        : std::abs(row.delta()) <= sameAverage * std::max(row.a.perStep, row.b.perStep);
    return row.byCount() || explains ? whole : RowChange::Cut;
}

void merge(Tally& into, const Tally& from)
{
    if (into.name.empty() || from.total > into.total)
        into.name = from.name; // of several the one with most
    into.count += from.count;
    into.total = saturatingAdd(into.total, from.total);
    into.whole = saturatingAdd(into.whole, from.whole);
    into.squares += from.squares;
    into.work += from.work;
    into.events.insert(into.events.end(), from.events.begin(), from.events.end());
}

using Plain = std::map<std::string, std::vector<const Tally*>>;

Tally together(std::vector<const Tally*> tallies)
{
    std::ranges::stable_sort(tallies, std::greater{}, &Tally::total);
    Tally all;
    for (const Tally* const tally : tallies)
        merge(all, *tally);
    all.name = tallies.front()->name;
    if (tallies.size() == 1)
        all.label = tallies.front()->label;
    for (std::size_t i = 1; i < tallies.size(); ++i)
        all.name += ", " + tallies[i]->name;
    return all;
}

} // namespace

Tally& Tallies::of(std::string_view name)
{
    auto place = m_all.find(name);
    if (place == m_all.end()) {
        place = m_all.emplace(std::string(name), Tally{}).first;
        place->second.name = place->first;
    }
    return place->second;
}

void Tallies::add(Tally& tally, Ns inside, Ns ofWhole, SideEvent event) const
{
    tally.add(inside, ofWhole);
    if (m_wantEvents)
        tally.events.push_back(event);
}

CompareRow rowOf(const Tally* a, const Tally* b, MatchedBy by, const Both<double>& divisor)
{
    CompareRow row;
    row.a = figuresOf(a, divisor.a);
    row.b = figuresOf(b, divisor.b);
    row.matchedBy = a && b ? by : MatchedBy::Nothing;
    row.change = changeOf(row, a, b);
    return row;
}

std::vector<CompareRow> joinTallies(
    const Both<Tallies>& tallies, const Both<double>& divisor, std::string (*plain)(std::string_view name))
{
    std::vector<CompareRow> rows;
    Both<Plain> left;
    const auto keep = [&](Side side, const Tally& tally) {
        const std::string key = plain ? plain(tally.name) : std::string();
        if (!key.empty())
            left[side][key].push_back(&tally);
        else
            rows.push_back(rowOf(side == Side::A ? &tally : nullptr, side == Side::B ? &tally : nullptr,
                MatchedBy::Nothing, divisor));
    };
    for (const auto& [name, tally] : tallies.a.all()) {
        const auto partner = tallies.b.all().find(name);
        if (partner != tallies.b.all().end())
            rows.push_back(rowOf(&tally, &partner->second, MatchedBy::Name, divisor));
        else
            keep(Side::A, tally);
    }
    for (const auto& [name, tally] : tallies.b.all()) {
        if (!tallies.a.all().contains(name))
            keep(Side::B, tally);
    }
    for (const auto& [key, all] : left.a) {
        const Tally a = together(all);
        const auto partner = left.b.find(key);
        const Tally b = partner != left.b.end() ? together(partner->second) : Tally{};
        rows.push_back(
            rowOf(&a, partner != left.b.end() ? &b : nullptr, MatchedBy::NameWithoutArguments, divisor));
    }
    for (const auto& [key, all] : left.b) {
        if (left.a.contains(key))
            continue;
        const Tally b = together(all);
        rows.push_back(rowOf(nullptr, &b, MatchedBy::Nothing, divisor));
    }
    return rows;
}

CompareTable tableOf(std::string id, std::string title, std::vector<CompareRow> rows, bool bytes)
{
    CompareTable table;
    table.id = std::move(id);
    table.title = std::move(title);
    table.bytes = bytes;
    for (const CompareRow& row : rows) {
        table.perStep.a += row.a.perStep;
        table.perStep.b += row.b.perStep;
    }
    std::ranges::stable_sort(
        rows, std::greater{}, [](const CompareRow& row) { return std::abs(row.delta()); });
    table.rows = std::move(rows);
    return table;
}

} // namespace warpline
