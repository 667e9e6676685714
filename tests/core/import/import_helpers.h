#pragma once

#include "core/load/load_report.h"
#include "core/query/event_text.h"
#include "core/render/render.h"
#include "tests/support/report_fixture.h"

#include <QtGlobal>

#include <filesystem>
#include <memory>
#include <string>

namespace warpline::test {

inline constexpr GlobalId smallProcess = 1677721600; ///< process 100 of ReportFixture::addSmallReport()
inline constexpr GlobalId smallThread = 1677721701;

/// The trace of the report at `path`; null, with a message, when it cannot be read.
inline std::shared_ptr<const Trace> load(const std::string& path)
{
    auto trace = loadReport(path);
    if (!trace.ok())
        qWarning("%s", plain(trace.error().message).c_str());
    return trace.ok() ? trace.take() : nullptr;
}

/// Path of a report of h200-more/; empty when the shared collection lacks it.
inline std::string moreReport(const std::string& name)
{
    const std::filesystem::path path
        = std::filesystem::path(WARPLINE_SHARED_REPORTS) / "h200-more" / name / (name + ".sqlite");
    return std::filesystem::exists(path) ? path.string() : std::string();
}

/// Puts a copy of the report at `path`, which may be changed, into `fixture`.
inline void copyInto(const ReportFixture& fixture, const std::string& path)
{
    namespace fs = std::filesystem;
    fs::copy_file(path, fixture.path());
    fs::permissions(fixture.path(), fs::perms::owner_write, fs::perm_options::add);
}

/// The value of `label` in the details of `event`; empty when there is none.
inline std::string factOf(const Trace& trace, EventRef event, const std::string& label)
{
    for (const TextRow& row : detailsOf(trace, event)) {
        if (plain(row.label) == label)
            return plain(row.value);
    }
    return {};
}

} // namespace warpline::test
