#include "core/kineto/trace_head.h"

#include "core/base/secrets.h"
#include "core/kineto/json_value.h"
#include "core/store/trace.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace warpline {

namespace {

constexpr std::size_t maxFactBytes = 200;
constexpr std::size_t maxNamesBytes = 100'000;
constexpr std::size_t maxRanks = 100'000;

constexpr std::array<std::string_view, 5> optionNames{
    "record_shapes", "with_stack", "profile_memory", "with_flops", "with_modules"};

JsonValue valueOf(std::string_view text)
{
    return JsonReader(text).value();
}

Device deviceOf(std::string_view text)
{
    Device device;
    std::int32_t threadsPerSm = 0;
    for (const auto& [key, value] : fieldsOf(text)) {
        if (key == "id")
            device.id = natural32Of(value);
        else if (key == "name")
            device.name = textOf(value);
        else if (key == "totalGlobalMem")
            device.memoryBytes = integerOf(value).value_or(0);
        else if (key == "computeMajor")
            device.computeMajor = natural32Of(value);
        else if (key == "computeMinor")
            device.computeMinor = natural32Of(value);
        else if (key == "maxThreadsPerMultiprocessor")
            threadsPerSm = natural32Of(value);
        else if (key == "regsPerMultiprocessor")
            device.maxRegistersPerSm = natural32Of(value);
        else if (key == "warpSize")
            device.threadsPerWarp = std::max(1, natural32Of(value));
        else if (key == "numSms")
            device.multiprocessors = natural32Of(value);
        else if (key == "sharedMemPerMultiprocessor" || key == "maxSharedMemoryPerMultiProcessor")
            device.maxSharedPerSm = natural32Of(value);
    }
    device.maxWarpsPerSm = threadsPerSm / device.threadsPerWarp;
    return device;
}

ProcessGroup groupOf(std::string_view text)
{
    ProcessGroup group;
    for (const auto& [key, value] : fieldsOf(text)) {
        if (key == "pg_name")
            group.name = textOf(value);
        else if (key == "pg_desc")
            group.description = textOf(value);
        else if (key == "pg_size")
            group.size = natural32Of(value);
        else if (key == "ranks") // a list; in traces on demand a text that holds one
            group.members = integersOf(value, maxRanks);
    }
    if (group.size == 0)
        group.size = static_cast<std::int64_t>(group.members.size());
    return group;
}

void readDistributed(std::string_view text, TraceHead& head)
{
    for (const auto& [key, value] : fieldsOf(text)) {
        if (key == "rank")
            head.rank.rank = integerOf(value).value_or(-1);
        else if (key == "world_size")
            head.rank.ranks = integerOf(value).value_or(-1);
        else if (key == "pg_config")
            visitList(value.text, [&](const JsonValue& group) {
                if (group.kind == JsonValue::Kind::Object)
                    head.groups.push_back(groupOf(group.text));
            });
        else if (key == "backend" || key == "nccl_version")
            head.facts.emplace_back(key == "backend" ? "distributed backend" : "NCCL version", textOf(value));
    }
    if (head.rank.rank >= 0)
        head.rank.foundBy = "distributedInfo";
}

/// Adds the names of environment variables in objects of `value`, without their values, because the file may
/// be shared.
void addVariables(const JsonValue& value, int depth, std::string& names)
{
    if (value.kind != JsonValue::Kind::Object || depth == 0)
        return;
    for (const auto& [key, inside] : fieldsOf(value.text)) {
        if (key != "env" && key != "environment") {
            addVariables(inside, depth - 1, names);
            continue;
        }
        for (const JsonField& variable : fieldsOf(inside.text)) {
            if (names.size() < maxNamesBytes && !variable.value.text.empty())
                names += (names.empty() ? "" : ";") + std::string(variable.key) + "=...";
        }
    }
}

/// CUDA and HIP write a version as 1000 x major + 10 x minor, or longer.
std::string versionOf(std::string_view key, const JsonValue& value)
{
    const auto number = integerOf(value);
    if (!number || !key.starts_with("cuda_") || *number < 1000)
        return textOf(value);
    return std::to_string(*number / 1000) + "." + std::to_string(*number % 1000 / 10);
}

} // namespace

TraceHead readHead(const std::vector<std::pair<std::string, std::string>>& fields)
{
    TraceHead head;
    std::array<bool, optionNames.size()> on{};
    std::string variables;
    for (const auto& [key, text] : fields) {
        const JsonValue value = valueOf(text);
        const auto* const option = std::ranges::find(optionNames, key);
        if (option != optionNames.end())
            on[static_cast<std::size_t>(option - optionNames.begin())] = integerOf(value).value_or(1) != 0;
        else if (key == "baseTimeNanoseconds")
            head.baseNs = integerOf(value).value_or(0);
        else if (key == "schemaVersion")
            head.schemaVersion = textOf(value);
        else if (key == "host_name")
            head.hostName = textOf(value);
        else if (key == "deviceProperties")
            visitList(value.text, [&](const JsonValue& device) {
                if (device.kind == JsonValue::Kind::Object)
                    head.devices.push_back(deviceOf(device.text));
            });
        else if (key == "distributedInfo")
            readDistributed(value.text, head);
        else if (value.kind == JsonValue::Kind::Object)
            addVariables(value, 3, variables);
        else if (value.kind != JsonValue::Kind::List && value.there() && text.size() <= maxFactBytes)
            head.facts.emplace_back(key, versionOf(key, value));
    }
    hideSecrets(head.facts); // before they are cached and shown
    if (!variables.empty())
        head.facts.emplace_back("environment (names only)", std::move(variables));
    for (std::size_t i = 0; i < optionNames.size(); ++i)
        head.options.emplace_back(optionNames[i], on[i] ? "yes" : "no");
    return head;
}

} // namespace warpline
