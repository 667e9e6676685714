#pragma once

#include "app/mcp/captured_command.h"
#include "app/mcp/desk.h"
#include "core/export/json_text.h"

#include <nlohmann/json.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

namespace warpline::cli {

/// The Model Context Protocol (https://modelcontextprotocol.io/specification) between a client and a Desk:
/// JSON-RPC 2.0, one message per line. The thread that calls receive() answers at once what needs no report;
/// other tool calls run on one thread of their own, so that they can be cancelled.
class McpServer {
public:
    McpServer();
    /// Answers what waits, then ends. Where the worker waits for a disk that does not answer, the program
    /// ends.
    ~McpServer();
    McpServer(const McpServer&) = delete;
    McpServer& operator=(const McpServer&) = delete;

    /// Takes one message. Messages that are no JSON, or no request, are answered with an error.
    void receive(std::string_view line);
    /// Answers a message that is too long to be read.
    void refuseLong();
    /// False when the reader is gone.
    bool isRead() const;

private:
    struct Call {
        Json id;
        Json message; ///< a request, or an array of them
        std::stop_source stop;
        bool isAnswered = false; ///< that the disk is silent: before its turn, or before its end
    };

    void take(Json message);
    void takeNotification(const Json& message);
    void post(Json id, Json message);
    void cancel(const Json& id);
    bool isWaiting(const Json& id); ///< for its answer
    bool isReady(const Json& request) const; ///< it calls a tool that needs no report, see Tool::isReady
    void work(const std::stop_token& ends);
    void watch(const std::stop_token& ends); ///< answers what would wait for a silent disk
    void answerSilence();
    std::optional<Json> answerToBatch(const Json& messages, const std::stop_token& stop);
    Json answerTo(const Json& request, const std::stop_token& stop);
    Json initialize(const Json& id, const Json& params);
    Json listTools(const Json& id, const Json& params);
    Json callTool(const Json& id, const Json& params, const std::stop_token& stop);
    void send(const Json& message);
    void sendHeld(const Json& message); ///< the same with m_mutex held

    ProtocolOutput m_output;
    Desk m_desk;
    std::string m_version; ///< of the protocol; empty: not initialized
    mutable std::mutex m_mutex; ///< guards the members below
    std::condition_variable_any m_posted;
    std::deque<Call> m_calls; ///< the first runs
    bool m_ending = false;
    bool m_readerGone = false;
    bool m_isDone = false; ///< the worker has ended
    std::jthread m_worker; ///< last: it and the next use the others
    std::jthread m_watch;
};

/// The longest message in bytes.
inline constexpr std::size_t longestMcpMessage = 4U << 20U;

} // namespace warpline::cli
