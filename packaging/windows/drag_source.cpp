// A window that lets one file be dragged out of it, as a file manager does: drag_source FILE. For
// desk_test.sh.

#include <QApplication>
#include <QDrag>
#include <QLabel>
#include <QMimeData>
#include <QMouseEvent>
#include <QUrl>

namespace {

class Source : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void mousePressEvent(QMouseEvent*) override
    {
        auto* const data = new QMimeData;
        data->setUrls({QUrl::fromLocalFile(text())});
        auto* const drag = new QDrag(this);
        drag->setMimeData(data);
        drag->exec(Qt::CopyAction);
    }
};

} // namespace

int main(int argc, char** argv)
{
    const QApplication app(argc, argv);
    Source source(QApplication::arguments().value(1));
    source.setWindowTitle("Drag source");
    source.setGeometry(1400, 900, 180, 80);
    source.show();
    return QApplication::exec();
}
