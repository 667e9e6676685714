#include "core/across/host_clocks.h"

#include "core/across/clock_fit.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <tuple>
#include <utility>

namespace warpline {

namespace {

constexpr std::size_t allWithAll = 16; ///< more hosts are not compared each with each
constexpr std::size_t maxPairs = 4'000; ///< ends per pair of hosts; more do not improve the fit

/// The comparison of two hosts' clocks.
struct Edge {
    std::size_t a = 0;
    std::size_t b = 0;
    PairFit fit;
    Ns difference = 0; ///< clock of a less clock of b at one instant, each without its drift
    Ns uncertainty = 1;
};

/// A small symmetric system, solved by the method of Cholesky.
class NormalEquations {
public:
    explicit NormalEquations(std::size_t size)
        : m_size(size),
          m_matrix(size * size)
    {
    }

    double& at(std::size_t row, std::size_t column) { return m_matrix[row * m_size + column]; }

    void factorize()
    {
        for (std::size_t i = 0; i < m_size; ++i) {
            for (std::size_t j = 0; j <= i; ++j) {
                double sum = at(i, j);
                for (std::size_t k = 0; k < j; ++k)
                    sum -= at(i, k) * at(j, k);
                at(i, j) = i == j ? std::sqrt(std::max(sum, 1e-300)) : sum / at(j, j);
            }
        }
    }

    std::vector<double> solve(std::vector<double> right)
    {
        for (std::size_t i = 0; i < m_size; ++i) {
            for (std::size_t k = 0; k < i; ++k)
                right[i] -= at(i, k) * right[k];
            right[i] /= at(i, i);
        }
        for (std::size_t i = m_size; i-- > 0;) {
            for (std::size_t k = i + 1; k < m_size; ++k)
                right[i] -= at(k, i) * right[k];
            right[i] /= at(i, i);
        }
        return right;
    }

private:
    std::size_t m_size;
    std::vector<double> m_matrix;
};

class HostAligner {
public:
    HostAligner(std::span<const std::vector<HostEnd>> hosts, std::span<const Ns> shortest)
        : m_hosts(hosts),
          m_shortest(shortest),
          m_clocks(hosts.size())
    {
    }

    std::vector<HostClock> align()
    {
        if (m_hosts.empty())
            return {};
        for (std::size_t host = 0; host < m_hosts.size(); ++host) {
            if (m_hosts[host].empty())
                continue; // it has no partner with usable ends
            const auto [first, last] = std::ranges::minmax(m_hosts[host], {}, &HostEnd::end);
            m_clocks[host].middle = first.end + (last.end - first.end) / 2;
        }
        compare();
        follow(&HostClock::drift, [](const Edge& edge) { return edge.fit.drift; });
        measureEdges();
        follow(&HostClock::offset, [](const Edge& edge) { return edge.difference; });
        fitAll();
        tellUncertainty();
        return std::move(m_clocks);
    }

private:
    /// The ends that both hosts have, without the drifts that are known.
    std::vector<EndPair> pairsOf(std::size_t a, std::size_t b) const
    {
        std::vector<EndPair> pairs;
        const std::vector<HostEnd>& ofA = m_hosts[a];
        const std::vector<HostEnd>& ofB = m_hosts[b];
        for (std::size_t i = 0, j = 0; i < ofA.size() && j < ofB.size();) {
            if (ofA[i].exchange != ofB[j].exchange) {
                ++(ofA[i].exchange < ofB[j].exchange ? i : j);
                continue;
            }
            const Ns onA = steady(a, ofA[i].end);
            const Ns onB = steady(b, ofB[j].end);
            pairs.push_back(
                {onB, onA - onB, sideOf(ofA[i].duration, ofB[j].duration, m_shortest[ofA[i].exchange])});
            ++i;
            ++j;
        }
        if (const std::size_t stride = pairs.size() / maxPairs + 1; stride > 1) {
            for (std::size_t i = 0; i * stride < pairs.size(); ++i)
                pairs[i] = pairs[i * stride];
            pairs.resize((pairs.size() + stride - 1) / stride);
        }
        return pairs;
    }

    Ns steady(std::size_t host, Ns time) const
    {
        const HostClock& clock = m_clocks[host];
        return time + std::llround(clock.drift * static_cast<double>(time - clock.middle));
    }

    void compare(std::size_t a, std::size_t b)
    {
        Edge edge{.a = a, .b = b, .fit = fitOf(pairsOf(a, b))};
        if (edge.fit.tells())
            m_edges.push_back(std::move(edge));
    }

    void compare()
    {
        const std::size_t count = m_hosts.size();
        for (std::size_t a = 0; a < count; ++a) {
            if (count <= allWithAll) {
                for (std::size_t b = a + 1; b < count; ++b)
                    compare(a, b);
                continue;
            }
            if (a > 0)
                compare(0, a);
            for (std::size_t distance = 1; distance < count / 2; distance *= 2) {
                const std::size_t b = (a + distance) % count;
                if (a != 0 && b != 0)
                    compare(std::min(a, b), std::max(a, b));
            }
        }
        std::ranges::stable_sort(m_edges, {}, [](const Edge& edge) { return edge.fit.uncertainty; });
    }

    /// Visits hosts from the first one along the most certain comparisons; `visit` gets the edge and which of
    /// its hosts is known.
    template <typename Visit> void walk(Visit visit)
    {
        std::vector<bool> reached(m_hosts.size());
        reached[0] = true;
        for (bool more = true; more;) {
            const auto next = std::ranges::find_if(
                m_edges, [&](const Edge& edge) { return reached[edge.a] != reached[edge.b]; });
            more = next != m_edges.end();
            if (!more)
                continue;
            visit(*next, reached[next->a]);
            reached[next->a] = reached[next->b] = true;
        }
        for (std::size_t host = 0; host < m_hosts.size(); ++host)
            m_clocks[host].known = reached[host];
    }

    /// Sets `value` of each clock from that of its neighbour in the tree and the difference between them.
    template <typename T, typename Difference> void follow(T HostClock::*value, Difference difference)
    {
        walk([&](const Edge& edge, bool knowsA) {
            if (knowsA)
                m_clocks[edge.b].*value = m_clocks[edge.a].*value + difference(edge);
            else
                m_clocks[edge.a].*value = m_clocks[edge.b].*value - difference(edge);
        });
    }

    void measureEdges()
    {
        for (Edge& edge : m_edges) {
            const PairFit fit = fitOf(pairsOf(edge.a, edge.b), false);
            edge.difference = fit.offset;
            edge.uncertainty = std::max<Ns>(1, fit.uncertainty);
        }
        std::ranges::stable_sort(m_edges, {}, &Edge::uncertainty);
    }

    /// Difference between the comparison `edge` and the current offsets.
    Ns residual(const Edge& edge) const
    {
        return edge.difference - (m_clocks[edge.b].offset - m_clocks[edge.a].offset);
    }

    /// Adjusts the offsets to fit all comparisons best.
    void fitAll()
    {
        std::vector<std::size_t> places(m_hosts.size(), m_hosts.size());
        std::size_t unknowns = 0;
        for (std::size_t host = 1; host < m_hosts.size(); ++host) {
            if (m_clocks[host].known)
                places[host] = unknowns++;
        }
        NormalEquations equations(unknowns);
        std::vector<double> right(unknowns);
        for (const Edge& edge : m_edges) {
            if (!m_clocks[edge.a].known)
                continue;
            const double weight
                = 1 / (static_cast<double>(edge.uncertainty) * static_cast<double>(edge.uncertainty));
            const auto wanted = static_cast<double>(residual(edge));
            const std::size_t a = places[edge.a];
            const std::size_t b = places[edge.b];
            for (const auto& [own, other, sign] : {std::tuple(a, b, -1.0), std::tuple(b, a, 1.0)}) {
                if (own >= unknowns)
                    continue;
                equations.at(own, own) += weight;
                right[own] += sign * weight * wanted;
                if (other < unknowns)
                    equations.at(own, other) -= weight;
            }
        }
        equations.factorize();
        const std::vector<double> corrections = equations.solve(right);
        for (std::size_t host = 1; host < m_hosts.size(); ++host) {
            if (places[host] >= unknowns)
                continue;
            m_clocks[host].offset += std::llround(corrections[places[host]]);
            std::vector<double> unit(unknowns);
            unit[places[host]] = 1;
            m_clocks[host].uncertainty
                = static_cast<Ns>(std::sqrt(equations.solve(std::move(unit))[places[host]]));
        }
    }

    void tellUncertainty()
    {
        std::vector<Ns> surest(m_hosts.size(), 0);
        for (const Edge& edge : m_edges) {
            if (!m_clocks[edge.a].known)
                continue;
            for (const std::size_t host : {edge.a, edge.b}) {
                HostClock& clock = m_clocks[host];
                surest[host]
                    = clock.others == 0 ? edge.uncertainty : std::min(surest[host], edge.uncertainty);
                ++clock.others;
                clock.matches += edge.fit.matches;
                clock.loop = std::max(clock.loop, std::abs(residual(edge)));
            }
        }
        for (std::size_t host = 1; host < m_hosts.size(); ++host) {
            HostClock& clock = m_clocks[host];
            if (!clock.known)
                continue;
            // A bias that all comparisons share does not shrink with their number.
            clock.uncertainty = std::max({clock.uncertainty, surest[host], clock.loop});
            const auto [first, last] = std::ranges::minmax(m_hosts[host], {}, &HostEnd::end);
            clock.uncertainty
                += static_cast<Ns>(std::abs(clock.drift) * static_cast<double>(last.end - first.end) / 2);
        }
    }

    std::span<const std::vector<HostEnd>> m_hosts;
    std::span<const Ns> m_shortest;
    std::vector<HostClock> m_clocks;
    std::vector<Edge> m_edges; ///< the surest first
};

} // namespace

std::vector<HostClock> alignHosts(std::span<const std::vector<HostEnd>> hosts, std::span<const Ns> shortest)
{
    return HostAligner(hosts, shortest).align();
}

} // namespace warpline
