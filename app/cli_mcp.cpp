// warpline-cli mcp: the Model Context Protocol on standard input and output, for programs that let a model
// ask.

#include "app/cli_command.h"
#include "app/cli_report.h"
#include "app/mcp/server.h"
#include "core/base/platform/platform.h"
#include "core/render/render.h"

#include <CLI/CLI.hpp>

#include <cstdio>

namespace warpline::cli {

namespace {

enum class LineEnd { Line, TooLong, Input };

/// Reads up to the next newline. Discards a line that is too long.
LineEnd readLine(std::string& line)
{
    line.clear();
    bool isTooLong = false;
    for (int c = 0; (c = std::getc(stdin)) != EOF;) {
        if (c == '\n')
            return isTooLong ? LineEnd::TooLong : LineEnd::Line;
        if (line.size() == longestMcpMessage)
            isTooLong = true;
        else
            line += static_cast<char>(c);
    }
    if (isTooLong)
        return LineEnd::TooLong;
    return line.empty() ? LineEnd::Input : LineEnd::Line;
}

bool isBlank(std::string_view line)
{
    return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

ExitCode runMcp()
{
    if (platform::isTerminal(platform::standardOutput))
        complain(plain(Message("cli.mcp_terminal",
            "this is a Model Context Protocol server, to be started by a client: see 'man warpline-cli'. Ctrl+D stops it")));
    McpServer server;
    std::string line;
    while (server.isRead()) {
        const LineEnd end = readLine(line);
        if (end == LineEnd::Input)
            break;
        if (end == LineEnd::TooLong)
            server.refuseLong();
        else if (!isBlank(line))
            server.receive(line);
    }
    return ExitCode::Ok;
}

std::function<ExitCode(Answer&)> declareMcp(CLI::App& app)
{
    app.footer(plain(Message("cli.mcp_footer",
        "A client starts it and sends JSON-RPC 2.0 requests, one per line. It reads only reports that the client opens, and writes nothing except exports of recordings, into the cache folder.")));
    return [](Answer&) { return runMcp(); };
}

} // namespace

extern constinit const Command mcpCommand{.name = "mcp",
    .summary = "Serve the Model Context Protocol on standard input and output, for agents",
    .formats = {},
    .declare = declareMcp,
    .writesFiles = true};

} // namespace warpline::cli
