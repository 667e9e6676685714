#include "app/mcp/captured_command.h"

#include "app/cli_stop.h"
#include "core/base/platform/platform.h"

#include <cstdio>

namespace warpline::cli {

namespace {

/// Captures the output to the descriptor `place` while it lives.
class Catch {
public:
    explicit Catch(int place)
        : m_place(place),
          m_before(platform::duplicateFile(place)),
          m_caught(platform::createNamelessFile())
    {
        if (m_caught != platform::noFile)
            platform::putInPlace(m_caught, m_place);
    }
    ~Catch()
    {
        platform::putInPlace(m_before, m_place);
        for (const int file : {m_before, m_caught}) {
            if (file != platform::noFile)
                platform::closeFile(file);
        }
    }
    Catch(const Catch&) = delete;
    Catch& operator=(const Catch&) = delete;

    bool works() const { return m_before != platform::noFile && m_caught != platform::noFile; }
    std::string text() const { return platform::contentOf(m_caught); }

private:
    int m_place;
    int m_before;
    int m_caught;
};

std::string withoutName(std::string text)
{
    constexpr std::string_view name = "warpline-cli: ";
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at)) {
        at += text[at] == '\n' ? 1 : 0;
        if (std::string_view(text).substr(at).starts_with(name))
            text.erase(at, name.size());
    }
    while (text.ends_with('\n'))
        text.pop_back();
    return text;
}

} // namespace

ProtocolOutput::ProtocolOutput()
    : m_protocol(platform::duplicateFile(platform::standardOutput))
{
    platform::putInPlace(platform::standardError, platform::standardOutput);
}

ProtocolOutput::~ProtocolOutput()
{
    platform::putInPlace(m_protocol, platform::standardOutput);
    platform::closeFile(m_protocol);
}

bool ProtocolOutput::send(std::string_view line) const
{
    std::string whole(line);
    whole += '\n';
    return platform::writeAll(m_protocol, whole);
}

CapturedRun ProtocolOutput::run(const std::vector<std::string>& arguments, const std::stop_token& stop) const
{
    const StopScope scope(stop);
    CapturedRun run;
    const Catch output(platform::standardOutput);
    const Catch errors(platform::standardError);
    if (!output.works() || !errors.works())
        return {ExitCode::WriteFailed, {}, "No temporary file can be created for the answer."};
    run.code = runGuarded(arguments);
    std::fflush(stdout);
    run.output = output.text();
    run.complaints = withoutName(errors.text());
    return run;
}

} // namespace warpline::cli
