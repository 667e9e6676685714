"""Sessions with warpline-cli mcp: every tool that it lists, with arguments made from the tool's own schema."""

import json
import subprocess

import commands

START = [{"jsonrpc": "2.0", "id": 1, "method": "initialize",
          "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "fuzz", "version": "1"}}},
         {"jsonrpc": "2.0", "method": "notifications/initialized"}]
LINES = ["", "{", "[]", "null", "{}", '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":{},"method":5}', "[" * 3000, '{"jsonrpc":"2.0","id":9,"method":"tools/call"}',
         '{"jsonrpc":"2.0","id":9,"method":"tools/call","params":[]}', '{"jsonrpc":"2.0","id":1e400,"method":"ping"}', '"\\ud800"', "\x00"]
TEXTS = ["r1", "r2", "kernel", "gemm", "*", "1"] + commands.FILTERS + commands.RANGES + commands.SQL + commands.HOSTILE


def as_text(messages):
    return "\n".join(each if isinstance(each, str) else json.dumps(each) for each in messages) + "\n"


def tools_of(program):
    done = subprocess.run([program, "mcp"], input=as_text([*START, {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}]),
                          capture_output=True, text=True, timeout=120, check=False)
    return json.loads(done.stdout.splitlines()[-1])["result"]["tools"]


def value_of(schema, rng):
    if "enum" in schema:
        return rng.choice(schema["enum"])
    kind = schema.get("type")
    if rng.random() < 0.05:
        kind = rng.choice(["string", "integer", "array", "object", "boolean", "null"])
    if kind == "integer":
        return rng.choice([0, 1, 5, 500, -1, 2**53, 2**63 - 1, -(2**63), 2**64])
    if kind == "number":
        return rng.choice([0, 0.5, 1e308, -1, 1e6])
    if kind == "boolean":
        return rng.random() < 0.5
    if kind == "array":
        return [value_of(schema.get("items", {"type": "string"}), rng) for _ in range(rng.choice([0, 1, 2]))]
    if kind == "object":
        return {key: value_of(inside, rng) for key, inside in schema.get("properties", {}).items() if rng.random() < 0.5}
    if kind == "null":
        return None
    return rng.choice(TEXTS)


def session(tools, rng, mutant):
    """Opens the mutant, calls some tools over it, with a broken line among the calls at times."""
    messages = [*START, {"jsonrpc": "2.0", "id": 2, "method": "tools/call",
                         "params": {"name": "open_reports", "arguments": {"paths": [mutant] * rng.choice([1, 2])}}}]
    for i in range(rng.choice([2, 5, 8])):
        tool = rng.choice(tools)
        properties = tool["inputSchema"].get("properties", {})
        required = tool["inputSchema"].get("required", [])
        arguments = {key: value_of(schema, rng) for key, schema in properties.items() if key in required or rng.random() < 0.3}
        for key in ("report", "a", "b"):
            if key in arguments and rng.random() < 0.9:
                arguments[key] = "r1"
        messages.append({"jsonrpc": "2.0", "id": 3 + i, "method": "tools/call", "params": {"name": tool["name"], "arguments": arguments}})
        if rng.random() < 0.1:
            messages.append(rng.choice(LINES))
    return as_text(messages)
