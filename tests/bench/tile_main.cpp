// warpline-tile: makes a report of any size out of a real one.

#include "core/render/render.h"
#include "tests/bench/tile_report.h"

#include <CLI/CLI.hpp>

#include <cstdio>

int main(int argc, char** argv)
{
    warpline::bench::TileOptions options;
    std::string kernels = "1M";
    CLI::App app{"Repeats a report in time until it has the number of kernels asked for.", "warpline-tile"};
    app.add_option("--kernels", kernels, "At least so many: 500000, 300k, 10M")->capture_default_str();
    app.add_option(
        "--streams", options.streams, "At least so many streams; repetitions then run side by side");
    app.add_option("IN", options.source, "A report")->required()->check(CLI::ExistingFile);
    app.add_option("OUT", options.target, "The report to make")->required();
    CLI11_PARSE(app, argc, argv);

    char* unit = nullptr;
    options.kernels = std::strtoull(kernels.c_str(), &unit, 10);
    const std::string_view suffix = unit;
    if (options.kernels == 0 || (!suffix.empty() && suffix != "k" && suffix != "M")) {
        std::fprintf(stderr, "warpline-tile: --kernels %s is no number\n", kernels.c_str());
        return 2;
    }
    options.kernels *= suffix == "M" ? 1'000'000 : suffix == "k" ? 1'000 : 1;
    const auto made = warpline::bench::tileReport(options);
    if (!made.ok()) {
        std::fprintf(stderr, "warpline-tile: %s\n", plain(made.error().message).c_str());
        return 1;
    }
    std::printf("%s: %llu repetitions, %llu kernels, %llu rows added\n", options.target.c_str(),
        static_cast<unsigned long long>(made.value().tiles),
        static_cast<unsigned long long>(made.value().kernels),
        static_cast<unsigned long long>(made.value().rows));
    return 0;
}
