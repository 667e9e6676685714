// Spare memory of large blocks: compared with a model of single pages, and the allocator itself, from several
// threads.

#include "core/base/job_runner.h"
#include "core/base/platform/large_blocks.h"
#include "core/base/platform/platform.h"
#include "core/base/platform/spare_ranges.h"
#include "tests/support/resident_bytes.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <map>
#include <memory>
#include <random>
#include <set>
#include <thread>
#include <vector>

namespace tst_large_blocks {

using namespace warpline;
using namespace warpline::platform;

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20U;

bool keepsMemory()
{
    const std::size_t before = spareMemory();
    {
        const std::vector<char> block(64 * megabyte, 1);
    }
    return spareMemory() > before || before >= 64 * megabyte;
}

} // namespace

class LargeBlocksTest : public QObject {
    Q_OBJECT

private slots:
    void sparePagesEqualAModel();
    void aFullListRefuses();
    void liveBlocksEqualAMap();
    void releasedMemoryIsTakenAgain();
    void whatIsSpareNeverAddsToThePeak();
    void blocksOfThreadsStayApart();
    void restingPoolGivesBack();
};

void LargeBlocksTest::sparePagesEqualAModel()
{
    constexpr std::size_t page = 2 * megabyte;
    std::mt19937 random(4);
    SpareRanges spare;
    std::set<std::uintptr_t> pages; // that are spare, by number
    std::vector<AddressRange> used{{page, 400 * page}}; // that may be added
    for (int step = 0; step < 4000; ++step) {
        if (random() % 2 == 0 && !used.empty()) {
            // A part of the memory in use becomes spare.
            const std::size_t which = random() % used.size();
            const AddressRange all = used[which];
            used.erase(used.begin() + static_cast<std::ptrdiff_t>(which));
            const std::size_t from = random() % (all.bytes / page);
            const std::size_t count = 1 + random() % (all.bytes / page - from);
            const AddressRange part{all.start + from * page, count * page};
            QVERIFY(spare.add(part));
            for (std::size_t i = 0; i < count; ++i)
                QVERIFY(pages.insert(part.start / page + i).second);
            if (from > 0)
                used.push_back({all.start, from * page});
            if (part.end() < all.end())
                used.push_back({part.end(), all.end() - part.end()});
        } else if (const std::size_t wanted = 1 + random() % 12; random() % 8 != 0) {
            std::size_t shortest = 0; // stretch of the model that has room
            for (auto at = pages.begin(); at != pages.end();) {
                std::size_t run = 1;
                auto next = std::next(at);
                for (; next != pages.end() && *next == *at + run; ++next)
                    ++run;
                if (run >= wanted && (shortest == 0 || run < shortest))
                    shortest = run;
                at = next;
            }
            const std::optional<AddressRange> taken = spare.take(wanted * page);
            QCOMPARE(taken.has_value(), shortest > 0);
            if (!taken)
                continue;
            QCOMPARE(taken->bytes, wanted * page);
            for (std::size_t i = 0; i < wanted; ++i)
                QCOMPARE(pages.erase(taken->start / page + i), 1U);
            used.push_back(*taken);
        } else {
            const std::optional<AddressRange> part = spare.takePart(wanted * page);
            QCOMPARE(part.has_value(), !pages.empty());
            if (!part)
                continue;
            QVERIFY(part->bytes > 0 && part->bytes <= wanted * page);
            for (std::size_t i = 0; i < part->bytes / page; ++i)
                QCOMPARE(pages.erase(part->start / page + i), 1U);
            used.push_back(*part);
        }
        QCOMPARE(spare.bytes(), pages.size() * page);
    }
}

void LargeBlocksTest::aFullListRefuses()
{
    SpareRanges spare;
    for (std::size_t i = 0; i < SpareRanges::most; ++i)
        QVERIFY(spare.add({(2 * i + 1) * megabyte, megabyte}));
    QVERIFY(!spare.add({(2 * SpareRanges::most + 1) * megabyte, megabyte}));
    QVERIFY(spare.add({2 * megabyte, megabyte})); // it joins two
    QCOMPARE(spare.count(), SpareRanges::most - 1);
    QVERIFY(spare.add({(2 * SpareRanges::most + 1) * megabyte, megabyte}));
}

void LargeBlocksTest::liveBlocksEqualAMap()
{
    constexpr std::uintptr_t page = 2 * megabyte;
    std::mt19937 random(5);
    auto live = std::make_unique<LiveBlocks>();
    std::map<std::uintptr_t, std::size_t> model;
    for (int step = 0; step < 60'000; ++step) {
        const std::uintptr_t start = (1 + random() % 20'000) * page;
        if (random() % 5 < 3 && !model.contains(start)) {
            const bool added = live->add({start, step + page});
            QCOMPARE(added, model.size() < (std::size_t{1} << 14U) / 4 * 3);
            if (added)
                model[start] = step + page;
        } else {
            const std::optional<AddressRange> removed = live->remove(start);
            QCOMPARE(removed.has_value(), model.contains(start));
            if (removed)
                QCOMPARE(removed->bytes, model[start]);
            model.erase(start);
        }
        QCOMPARE(live->count(), model.size());
    }
}

void LargeBlocksTest::releasedMemoryIsTakenAgain()
{
    if (!keepsMemory())
        QSKIP("memory is the system's own here");
    giveBackSpareMemory();
    QCOMPARE(spareMemory(), 0U);
    {
        const std::vector<char> block(64 * megabyte, 1);
    }
    QCOMPARE(spareMemory(), 64 * megabyte);
    {
        const std::vector<char> smaller(30 * megabyte, 2);
        QCOMPARE(spareMemory(), 34 * megabyte);
        void* const block = ::operator new(20 * megabyte);
        QCOMPARE(spareMemory(), 14 * megabyte);
        ::operator delete(block); // without its size
        QCOMPARE(spareMemory(), 34 * megabyte);
    }
    QCOMPARE(spareMemory(), 64 * megabyte);
    giveBackSpareMemory();
    QCOMPARE(spareMemory(), 0U);
}

void LargeBlocksTest::whatIsSpareNeverAddsToThePeak()
{
    if (!keepsMemory())
        QSKIP("memory is the system's own here");
    giveBackSpareMemory();
    auto first = std::make_unique<std::vector<char>>(100 * megabyte, 1);
    const std::vector<char> between(20 * megabyte, 1);
    auto second = std::make_unique<std::vector<char>>(40 * megabyte, 1);
    const std::vector<char> behind(20 * megabyte, 1);
    first.reset();
    second.reset();
    const std::uint64_t before = residentBytes();
    std::vector<char> larger(120 * megabyte, 3); // no stretch has room, but their pages have
    QCOMPARE(spareMemory(), 20 * megabyte);
    QVERIFY(residentBytes() < before + 20 * megabyte);
    larger = std::vector<char>(150 * megabyte, 4); // of its pages and of fresh ones
    QVERIFY(std::ranges::all_of(larger, [](char byte) { return byte == 4; }));
    QVERIFY(residentBytes() < before + 180 * megabyte);
}

void LargeBlocksTest::blocksOfThreadsStayApart()
{
    std::atomic<int> wrong{0};
    const auto work = [&wrong](unsigned number) {
        std::mt19937 random(number);
        std::vector<std::vector<unsigned>> blocks(4);
        for (int i = 0; i < 60; ++i) {
            std::vector<unsigned>& block = blocks[random() % blocks.size()];
            const auto mark = static_cast<unsigned>(block.size()) * 8 + number;
            for (std::size_t at = 0; at < block.size(); at += 1021)
                wrong += block[at] == mark ? 0 : 1;
            const std::size_t size = megabyte + random() % (5 * megabyte);
            block.assign(size, static_cast<unsigned>(size) * 8 + number);
        }
    };
    std::vector<std::jthread> threads;
    for (unsigned number = 0; number < 4; ++number)
        threads.emplace_back(work, number);
    threads.clear();
    QCOMPARE(wrong.load(), 0);
}

void LargeBlocksTest::restingPoolGivesBack()
{
    if (!keepsMemory())
        QSKIP("memory is the system's own here");
    JobPool pool(2, std::chrono::milliseconds(50));
    pool.post([](const std::stop_token&) { const std::vector<char> block(64 * megabyte, 1); }, Urgency::Soon);
    QTRY_COMPARE(pool.running(), 0U);
    QCOMPARE(spareMemory(), 0U);
}

WARPLINE_TEST(LargeBlocksTest)

} // namespace tst_large_blocks

#include "tst_large_blocks.moc"
