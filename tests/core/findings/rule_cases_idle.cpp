#include "tests/core/findings/rule_cases.h"

#include <string>

namespace warpline::test {

namespace {

/// Kernels of `length` every `every` ns, each launched `ahead` before it runs.
void kernels(DrawnProgram& program, int count, Ns every, Ns length, Ns ahead = 5 * us)
{
    for (int i = 0; i < count; ++i) {
        const Ns at = i * every;
        program.kernel("work", at - ahead, {at, at + length});
    }
}

/// Steps of 10 ms that begin with `loading`, in which the GPU works only when `busy`.
void loadingSteps(DrawnProgram& program, bool busy)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.range("step_" + std::to_string(i), {at, at + 10 * ms});
        program.range("data_load", {at, at + 6 * ms});
        const Ns from = busy ? at + 100 * us : at + 6100 * us;
        program.kernel("work", busy ? at : at + 6050 * us, {from, at + 10 * ms});
    }
}

/// Rounds without NVTX that end in silence; the next begins with a copy to the device, or with a kernel.
void silentRounds(DrawnProgram& program, bool withInput)
{
    for (int i = 0; i < 12; ++i) {
        const Ns at = i * 10 * ms;
        if (withInput)
            program.copy({at, at + 5 * us}, {at + 10 * us, at + 100 * us});
        program.kernel("work", at + 10 * us, {at + 110 * us, at + 3 * ms});
    }
}

/// Steps that read `bytes` back and wait for them, in the first `waiting` of 10.
void readingSteps(DrawnProgram& program, int waiting)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * ms;
        program.range("step_" + std::to_string(i), {at, at + ms});
        program.kernel("work", at + 5 * us, {at + 10 * us, at + 700 * us});
        if (i >= waiting)
            continue;
        program.copy({at + 20 * us, at + 25 * us}, {at + 701 * us, at + 702 * us},
            {.kind = CopyKind::DtoH, .bytes = 4});
        program.call("cudaStreamSynchronize_v3020", {at + 30 * us, at + 710 * us});
    }
}

/// Steps that allocate in the middle, or once before the first.
void allocatingSteps(DrawnProgram& program, bool inLoop)
{
    program.call("cudaMalloc_v3020", {-ms, -900 * us});
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * ms;
        program.range("step_" + std::to_string(i), {at, at + ms});
        program.kernel("work", at + 5 * us, {at + 10 * us, at + 300 * us});
        if (inLoop) {
            program.call("cudaMalloc_v3020", {at + 20 * us, at + 120 * us});
            program.call("cudaFree_v3020", {at + 130 * us, at + 330 * us});
        }
    }
}

/// Steps with a stream for each of 20 kernels, made and destroyed, or with one that is kept.
void streamsInSteps(DrawnProgram& program, bool perKernel)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * ms;
        program.range("step_" + std::to_string(i), {at, at + ms});
        for (int k = 0; k < 20; ++k) {
            const Ns task = at + k * 50 * us;
            if (perKernel)
                program.call("cudaStreamCreate_v3020", {task, task + 5 * us});
            program.kernel("work", task + 6 * us, {task + 10 * us, task + 35 * us});
            program.call("cudaStreamSynchronize_v3020", {task + 9 * us, task + 36 * us});
            if (perKernel)
                program.call("cudaStreamDestroy_v5050", {task + 37 * us, task + 45 * us});
        }
    }
}

void growingMemory(DrawnProgram& program, bool released)
{
    kernels(program, 40, ms, 500 * us);
    for (int i = 0; i < 40; ++i) {
        program.allocation(i * ms, 1'000'000);
        if (released)
            program.allocation(i * ms + 100 * us, 1'000'000, false);
    }
}

/// Forty allocations of one address, of which no release was recorded.
void growingWithoutReleases(DrawnProgram& program)
{
    kernels(program, 40, ms, 500 * us);
    for (int i = 0; i < 40; ++i)
        program.allocation(i * ms, 1'000'000, true, 4096);
}

/// Forty allocations that stay, spread over ten steps, or all in the fifth of them.
void growingInSteps(DrawnProgram& program, bool inEach)
{
    kernels(program, 40, ms, 500 * us);
    for (int i = 0; i < 10; ++i)
        program.range("step_" + std::to_string(i), {i * 4 * ms, (i + 1) * 4 * ms});
    for (int i = 0; i < 40; ++i)
        program.allocation(inEach ? i * ms : 20 * ms + i * 50 * us, 1'000'000);
}

/// A call that loads code in each of 10 steps, or in the first alone, after a silence of 5 ms.
void loadingCode(DrawnProgram& program, bool inLoop)
{
    for (int i = 0; i < 10; ++i) {
        const Ns at = i * 10 * ms;
        program.range("step_" + std::to_string(i), {at, at + 10 * ms});
        program.kernel("first", at + 5 * us, {at + 10 * us, at + 900 * us});
        if (inLoop || i == 0)
            program.call("cuLibraryLoadData", {at + 6 * ms, at + 6100 * us});
        program.kernel("second", at + 6200 * us, {at + 6300 * us, at + 9 * ms});
    }
}

} // namespace

std::vector<RuleCase> idleCases()
{
    return {
        {"cuda_api_sync", "a wait for the device", true,
            [](auto& p) {
                kernels(p, 3, ms, 500 * us);
                p.call("cudaDeviceSynchronize_v3020", {10 * us, 510 * us});
            }},
        {"cuda_api_sync", "a wait for an event", false,
            [](auto& p) {
                kernels(p, 3, ms, 500 * us);
                p.call("cudaEventSynchronize_v3020", {10 * us, 510 * us});
            }},
        {"gpu_gaps", "gaps of 600 ms", true, [](auto& p) { kernels(p, 3, 601 * ms, ms); }},
        {"gpu_gaps", "gaps of 400 ms", false, [](auto& p) { kernels(p, 3, 401 * ms, ms); }},
        {"gpu_time_util", "one tenth in use", true, [](auto& p) { kernels(p, 60, 10 * ms, ms); }},
        {"gpu_time_util", "nine tenths in use", false, [](auto& p) { kernels(p, 60, 10 * ms, 9 * ms); }},
        {"gpu_idle_cause", "the host launches late", true, [](auto& p) { kernels(p, 20, 10 * ms, 5 * ms); }},
        {"gpu_idle_cause", "no gaps", false, [](auto& p) { kernels(p, 20, 10 * ms, 10 * ms, ms); }},
        {"data_starvation", "loading with an idle GPU", true, [](auto& p) { loadingSteps(p, false); }},
        {"data_starvation", "loading beside the GPU's work", false, [](auto& p) { loadingSteps(p, true); }},
        {"data_starvation", "silence that input ends, without NVTX", true,
            [](auto& p) { silentRounds(p, true); }},
        {"data_starvation", "silence that a kernel ends, without NVTX", false,
            [](auto& p) { silentRounds(p, false); }},
        {"launch_bound", "each launch finds an idle GPU", true,
            [](auto& p) { kernels(p, 600, 20 * us, 4 * us); }},
        {"launch_bound", "launches far ahead", false,
            [](auto& p) { kernels(p, 600, 20 * us, 19 * us, 5 * ms); }},
        {"launch_bound", "few launches", false, [](auto& p) { kernels(p, 30, 20 * us, 4 * us); }},
        {"sync_per_iteration", "a value read in each step", true, [](auto& p) { readingSteps(p, 10); }},
        {"sync_per_iteration", "a value read once", false, [](auto& p) { readingSteps(p, 1); }},
        {"allocation_in_loop", "in each step", true, [](auto& p) { allocatingSteps(p, true); }},
        {"allocation_in_loop", "before the first step", false, [](auto& p) { allocatingSteps(p, false); }},
        {"allocation_in_loop", "a stream for each kernel", true, [](auto& p) { streamsInSteps(p, true); }},
        {"allocation_in_loop", "one stream for all kernels", false,
            [](auto& p) { streamsInSteps(p, false); }},
        {"memory_growth", "an address again and again", false, growingWithoutReleases},
        {"memory_growth", "never released", true, [](auto& p) { growingMemory(p, false); }},
        {"memory_growth", "released each time", false, [](auto& p) { growingMemory(p, true); }},
        {"memory_growth", "in each step", true, [](auto& p) { growingInSteps(p, true); }},
        {"memory_growth", "in one step of ten", false, [](auto& p) { growingInSteps(p, false); }},
        {"code_loaded_in_loop", "in each step", true, [](auto& p) { loadingCode(p, true); }},
        {"code_loaded_in_loop", "in the first step", false, [](auto& p) { loadingCode(p, false); }},
        {"one_time_costs", "a module of 20 ms", true,
            [](auto& p) {
                kernels(p, 2, 50 * ms, ms);
                p.call("cuModuleLoadData", {10 * ms, 30 * ms});
            }},
        {"one_time_costs", "compiled before it is loaded", true,
            [](auto& p) {
                p.kernel("work", 0, {10 * us, ms});
                p.kernel("work", 2 * ms, {2 * ms + 10 * us, 3 * ms});
                p.call("cuInit", {20 * ms, 20 * ms + 5 * us}); // the compiler asks which GPU it is for
                p.call("cuModuleLoadData", {30 * ms, 31 * ms});
                p.kernel("other", 32 * ms, {32 * ms + 10 * us, 33 * ms});
            }},
        {"one_time_costs", "a module of 60 us", false,
            [](auto& p) {
                kernels(p, 2, 50 * ms, ms);
                p.call("cudaMalloc", {5 * us, 10 * ms});
                p.call("cuModuleLoadData", {10 * ms, 10 * ms + 60 * us});
            }},
    };
}

} // namespace warpline::test
