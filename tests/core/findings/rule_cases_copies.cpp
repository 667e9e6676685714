#include "tests/core/findings/rule_cases.h"

#include <string>

namespace warpline::test {

namespace {

/// `count` copies one after the other, each with its call, every `every` ns.
void copies(DrawnProgram& program, int count, Ns every, Ns length, const CopyLook& look)
{
    for (int i = 0; i < count; ++i) {
        const Ns at = i * every;
        program.copy({at, at + 5 * us}, {at + 5 * us, at + 5 * us + length}, look);
    }
}

/// Rounds of a copy to the device and a kernel, one after the other or at once.
void rounds(
    DrawnProgram& program, int count, Ns copyAfter, std::int32_t copyStream, std::int32_t kernelStream)
{
    for (int i = 0; i < count; ++i) {
        const Ns at = i * 4 * ms;
        program.copy({at, at + 5 * us}, {at + copyAfter, at + copyAfter + ms},
            {.bytes = 20'000'000, .stream = copyStream});
        program.kernel("work", at + 10 * us, {at + ms, at + 3 * ms}, {.stream = kernelStream});
    }
}

/// A copy to the host and one back, `count` times, each time larger; the second with `back` bytes if not 0.
void roundTrips(DrawnProgram& program, int count, std::uint64_t back, std::int32_t backStream, Ns backCalled)
{
    for (int i = 0; i < count; ++i) {
        const Ns at = i * 10 * ms;
        const std::uint64_t bytes = 20'000'000 + 8 * static_cast<std::uint64_t>(i);
        program.copy({at, at + 5 * us}, {at + 5 * us, at + ms}, {.kind = CopyKind::DtoH, .bytes = bytes});
        program.copy({at + backCalled, at + backCalled + 5 * us}, {at + 2 * ms, at + 3 * ms},
            {.bytes = back == 0 ? bytes : back, .stream = backStream});
    }
}

/// Rounds of two inputs, a kernel and a result, all of one size.
void sums(DrawnProgram& program)
{
    const CopyLook input{.bytes = 20'000'000};
    const CopyLook result{.kind = CopyKind::DtoH, .bytes = 20'000'000};
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.copy({at, at + 5 * us}, {at + 10 * us, at + ms}, input);
        program.copy({at + 5 * us, at + 10 * us}, {at + ms, at + 2 * ms}, input);
        program.kernel("add", at + 10 * us, {at + 2 * ms, at + 3 * ms});
        program.copy({at + 20 * us, at + 25 * us}, {at + 3 * ms, at + 4 * ms}, result);
    }
}

void takeTurns(DrawnProgram& program, bool atOnce)
{
    for (int i = 0; i < 40; ++i) {
        const Ns at = i * ms;
        const Ns early = atOnce && i % 2 == 1 ? 500 * us : 0;
        program.kernel("work", at - early, {at - early + 10 * us, at + 900 * us}, {.stream = 13 + i % 2});
    }
}

/// Ten steps: the host waits, asks for pinned memory if `asks`, fills it for 3 ms, copies it, and launches.
void pinnedSteps(DrawnProgram& program, bool asks)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.range("step_" + std::to_string(i), {at, at + 5 * ms});
        if (asks)
            program.call("cudaEventQuery_v3020", {at + 10 * us, at + 20 * us});
        program.copy({at + 3 * ms, at + 3 * ms + 10 * us}, {at + 3 * ms, at + 4 * ms}, {.bytes = 20'000'000});
        program.kernel("work", at + 3 * ms + 20 * us, {at + 4 * ms, at + 9 * ms});
        program.call("cudaDeviceSynchronize_v3020", {at + 5 * ms, at + 9 * ms + 5 * us});
    }
}

} // namespace

std::vector<RuleCase> copyCases()
{
    const CopyLook pageable{.host = MemoryKind::Pageable, .bytes = 2'000'000};
    const CopyLook blocking{.call = "cudaMemcpy_v3020"};
    return {
        {"staged_uploads", "pinned memory that each step asks for", true,
            [](auto& p) { pinnedSteps(p, true); }},
        {"staged_uploads", "one buffer that the host fills", false, [](auto& p) { pinnedSteps(p, false); }},
        {"cuda_memcpy_async", "pageable memory", true,
            [=](auto& p) { copies(p, 3, ms, 100 * us, pageable); }},
        {"cuda_memcpy_async", "pinned memory", false, [](auto& p) { copies(p, 3, ms, 100 * us, {}); }},
        {"cuda_memcpy_async", "blocking call on pageable memory", false,
            [](auto& p) {
                copies(p, 3, ms, 100 * us, {.call = "cudaMemcpy_v3020", .host = MemoryKind::Pageable});
            }},
        {"cuda_memcpy_sync", "blocking call", true, [=](auto& p) { copies(p, 3, ms, 100 * us, blocking); }},
        {"cuda_memcpy_sync", "asynchronous call", false, [](auto& p) { copies(p, 3, ms, 100 * us, {}); }},
        {"cuda_memset_sync", "memory of the host", true,
            [](auto& p) {
                p.set("cudaMemset_v3020", MemoryKind::Pinned, {0, ms});
            }},
        {"cuda_memset_sync", "memory of the device", false,
            [](auto& p) {
                p.set("cudaMemset_v3020", MemoryKind::Device, {0, ms});
            }},
        {"cuda_memset_sync", "asynchronous call", false,
            [](auto& p) {
                p.set("cudaMemsetAsync_v3020", MemoryKind::Pinned, {0, ms});
            }},
        {"pageable_copies", "pageable memory", true, [=](auto& p) { copies(p, 3, ms, 100 * us, pageable); }},
        {"pageable_copies", "pinned memory", false, [](auto& p) { copies(p, 30, ms, 100 * us, {}); }},
        {"pageable_copies", "a few bytes", false,
            [](auto& p) { copies(p, 3, ms, 2 * us, {.host = MemoryKind::Pageable, .bytes = 64}); }},
        {"tiny_copies", "150 copies of 256 bytes", true,
            [](auto& p) { copies(p, 150, 10 * us, us, {.bytes = 256}); }},
        {"tiny_copies", "150 copies of a megabyte", false, [](auto& p) { copies(p, 150, ms, 50 * us, {}); }},
        {"tiny_copies", "of unknown size", false, [](auto& p) { copies(p, 150, 10 * us, us, {.bytes = 0}); }},
        {"tiny_copies", "few of them", false, [](auto& p) { copies(p, 50, 10 * us, us, {.bytes = 256}); }},
        {"copies_below_link_rate", "one copy at a fifth of the rate", true,
            [](auto& p) {
                copies(p, 2, 2 * ms, ms, {.bytes = 50'000'000});
                p.copy({5 * ms, 5 * ms + us}, {6 * ms, 11 * ms}, {.bytes = 50'000'000});
            }},
        {"copies_below_link_rate", "all at the same rate", false,
            [](auto& p) { copies(p, 5, 2 * ms, ms, {.bytes = 50'000'000}); }},
        {"copy_round_trips", "as many bytes back", true, [](auto& p) { roundTrips(p, 6, 0, 7, 1500 * us); }},
        {"copy_round_trips", "other sizes", false, [](auto& p) { roundTrips(p, 6, 999'999, 7, 1500 * us); }},
        {"copy_round_trips", "called in another stream before the data was there", false,
            [](auto& p) { roundTrips(p, 6, 0, 9, 500 * us); }},
        {"copy_round_trips", "two inputs and a result of one size", false, [](auto& p) { sums(p); }},
        {"copies_not_overlapped", "kernels after copies", true, [](auto& p) { rounds(p, 8, 0, 7, 7); }},
        {"copies_not_overlapped", "a long load, then steps of short copies", true,
            [](auto& p) {
                p.copy({0, 100 * ms}, {10 * us, 100 * ms}); // nothing is there yet to hide it
                for (int i = 0; i < 20; ++i) {
                    const Ns at = (101 + 5 * i) * ms;
                    p.range("step_" + std::to_string(i), {at, at + 5 * ms});
                    p.copy({at, at + 5 * us}, {at + 10 * us, at + 20 * us});
                    p.kernel("work", at + 6 * us, {at + 20 * us, at + 3 * ms});
                }
            }},
        {"copies_not_overlapped", "copies beside kernels", false,
            [](auto& p) { rounds(p, 8, 1500 * us, 9, 7); }},
        {"streams_serialized", "rounds in one stream", true, [](auto& p) { rounds(p, 8, 0, 13, 13); }},
        {"streams_serialized", "copies in a stream of their own", false,
            [](auto& p) { rounds(p, 8, 1500 * us, 14, 13); }},
        {"streams_serialized", "two streams that take turns", true, [](auto& p) { takeTurns(p, false); }},
        {"streams_serialized", "two streams at once", false, [](auto& p) { takeTurns(p, true); }},
    };
}

} // namespace warpline::test
