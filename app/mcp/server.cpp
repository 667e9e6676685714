#include "app/mcp/server.h"

#include "app/mcp/picture.h"
#include "app/mcp/tool.h"
#include "core/base/file_wait.h"
#include "core/base/json_fields.h"
#include "core/base/near_names.h"
#include "core/base/platform/platform.h"
#include "core/base/version.h"
#include "core/render/render.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

namespace warpline::cli {

namespace {

using Clock = std::chrono::steady_clock;

/// Codes of JSON-RPC (https://www.jsonrpc.org/specification, 5.1).
enum RpcError : int {
    ParseFailed = -32700,
    InvalidRequest = -32600,
    NoSuchMethod = -32601,
    InvalidParams = -32602,
    InternalError = -32603,
};

/// Versions of the protocol, the newest first.
constexpr std::array<std::string_view, 4> protocolVersions{
    "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
constexpr std::string_view firstWithSchemas = "2025-06-18"; ///< schemas of tools' results

constexpr std::string_view instructions
    = "Answers about recordings of GPU programs. Open files with open_reports, then ask overview and findings; "
      "evidence shows why and where, range, events, name and sql look closer, compare measures a change, ranks finds the "
      "late rank. Times are ns on the report's clock. Long lists are cut: 'more' of an answer says where, and the "
      "tool more shows the rest. words explains terms.";

Json replyTo(const Json& id)
{
    return {{"jsonrpc", "2.0"}, {"id", id}};
}

Json resultFor(const Json& id, Json result)
{
    Json reply = replyTo(id);
    reply["result"] = std::move(result);
    return reply;
}

Json errorFor(const Json& id, int code, const std::string& message)
{
    Json reply = replyTo(id);
    reply["error"] = {{"code", code}, {"message", message}};
    return reply;
}

bool isId(const Json& id)
{
    return id.is_string() || id.is_number_integer();
}

/// The id of `message` as an answer names it: null where it has none that is valid.
Json idOf(const Json& message)
{
    if (!message.is_object() || !message.contains("id") || !isId(message["id"]))
        return nullptr;
    return message["id"];
}

/// The error of `message` as a request or notification; empty: none.
std::string problemOf(const Json& message)
{
    if (!message.is_object())
        return "a message is an object";
    if (message.value("jsonrpc", Json()) != Json("2.0"))
        return "\"jsonrpc\" must be \"2.0\"";
    if (!message.contains("method") || !message["method"].is_string())
        return "\"method\" must be a text";
    if (message.contains("id") && !isId(message["id"]))
        return "\"id\" must be a text or a whole number";
    if (message.contains("params") && !message["params"].is_object())
        return "\"params\" must be an object";
    return {};
}

bool isAnswer(const Json& message)
{
    return message.is_object() && !message.contains("method")
        && (message.contains("result") || message.contains("error"));
}

Json paramsOf(const Json& request)
{
    return request.contains("params") ? request["params"] : Json::object();
}

Json contentOf(const ToolAnswer& answer)
{
    Json content = Json::array();
    if (!answer.picture.empty())
        content.push_back({{"type", "image"}, {"data", base64Of(answer.picture)}, {"mimeType", "image/png"}});
    const std::string text = answer.document.contains("error") && answer.document["error"].is_string()
        ? answer.document["error"].get<std::string>()
        : compactText(answer.document);
    content.push_back({{"type", "text"}, {"text", text}});
    return content;
}

/// Replies to `request`, or to those of a batch, that `problem` keeps them from an answer; empty: it has
/// none.
Json failedReplyTo(const Json& request, const Message& problem)
{
    if (request.is_array()) {
        Json replies = Json::array();
        for (const Json& each : request) {
            if (const Json reply = failedReplyTo(each, problem); !reply.empty())
                replies.push_back(reply);
        }
        return replies;
    }
    if (isAnswer(request))
        return {};
    if (const std::string mistake = problemOf(request); !mistake.empty())
        return errorFor(idOf(request), InvalidRequest, "This is not a request: " + mistake + ".");
    if (!request.contains("id"))
        return {};
    if (request["method"] != "tools/call")
        return errorFor(request["id"], InternalError, plain(problem));
    return resultFor(request["id"], {{"content", contentOf(failedAnswer(problem))}, {"isError", true}});
}

} // namespace

McpServer::McpServer()
    : m_desk(m_output),
      m_worker([this](const std::stop_token& ends) { work(ends); }),
      m_watch([this](const std::stop_token& ends) { watch(ends); })
{
}

McpServer::~McpServer()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_ending = true;
    }
    m_posted.notify_all();
    {
        std::unique_lock lock(m_mutex);
        const auto isOver = [this] {
            return m_isDone
                || (slowestFile().isSilent() && std::ranges::all_of(m_calls, [](const Call& call) {
                       return call.isAnswered || call.stop.stop_requested();
                   }));
        };
        while (!m_posted.wait_for(lock, std::chrono::milliseconds(200), isOver)) { }
        if (!m_isDone) // nothing ends the wait of the worker
            platform::endNow(static_cast<int>(ExitCode::UnreadableReport));
    }
    m_worker.join();
}

bool McpServer::isRead() const
{
    const std::scoped_lock lock(m_mutex);
    return !m_readerGone;
}

void McpServer::send(const Json& message)
{
    const std::scoped_lock lock(m_mutex);
    sendHeld(message);
}

void McpServer::sendHeld(const Json& message)
{
    // Reports hold names in any encoding; invalid bytes are replaced.
    const std::string line = compactText(message);
    if (!m_readerGone && !m_output.send(line)) {
        m_readerGone = true;
        for (const Call& call : m_calls)
            call.stop.request_stop();
    }
}

void McpServer::refuseLong()
{
    send(errorFor(nullptr, InvalidRequest,
        fmt::format("The message is longer than {} bytes, and was not read.", longestMcpMessage)));
}

void McpServer::receive(std::string_view line)
{
    bool isBeyondLimits = false;
    Json message = parseJson(line, &isBeyondLimits);
    if (isBeyondLimits)
        send(errorFor(nullptr, InvalidRequest,
            fmt::format("The message is nested deeper than {} levels, or has too many keys.", maxJsonDepth)));
    else if (message.is_discarded())
        send(errorFor(
            nullptr, ParseFailed, "The message is not JSON. Each line must be one whole JSON value."));
    else
        take(std::move(message));
}

void McpServer::take(Json message)
{
    if (message.is_array() && m_version == "2025-03-26" && !message.empty()) {
        post(nullptr, std::move(message));
        return;
    }
    if (isAnswer(message))
        return; // a response, but the server sent no request
    if (const std::string problem = problemOf(message); !problem.empty()) {
        send(errorFor(idOf(message), InvalidRequest, "This is not a request: " + problem + "."));
        return;
    }
    if (!message.contains("id")) {
        takeNotification(message);
        return;
    }
    const Json id = message["id"];
    if (isWaiting(id)) {
        send(errorFor(id, InvalidRequest, "A request with this id still waits for its answer."));
        return;
    }
    if (message["method"] == "tools/call" && !m_version.empty() && !isReady(message))
        post(id, std::move(message));
    else
        send(answerTo(message, {}));
}

void McpServer::takeNotification(const Json& message)
{
    const Json params = paramsOf(message);
    if (message["method"] == "notifications/cancelled" && params.contains("requestId"))
        cancel(params["requestId"]);
}

void McpServer::post(Json id, Json message)
{
    const std::scoped_lock lock(m_mutex);
    m_calls.push_back({std::move(id), std::move(message), std::stop_source()});
    m_posted.notify_all();
}

bool McpServer::isWaiting(const Json& id)
{
    const std::scoped_lock lock(m_mutex);
    return std::ranges::any_of(m_calls, [&](const Call& call) { return call.id == id && !call.isAnswered; });
}

bool McpServer::isReady(const Json& request) const
{
    const Json params = paramsOf(request);
    const auto name = params.find("name");
    const Tool* const tool
        = name != params.end() && name->is_string() ? findTool(name->get_ref<const std::string&>()) : nullptr;
    return tool && tool->isReady
        && tool->isReady(m_desk, params.contains("arguments") ? params["arguments"] : Json::object());
}

void McpServer::cancel(const Json& id)
{
    const std::scoped_lock lock(m_mutex);
    for (const Call& call : m_calls) {
        if (call.id == id)
            call.stop.request_stop();
    }
}

void McpServer::work(const std::stop_token& ends)
{
    for (;;) {
        std::unique_lock lock(m_mutex);
        m_posted.wait(lock, ends, [&] { return !m_calls.empty() || m_ending; });
        if (m_calls.empty()) {
            m_isDone = true;
            m_posted.notify_all();
            return;
        }
        const Json& message = m_calls.front().message; // stays until it is answered: others are put behind it
        const std::stop_token stop = m_calls.front().stop.get_token();
        const bool isDropped = m_readerGone || stop.stop_requested() || m_calls.front().isAnswered;
        lock.unlock();
        std::optional<Json> reply;
        if (!isDropped)
            reply = message.is_array() ? answerToBatch(message, stop) : answerTo(message, stop);
        lock.lock();
        // A client that cancelled expects none. It is sent before the call goes: the program may end then.
        if (reply && !m_calls.front().isAnswered && !stop.stop_requested())
            sendHeld(*reply);
        m_calls.pop_front();
    }
}

void McpServer::watch(const std::stop_token& ends)
{
    std::mutex own;
    std::condition_variable_any never;
    std::unique_lock lock(own);
    constexpr std::chrono::milliseconds interval{500};
    for (auto begin = Clock::now();
         !never.wait_for(lock, ends, interval, [&] { return ends.stop_requested(); }); begin = Clock::now()) {
        if (Clock::now() - begin < 4 * interval) // else the program was suspended, and waits for nothing
            answerSilence();
    }
}

void McpServer::answerSilence()
{
    const SlowestFile slowest = slowestFile();
    if (!slowest.isSilent())
        return;
    const Message message("mcp.disk_silent",
        "The disk has not answered for {seconds} s: {path}. Send the request again when it answers.",
        {{"seconds", Ordinal{slowest.seconds()}}, {"path", Name{slowest.path}}});
    const std::scoped_lock lock(m_mutex);
    for (Call& call : m_calls) {
        if (call.isAnswered || call.stop.stop_requested())
            continue;
        call.isAnswered = true;
        call.stop.request_stop();
        if (const Json reply = failedReplyTo(call.message, message); !reply.empty())
            sendHeld(reply);
    }
}

std::optional<Json> McpServer::answerToBatch(const Json& messages, const std::stop_token& stop)
{
    Json replies = Json::array();
    for (const Json& message : messages) {
        if (const std::string problem = problemOf(message); !problem.empty() && !isAnswer(message))
            replies.push_back(
                errorFor(idOf(message), InvalidRequest, "This is not a request: " + problem + "."));
        else if (!isAnswer(message) && message.contains("id"))
            replies.push_back(answerTo(message, stop));
    }
    return replies.empty() ? std::nullopt : std::optional(std::move(replies));
}

Json McpServer::answerTo(const Json& request, const std::stop_token& stop)
{
    const Json& id = request["id"];
    const auto& method = request["method"].get_ref<const std::string&>();
    const Json params = paramsOf(request);
    if (method == "ping")
        return resultFor(id, Json::object());
    if (method == "initialize")
        return initialize(id, params);
    if (m_version.empty())
        return errorFor(id, InvalidRequest, "The first request must be \"initialize\".");
    if (method == "tools/list")
        return listTools(id, params);
    if (method == "tools/call")
        return callTool(id, params, stop);
    return errorFor(id, NoSuchMethod,
        fmt::format(
            "There is no method '{}'. There are initialize, ping, tools/list and tools/call.", method));
}

Json McpServer::initialize(const Json& id, const Json& params)
{
    const auto asked = params.find("protocolVersion");
    if (asked == params.end() || !asked->is_string())
        return errorFor(id, InvalidParams, "\"protocolVersion\" must be a text.");
    if (!m_version.empty())
        return errorFor(id, InvalidRequest, "The session is initialized already.");
    const auto* const known = std::ranges::find(protocolVersions, asked->get_ref<const std::string&>());
    m_version = known == protocolVersions.end() ? protocolVersions.front() : *known;
    return resultFor(id,
        {{"protocolVersion", m_version}, {"capabilities", {{"tools", Json::object()}}},
            {"serverInfo", {{"name", "warpline"}, {"title", "Warpline"}, {"version", programVersion()}}},
            {"instructions", instructions}});
}

Json McpServer::listTools(const Json& id, const Json& params)
{
    if (params.contains("cursor"))
        return errorFor(id, InvalidParams, "The list of tools has one page, and no cursor.");
    Json tools = Json::array();
    for (const Tool& tool : allTools()) {
        Json listed{{"name", tool.name}, {"title", tool.title}, {"description", tool.description},
            {"inputSchema", inputSchemaOf(tool)}};
        if (m_version >= firstWithSchemas)
            listed["outputSchema"] = Desk::outputSchemaOf(tool);
        listed["annotations"] = {{"readOnlyHint", true}, {"idempotentHint", true}, {"openWorldHint", false}};
        tools.push_back(std::move(listed));
    }
    return resultFor(id, {{"tools", std::move(tools)}});
}

Json McpServer::callTool(const Json& id, const Json& params, const std::stop_token& stop)
{
    const auto name = params.find("name");
    if (name == params.end() || !name->is_string())
        return errorFor(id, InvalidParams, "\"name\" must be the name of a tool.");
    const auto& asked = name->get_ref<const std::string&>();
    const Tool* const tool = findTool(asked);
    if (!tool)
        return errorFor(id, InvalidParams,
            fmt::format("There is no tool '{}'{}.", asked,
                plain(didYouMean(asked, entryNames(allTools(), &Tool::name)))));
    const ToolAnswer answer
        = m_desk.call(*tool, params.contains("arguments") ? params["arguments"] : Json::object(), stop);
    Json result{{"content", contentOf(answer)}, {"isError", answer.isError}};
    if (!answer.isError && m_version >= firstWithSchemas)
        result["structuredContent"] = answer.document;
    return resultFor(id, std::move(result));
}

} // namespace warpline::cli
