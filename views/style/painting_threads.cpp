#include "views/style/painting_threads.h"

#include <QThreadPool>

namespace warpline {

void boundPaintingThreads()
{
    QThreadPool::globalInstance()->setMaxThreadCount(1); // with none Qt would wait for ever
}

} // namespace warpline
