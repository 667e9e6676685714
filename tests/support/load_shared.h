#pragma once

#include "core/load/load_report.h"
#include "tests/support/report_fixture.h"

#include <QTest>

/// Opens the shared report `name` in a test: `path` is its file, `trace` the successful result of
/// loadReport(). Skips the test where the shared reports are missing.
#define LOAD_SHARED_OR_SKIP(path, trace, name)   \
    const std::string path = sharedReport(name); \
    if (path.empty())                            \
        QSKIP("../shared/reports is not here");  \
    const auto trace = loadReport(path);         \
    QVERIFY(trace.ok())
