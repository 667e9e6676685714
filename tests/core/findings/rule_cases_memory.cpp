#include "tests/core/findings/rule_cases.h"

#include <string>

namespace warpline::test {

namespace {

/// Rounds in which the host's pages come to a kernel that misses them, or were sent ahead; and go back.
void managedRounds(DrawnProgram& program, bool asked)
{
    for (int i = 0; i < 4; ++i) {
        const Ns at = i * 30 * ms;
        const Ns moves = asked ? at : at + 2 * ms;
        program.migration(CopyKind::UnifiedHtoD, {moves, moves + ms}, 2'000'000, 0x10000000,
            asked ? causeIsUser : causeIsFault);
        if (!asked)
            program.faults({at + 2 * ms, at + 9 * ms}, 8, 0x10000000);
        program.kernel("touch", at + ms, {at + 1100 * us, at + 10 * ms});
        program.migration(CopyKind::UnifiedDtoH, {at + 15 * ms, at + 16 * ms}, 2'000'000, 0x10000000,
            asked ? causeIsUser : causeIsFault);
    }
}

/// Rounds of a copy to the GPU, a kernel named `kernel` and a copy back.
void mappedRounds(DrawnProgram& program, std::string_view kernel, int mapped)
{
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * 10 * ms;
        if (i < mapped)
            program.copy({at, at + 5 * us}, {at + 10 * us, at + 2 * ms}, {.bytes = 20'000'000});
        program.kernel(kernel, at + 10 * us, {at + 2 * ms, at + 3 * ms});
        if (i < mapped)
            program.copy({at + 20 * us, at + 25 * us}, {at + 3 * ms, at + 5 * ms},
                {.kind = CopyKind::DtoH, .bytes = 20'000'000});
    }
}

/// Rounds of a copy of 20 MB, each `growth` bytes larger, and a kernel.
void uploads(DrawnProgram& program, std::uint64_t growth)
{
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * 10 * ms;
        program.copy({at, at + 5 * us}, {at + 10 * us, at + 2 * ms},
            {.bytes = 20'000'000 + growth * static_cast<std::uint64_t>(i)});
        program.kernel("assign", at + 10 * us, {at + 2 * ms, at + 3 * ms});
    }
}

/// Copies of `length` and kernels of 10 ms in turns.
void copiesAndKernels(DrawnProgram& program, Ns length)
{
    for (int i = 0; i < 8; ++i) {
        const Ns at = i * 40 * ms;
        program.copy({at, at + 5 * us}, {at + 10 * us, at + 10 * us + length}, {.bytes = 600'000'000});
        program.kernel("work", at + 20 * us, {at + 20 * us + length, at + 30 * us + length + 10 * ms});
    }
}

/// Four threads that run loops of a millisecond; the first takes `longest`.
void parallelLoops(DrawnProgram& program, Ns longest)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.libraryCall("OpenMP", "Parallel Region", {at, at + longest + 100 * us});
        for (std::uint32_t thread = 1; thread <= 4; ++thread) {
            const Ns length = thread == 1 ? longest : ms;
            program.libraryCall("OpenMP", "Loop Region", {at + us, at + us + length}, thread);
            program.libraryCall(
                "OpenMP", "Implicit Barrier", {at + 2 * us + length, at + longest + 3 * us}, thread);
        }
    }
}

/// 100 ms: thread 1 runs for `alone`, then `threads` of them at once.
void threadsTogether(DrawnProgram& program, Ns alone, std::uint32_t threads)
{
    program.event(EventKind::ThreadState, "Running", {0, 100 * ms});
    for (std::uint32_t thread = 2; thread <= threads; ++thread) {
        program.event(EventKind::ThreadState, "Waiting", {0, alone}, thread);
        program.event(EventKind::ThreadState, "Running", {alone, 100 * ms}, thread);
    }
}

/// Kernels with gaps of 9 ms, in which the launching thread was sampled inside a function.
void sampledGaps(DrawnProgram& program, bool inOneFunction)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.kernel("work", at, {at + 5 * us, at + ms});
        for (int k = 0; k < 8; ++k)
            program.sample(inOneFunction ? "snprintf" : "f" + std::to_string(i * 8 + k),
                inOneFunction ? "report" : "g" + std::to_string(i * 8 + k), at + (k + 1) * ms + 500 * us);
    }
}

/// Kernels with gaps, in which the launching thread waits for Python's lock for `wait` each time.
void waitingForLock(DrawnProgram& program, std::string_view domain, Ns wait)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.kernel("work", at, {at + 5 * us, at + 2 * ms});
        program.range("Waiting for GIL", {at + 3 * ms, at + 3 * ms + wait}, domain);
    }
}

} // namespace

std::vector<RuleCase> memoryCases()
{
    return {
        {"unified_memory_faults", "pages that a kernel misses", true,
            [](auto& p) { managedRounds(p, false); }},
        {"unified_memory_faults", "pages sent ahead", false, [](auto& p) { managedRounds(p, true); }},
        {"repeated_uploads", "the same size each round", true, [](auto& p) { uploads(p, 0); }},
        {"repeated_uploads", "another size each round", false, [](auto& p) { uploads(p, 8); }},
        {"repeated_uploads", "batches", false,
            [](auto& p) {
                uploads(p, 0);
                p.range("data_load", {-ms, 0});
            }},
        {"data_region_in_loop", "OpenMP regions that map their arrays", true,
            [](auto& p) { mappedRounds(p, "nvkernel_main_F1L12_2", 20); }},
        {"data_region_in_loop", "a program of plain CUDA", false,
            [](auto& p) { mappedRounds(p, "work", 20); }},
        {"data_region_in_loop", "mapped twice", false,
            [](auto& p) { mappedRounds(p, "nvkernel_main_F1L12_2", 2); }},
        {"copy_bound", "copies for two thirds of the time", true,
            [](auto& p) { copiesAndKernels(p, 27 * ms); }},
        {"copy_bound", "copies for an eighth", false, [](auto& p) { copiesAndKernels(p, 5 * ms); }},
    };
}

std::vector<RuleCase> hostCases()
{
    return {
        {"openmp_imbalance", "one thread has four times the work", true,
            [](auto& p) { parallelLoops(p, 4 * ms); }},
        {"openmp_imbalance", "all have the same", false, [](auto& p) { parallelLoops(p, ms); }},
        {"serial_phases", "one thread for 70 of 100 ms", true,
            [](auto& p) { threadsTogether(p, 70 * ms, 4); }},
        {"serial_phases", "one thread for 20 of 100 ms", false,
            [](auto& p) { threadsTogether(p, 20 * ms, 4); }},
        {"serial_phases", "a program of one thread", false, [](auto& p) { threadsTogether(p, 70 * ms, 1); }},
        {"serial_phases", "a GPU works meanwhile", false,
            [](auto& p) {
                threadsTogether(p, 70 * ms, 4);
                p.kernel("work", ms, {2 * ms, 3 * ms});
            }},
        {"gap_functions", "one function in all gaps", true, [](auto& p) { sampledGaps(p, true); }},
        {"gap_functions", "a different one each time", false, [](auto& p) { sampledGaps(p, false); }},
        {"gil", "waits for the lock in each round", true,
            [](auto& p) { waitingForLock(p, "GIL Trace", 5 * ms); }},
        {"gil", "the lock was not traced", false, [](auto& p) { waitingForLock(p, "", 5 * ms); }},
        {"start_up", "a first call of 200 ms", true,
            [](auto& p) {
                p.call("cudaMalloc_v3020", {0, 200 * ms});
                p.kernel("work", 201 * ms, {202 * ms, 203 * ms});
            }},
        {"host_outside", "half a second of own code before a kernel", true,
            [](auto& p) {
                p.event(EventKind::OsRuntime, "read", {0, us});
                p.call("cudaMalloc_v3020", {500 * ms, 502 * ms});
                p.kernel("work", 503 * ms, {504 * ms, 505 * ms});
            }},
        {"host_outside", "hardly any", false,
            [](auto& p) {
                p.call("cudaMalloc_v3020", {10 * us, 400 * ms});
                p.kernel("work", 400 * ms + us, {400 * ms + 4 * us, 900 * ms});
            }},
        {"start_up", "a first call of 100 us", false,
            [](auto& p) {
                p.call("cudaMalloc_v3020", {0, 100 * us});
                p.kernel("work", 201 * ms, {202 * ms, 203 * ms});
            }},
        {"start_up", "recorded while the GPU works: the first call waits for that", false,
            [](auto& p) {
                p.call("cudaDeviceSynchronize_v3020", {ms, 20 * ms});
                p.kernel("work", 21 * ms, {22 * ms, 23 * ms});
                p.kernel("before", 0, {500 * us, 19 * ms}, {.isLaunchRecorded = false});
            }},
        {"start_up", "a first launch of 50 ms behind kernels that were launched before", false,
            [](auto& p) {
                p.kernel("before", 0, {500 * us, 19 * ms}, {.isLaunchRecorded = false});
                p.kernel("work", ms, {60 * ms, 61 * ms}, {.callTime = 50 * ms});
                for (int i = 1; i < 10; ++i)
                    p.kernel("work", (60 + i) * ms, {(61 + i) * ms, (62 + i) * ms});
            }},
    };
}

std::vector<RuleCase> shapeCases()
{
    const auto many = [](DrawnProgram& p, Ns length, const KernelLook& look, bool named) {
        for (int i = 0; i < 100; ++i)
            p.kernel(named ? "work" + std::to_string(i) : std::string("work"), i * ms,
                {i * ms + 5 * us, i * ms + 5 * us + length}, look);
    };
    return {
        {"partial_warps", "16 threads a block", true,
            [=](auto& p) { many(p, 100 * us, {.threads = 16}, false); }},
        {"partial_warps", "256 threads a block", false, [=](auto& p) { many(p, 100 * us, {}, false); }},
        {"partial_warps", "257 threads a block", false,
            [=](auto& p) { many(p, 100 * us, {.threads = 2047 * 32 + 31}, false); }},
        {"too_small", "25 blocks for 4 us", true, [=](auto& p) { many(p, 4 * us, {.blocks = 25}, false); }},
        {"too_small", "a thousand blocks", false, [=](auto& p) { many(p, 4 * us, {}, false); }},
        {"too_small", "25 blocks for 400 us", false,
            [=](auto& p) { many(p, 400 * us, {.blocks = 25}, false); }},
        {"top_kernels", "one kernel keeps the GPU busy", true,
            [=](auto& p) { many(p, 900 * us, {}, false); }},
        {"top_kernels", "an idle GPU and a hundred names", false,
            [=](auto& p) { many(p, 10 * us, {}, true); }},
    };
}

} // namespace warpline::test
