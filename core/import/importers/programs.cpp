// Data that the recorded programs provide: MPI ranks and communicators, and output.

#include "core/import/scan.h"

#include <algorithm>

namespace warpline::programs {

namespace {

constexpr std::string_view rankTable = "MPI_RANKS";
constexpr std::string_view communicatorTable = "MPI_COMMUNICATORS";
constexpr std::array<std::string_view, 2> mpiTables{rankTable, communicatorTable};

Result<void> importMpi(ImportJob& job)
{
    std::vector<MpiRank> ranks;
    constexpr std::array<std::string_view, 2> rankColumns{"globalTid", "rank"};
    enum AtOfRank : int { OfThread = 1, OfRank };
    auto rows = scanTable(job, rankTable, rankColumns, {}, [&](const sqlite::Row& row) {
        if (!row.isNull(OfThread) && !row.isNull(OfRank))
            ranks.push_back({static_cast<GlobalId>(row.integer(OfThread)), row.integer(OfRank)});
    });
    if (!rows.ok())
        return rows.error();
    std::vector<MpiCommunicator> communicators;
    constexpr std::array<std::string_view, 6> columns{
        "rank", "commHandle", "parentHandle", "localRank", "size", "timestamp"};
    enum At : int { AtRank = 1, AtHandle, AtParent, AtLocalRank, AtSize };
    rows = scanTable(job, communicatorTable, columns, {}, [&](const sqlite::Row& row) {
        communicators.push_back({row.integer(AtRank), row.integer(AtHandle), row.integer(AtParent),
            row.integer(AtLocalRank), row.integer(AtSize)});
    });
    if (!rows.ok())
        return rows.error();
    std::ranges::sort(ranks, {}, [](const MpiRank& known) { return std::pair(known.thread, known.rank); });
    std::ranges::sort(communicators, {}, [](const MpiCommunicator& known) {
        return std::tuple(known.rank, known.handle, known.size, known.localRank);
    });
    job.trace.edit([&](Trace& trace) {
        trace.mpiRanks = std::move(ranks);
        trace.communicators = std::move(communicators);
    });
    return {};
}

constexpr std::string_view outputTable = "ProcessStreams";
constexpr std::array<std::string_view, 1> outputTables{outputTable};
constexpr std::size_t longestOutput = 1U << 20U; // bytes shown of one stream
constexpr std::size_t longestOutputs = 64U << 20U; // of all, with their names: any number may have one text

/// Keeps the end of `text`: the last output shows why a program failed.
std::string endOf(std::string_view text)
{
    if (text.size() <= longestOutput)
        return std::string(text);
    text.remove_prefix(text.size() - longestOutput);
    return "...\n" + std::string(text.substr(std::min(text.find('\n') + 1, text.size())));
}

Result<void> importOutput(ImportJob& job)
{
    std::vector<ProgramOutput> output;
    std::size_t kept = 0;
    std::uint64_t leftOut = 0;
    RowChecks checks;
    constexpr std::array<std::string_view, 3> columns{"globalPid", "filenameId", "contentId"};
    enum At : int { AtProcess = 1, AtName, AtContent };
    const auto rows = scanTable(job, outputTable, columns, {}, [&](const sqlite::Row& row) {
        bool missing = false;
        const std::string_view text = job.trace.pool()[job.strings.at(row.integer(AtContent), missing)];
        if (missing || text.empty())
            return;
        const std::string_view name = job.trace.pool()[checks.name(job.strings, row, AtName)];
        kept += name.size() + std::min(text.size(), longestOutput);
        if (kept > longestOutputs)
            ++leftOut;
        else
            output.push_back({static_cast<GlobalId>(row.integer(AtProcess)), std::string(name), endOf(text)});
    });
    if (!rows.ok())
        return rows.error();
    checks.logTo(job.log, outputTable);
    job.log.add(outputTable, ProblemKind::OutputTooLong, leftOut);
    std::ranges::sort(
        output, {}, [](const ProgramOutput& said) { return std::tie(said.process, said.name, said.text); });
    job.trace.edit([&](Trace& trace) { trace.info.output = std::move(output); });
    return {};
}

} // namespace

extern constinit const Importer mpiPrograms{
    .id = "mpi-ranks", .progressText = "Reading MPI ranks", .needs = mpiTables, .run = importMpi};

extern constinit const Importer programOutput{.id = "program-output",
    .progressText = "Reading the program's output",
    .needs = outputTables,
    .run = importOutput};

} // namespace warpline::programs
