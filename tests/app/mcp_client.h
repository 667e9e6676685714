#pragma once

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTest>

namespace warpline::test {

/// A client of warpline-cli mcp: starts it, sends messages, and reads answers. Every line of the server must
/// be a JSON-RPC message; other lines go to strayOutput().
class McpClient {
public:
    explicit McpClient(const QStringList& environment = {}, const QStringList& options = {})
    {
        if (!environment.isEmpty())
            m_process.setEnvironment(environment);
        m_process.start(QStringLiteral(WARPLINE_CLI), QStringList{"mcp"} + options);
        m_process.waitForStarted();
    }
    ~McpClient()
    {
        if (m_process.state() != QProcess::NotRunning)
            end();
    }

    /// The answer to `initialize`.
    QJsonObject initialize(const QString& version = "2025-06-18")
    {
        const QJsonObject answer = request("initialize",
            {{"protocolVersion", version}, {"capabilities", QJsonObject()},
                {"clientInfo", QJsonObject{{"name", "test"}, {"version", "1"}}}});
        sendObject({{"jsonrpc", "2.0"}, {"method", "notifications/initialized"}});
        return answer;
    }

    void sendLine(const QByteArray& line) { m_process.write(line + '\n'); }
    void sendObject(const QJsonObject& message)
    {
        sendLine(QJsonDocument(message).toJson(QJsonDocument::Compact));
    }
    /// Sends a request and returns its id.
    int send(const QString& method, const QJsonObject& params = {})
    {
        sendObject({{"jsonrpc", "2.0"}, {"id", ++m_id}, {"method", method}, {"params", params}});
        return m_id;
    }
    /// The next message; an empty object: none came in time.
    QJsonObject next()
    {
        constexpr int patienceMs = 60'000;
        while (!m_process.canReadLine()) {
            if (!m_process.waitForReadyRead(patienceMs))
                return {};
        }
        const QByteArray line = m_process.readLine();
        const QJsonDocument document = QJsonDocument::fromJson(line);
        if (document.isArray())
            return {{"batch", document.array()}};
        if (document.object()["jsonrpc"].toString() != "2.0")
            m_stray += line;
        return document.object();
    }
    QJsonObject request(const QString& method, const QJsonObject& params = {})
    {
        const int id = send(method, params);
        QJsonObject answer = next();
        return answer["id"].toInt() == id ? answer : QJsonObject();
    }
    /// The result of a call of a tool.
    QJsonObject call(const QString& tool, const QJsonObject& arguments)
    {
        return request("tools/call", {{"name", tool}, {"arguments", arguments}})["result"].toObject();
    }
    /// The tool's result; an empty object: there is none.
    QJsonObject ask(const QString& tool, const QJsonObject& arguments)
    {
        return call(tool, arguments)["structuredContent"].toObject();
    }
    /// The tool's error.
    QString problem(const QString& tool, const QJsonObject& arguments)
    {
        const QJsonObject result = call(tool, arguments);
        return result["isError"].toBool() ? result["content"][0]["text"].toString() : QString();
    }
    /// Opens reports; the names that they have now.
    QStringList open(const QStringList& paths)
    {
        QStringList names;
        for (const QJsonValue& report :
            ask("open_reports", {{"paths", QJsonArray::fromStringList(paths)}})["reports"].toArray())
            names << report["report"].toString();
        return names;
    }
    /// Ends the server; its exit code, -1: it crashed or did not end.
    int end()
    {
        m_process.closeWriteChannel();
        const bool ended = m_process.waitForFinished();
        while (m_process.canReadLine())
            next();
        return ended && m_process.exitStatus() == QProcess::NormalExit ? m_process.exitCode() : -1;
    }
    QByteArray strayOutput() const { return m_stray; }

private:
    QProcess m_process;
    int m_id = 0;
    QByteArray m_stray;
};

} // namespace warpline::test
