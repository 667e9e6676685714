#include "tests/core/findings/rule_cases.h"

#include <string>

namespace warpline::test {

namespace {

/// 20 steps of 2 ms with a kernel each; step 10 takes `odd`.
void steps(DrawnProgram& program, Ns odd)
{
    Ns at = 0;
    for (int i = 0; i < 20; ++i) {
        const Ns length = i == 10 ? odd : 2 * ms;
        program.range("step_" + std::to_string(i), {at, at + length});
        program.kernel("work", at + 5 * us, {at + 10 * us, at + length});
        at += length;
    }
}

/// Five steps of 2 ms, and five of 4 ms for half of which another process computes, on `device`.
void shareGpu(DrawnProgram& program, std::int32_t device)
{
    const KernelLook other{.device = device, .tid = 1U << 24U | 1U}; // thread 1 of process 101
    for (int i = 0; i < 10; ++i) {
        const Ns at = i < 5 ? i * 2 * ms : 10 * ms + (i - 5) * 4 * ms;
        program.range("step_" + std::to_string(i), {at, at + (i < 5 ? 2 : 4) * ms});
        program.kernel("work", at + 5 * us, {at + 10 * us, at + (i < 5 ? 2 : 1) * ms});
        if (i < 5)
            continue;
        program.kernel("work", at + 8 * us, {at + 2100 * us, at + 4 * ms});
        program.kernel("other", at + 5 * us, {at + ms, at + 2100 * us}, other);
        program.kernel("other", at + 8 * us, {at + 3 * ms, at + 4 * ms}, other);
    }
}

/// Steps with an optimizer phase that waits for the GPU when `waiting`.
void optimizerSteps(DrawnProgram& program, bool waiting)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.range("step_" + std::to_string(i), {at, at + 10 * ms});
        program.range("backward", {at, at + 5 * ms});
        program.range("optimizer", {at + 5 * ms, at + 10 * ms});
        program.kernel("work", at + 5 * us, {at + 10 * us, at + 9 * ms});
        if (waiting)
            program.call("cudaStreamSynchronize_v3020", {at + 5 * ms, at + 9 * ms});
    }
}

/// A launching thread with one lock call of `length` before each of its launches.
void locks(DrawnProgram& program, Ns length)
{
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * ms;
        program.event(EventKind::OsRuntime, "pthread_mutex_lock", {at, at + length});
        program.kernel("work", at + 500 * us, {at + 510 * us, at + 900 * us});
    }
}

/// Two threads that run in halves of each millisecond: in turns, or at the same time.
void threads(DrawnProgram& program, bool inTurns)
{
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * ms;
        program.kernel("work", at + 100 * us, {at + 110 * us, at + 900 * us});
        program.event(EventKind::ThreadState, "Running", {at, at + 500 * us}, 1);
        const Ns other = inTurns ? at + 500 * us : at;
        program.event(EventKind::ThreadState, "Running", {other, other + 500 * us}, 2);
    }
}

/// A launching thread that is on a CPU half of the time although it does not wait, or is in a read.
void halfOnCpu(DrawnProgram& program, bool reading)
{
    for (int i = 0; i < 20; ++i) {
        const Ns at = i * ms;
        program.kernel("work", at + 100 * us, {at + 110 * us, at + 400 * us});
        program.event(EventKind::ThreadState, "Running", {at, at + 500 * us});
        program.event(EventKind::OsRuntime, "read", {at + 500 * us, at + (reading ? 1000 : 510) * us});
    }
}

/// A recording that lacks nothing.
void recordAll(DrawnProgram& program)
{
    steps(program, 2 * ms);
    program.event(EventKind::Sample, "sample", {ms, ms});
    program.event(EventKind::ThreadState, "Running", {0, 40 * ms});
    program.event(EventKind::OsRuntime, "read", {ms, 2 * ms});
    program.allocation(0, 1'000'000);
    program.metric("SMs Active [Throughput %]", {0, 40 * ms}, ms, 90);
}

} // namespace

std::vector<RuleCase> programCases()
{
    return {
        {"token_times", "prefill and decode steps of a server", true,
            [](auto& p) {
                for (int i = 0; i < 40; ++i) {
                    const Ns at = i * 10 * ms;
                    p.range(i % 10 == 0 ? "execute_context_1(512)_generation_0(0)"
                                        : "execute_context_0(0)_generation_8(8)",
                        {at, at + (i % 10 == 0 ? 9 : 5) * ms});
                    p.kernel("work", at, {at + 10 * us, at + 100 * us});
                }
            }},
        {"token_times", "training steps", false,
            [](auto& p) {
                for (int i = 0; i < 40; ++i) {
                    const Ns at = i * 10 * ms;
                    p.range("step_" + std::to_string(i), {at, at + 9 * ms});
                    p.kernel("work", at, {at + 10 * us, at + 100 * us});
                }
            }},
        {"nvtx_outlier_steps", "one step ten times slower", true, [](auto& p) { steps(p, 20 * ms); }},
        {"nvtx_outlier_steps", "all steps alike", false, [](auto& p) { steps(p, 2 * ms); }},
        {"shared_gpu", "two processes in turns", true, [](auto& p) { shareGpu(p, 0); }},
        {"shared_gpu", "each has its own GPU", false, [](auto& p) { shareGpu(p, 1); }},
        {"phase_holds_sync", "the optimizer waits", true, [](auto& p) { optimizerSteps(p, true); }},
        {"phase_holds_sync", "nothing waits", false, [](auto& p) { optimizerSteps(p, false); }},
        {"cpu_contention", "locks of 300 us", true, [](auto& p) { locks(p, 300 * us); }},
        {"cpu_contention", "locks of 3 us", false, [](auto& p) { locks(p, 3 * us); }},
        {"cpu_contention", "threads in turns", true, [](auto& p) { threads(p, true); }},
        {"cpu_contention", "threads at the same time", false, [](auto& p) { threads(p, false); }},
        {"cpu_contention", "off the CPU for nothing", true, [](auto& p) { halfOnCpu(p, false); }},
        {"cpu_contention", "off the CPU in a read", false, [](auto& p) { halfOnCpu(p, true); }},
        {"capture_quality", "kernels and ranges alone", true, [](auto& p) { steps(p, 2 * ms); }},
        {"capture_quality", "all that can be recorded", false, [](auto& p) { recordAll(p); }},
        {"capture_quality", "overhead of the profiler", true,
            [](auto& p) {
                recordAll(p);
                p.event(EventKind::Overhead, "CUPTI buffer flush", {ms, 5 * ms});
            }},
        {"failed_calls", "a launch for another GPU", true,
            [](auto& p) {
                steps(p, 2 * ms);
                p.call("cudaLaunchKernel_v7000", {ms, 2 * ms}, 1, 222);
            }},
        {"failed_calls", "a query of work that is not ready", false,
            [](auto& p) {
                steps(p, 2 * ms);
                p.call("cudaEventQuery_v3020", {ms, 2 * ms}, 1, 600);
                p.call("cudaStreamSynchronize_v3020", {2 * ms, 3 * ms}, 1, 600);
                p.call("cudaFuncGetAttributes_v3020", {3 * ms, 4 * ms}, 1, 98);
            }},
        {"credentials_in_report", "a token in the environment", true,
            [](auto& p) {
                steps(p, 2 * ms);
                p.info().capture.emplace_back("ENVIRONMENT_VARIABLE", "HUB_TOKEN=abc");
            }},
        {"credentials_in_report", "a personal access token", true,
            [](auto& p) {
                steps(p, 2 * ms);
                p.info().capture.emplace_back("ENVIRONMENT_VARIABLE", "GITHUB_PAT=abc");
            }},
        {"credentials_in_report", "a path and a blanked token", false,
            [](auto& p) {
                steps(p, 2 * ms);
                p.info().capture.emplace_back("ENVIRONMENT_VARIABLE", "PATH=/usr/bin");
                p.info().capture.emplace_back("ENVIRONMENT_VARIABLE", "HUB_TOKEN=<blanked>");
                p.info().capture.emplace_back("ENVIRONMENT_VARIABLE", "TOKENIZERS_PARALLELISM=false");
                // The name of a location is not a credential, although a personal access token is named PAT.
                for (const char* const place :
                    {"LD_LIBRARY_PATH=/usr/lib64", "LIBRARY_PATH=/cuda/lib64/stubs",
                        "HF_TOKEN_PATH=/home/token", "GITHUB_PATTERN=x", "PASSWD_FILE=/etc/passwd"})
                    p.info().capture.emplace_back("ENVIRONMENT_VARIABLE", place);
            }},
    };
}

} // namespace warpline::test
