// The tracks of an owner by index, against a look at every track.

#include "core/derive/tracks_of.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <random>

namespace tst_tracks_of {

using namespace warpline;

class TracksOfTest : public QObject {
    Q_OBJECT

private slots:
    void equalsALookAtEveryTrack()
    {
        std::mt19937 random(5);
        const auto below = [&](GlobalId limit) { return random() % limit; };
        auto table = std::make_shared<EventTable>();
        for (int i = 0; i < 400; ++i) {
            Track track;
            track.owner = below(3) << 48U | below(5) << 24U | below(4);
            table->tracks.push_back(track);
        }
        Trace trace;
        trace.tables[indexOf(EventKind::ApiCall)] = table;
        const auto found = [](const TracksOf& tracks) {
            std::vector<const Track*> all;
            for (const Track& track : tracks)
                all.push_back(&track);
            return all;
        };
        for (GlobalId machine = 0; machine < 4; ++machine) {
            for (GlobalId pid = 0; pid < 6; ++pid) {
                const GlobalId process = machine << 48U | pid << 24U;
                std::vector<const Track*> ofAll;
                for (GlobalId tid = 0; tid < 5; ++tid) {
                    std::vector<const Track*> own;
                    for (const Track& track : table->tracks) {
                        if (track.owner == (process | tid))
                            own.push_back(&track);
                    }
                    QCOMPARE(found(TracksOf(trace, EventKind::ApiCall, process | tid)), own);
                    ofAll.insert(ofAll.end(), own.begin(), own.end());
                }
                QCOMPARE(found(TracksOf::ofProcess(trace, EventKind::ApiCall, process | 1)), ofAll);
            }
        }
        QVERIFY(found(TracksOf(trace, EventKind::Nvtx, 0)).empty());
    }
};

WARPLINE_TEST(TracksOfTest)

} // namespace tst_tracks_of

#include "tst_tracks_of.moc"
