#pragma once

#include "app/main_window.h"

#include <QSignalSpy>
#include <QTest>

namespace warpline {

/// Opens the report at `path` in `window`. Whether it settles within five seconds.
inline bool opensAndSettles(MainWindow& window, const QString& path)
{
    const QSignalSpy settled(&window, &MainWindow::settled);
    window.open(path);
    return QTest::qWaitFor([&] { return settled.count() > 0; }, 5000);
}

} // namespace warpline
