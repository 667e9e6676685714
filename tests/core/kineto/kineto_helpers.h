#pragma once

#include "core/load/load_report.h"
#include "core/store/problem.h"
#include "core/store/trace.h"

#include <QByteArray>
#include <QDir>
#include <QFile>
#include <QTemporaryDir>

#include <algorithm>
#include <array>
#include <zlib.h>

namespace warpline::test {

/// All that gzip packed, by zlib's own reader of files: not the one under test. Plain files as they are.
inline QByteArray contentOfGzip(const QString& path)
{
    QByteArray content;
    const gzFile file = gzopen(qPrintable(path), "rb");
    std::array<char, 65536> buffer{};
    for (int read = 0; (read = gzread(file, buffer.data(), buffer.size())) > 0;)
        content.append(buffer.data(), read);
    gzclose(file);
    return content;
}

/// `content` packed as gzip does.
inline void writeGzip(const QString& path, const QByteArray& content)
{
    const gzFile file = gzopen(qPrintable(path), "wb6");
    gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
    gzclose(file);
}

/// Loads a trace of these events, written to a file in a temporary folder.
inline Result<std::shared_ptr<const Trace>> loadText(const QByteArray& content, unsigned threads = 2)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath("trace.json"));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        return Error{Message("no file could be written")};
    file.close();
    LoadOptions options;
    options.threads = threads;
    return loadReport(file.fileName().toStdString(), options);
}

/// The traces of PyTorch's profiler among the shared reports and those of the tests.
inline QStringList allTraces()
{
    QStringList paths;
    for (const char* const folder : {WARPLINE_TEST_DATA "/traces", WARPLINE_SHARED_REPORTS "/kineto",
             WARPLINE_SHARED_REPORTS "/kineto/public"}) {
        const QDir dir(QString::fromUtf8(folder));
        for (const QString& name : dir.entryList({"*.json", "*.json.gz"}, QDir::Files, QDir::Name)) {
            const bool known
                = std::ranges::any_of(paths, [&](const QString& path) { return path.endsWith("/" + name); });
            if (!known)
                paths << dir.filePath(name);
        }
    }
    return paths;
}

inline std::uint64_t problemCount(const Trace& trace, ProblemKind kind)
{
    for (const Problem& problem : trace.info.problems) {
        if (problem.kind == kind)
            return problem.count;
    }
    return 0;
}

} // namespace warpline::test
