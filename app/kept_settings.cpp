#include "app/kept_settings.h"

#include "core/base/pending_file.h"
#include "core/base/platform/platform.h"

#include <QFile>
#include <QSettings>

#include <filesystem>

namespace fs = std::filesystem;

namespace warpline {

namespace {

/// Detects a truncated file: Qt ends each line.
bool isWhole(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly)
        && (file.size() == 0 || (file.seek(file.size() - 1) && file.read(1) == "\n"));
}

} // namespace

bool keepSettings()
{
    const QString name = QSettings().fileName();
    if (!name.endsWith(".conf")) // Windows' registry, or macOS' preferences
        return true;
    const fs::path file = platform::pathOf(name.toStdString());
    const fs::path last = platform::pathOf((name + ".last").toStdString());
    const fs::path next = platform::pathOf((name + ".next").toStdString());
    std::error_code ignored;
    makePrivateFolder(file.parent_path(), ignored);
    if (!fs::is_regular_file(file, ignored) || fs::equivalent(file, last, ignored))
        return true;
    if (!isWhole(name)) {
        fs::rename(last, file, ignored);
        return false;
    }
    fs::remove(next, ignored);
    fs::create_hard_link(file, next, ignored);
    fs::rename(next, last, ignored);
    return true;
}

} // namespace warpline
