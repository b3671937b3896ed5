"""The official MCP client for Python, over HTTP and over standard input and output; prints one line of JSON."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


def facts(reset, act):
    return {
        "kinds": [part.type for part in reset.content],
        "seed": reset.structured_content["seed"],
        "reward": act.structured_content["reward"],
        "step": act.structured_content["step"],
    }


async def http(url):
    from mcp import Client

    async with Client(url) as client:
        reset = await client.call_tool("reset", {"seed": 7})
        episode = reset.structured_content["episode"]
        act = await client.call_tool("act", {"episode": episode, "action": "("})
        return facts(reset, act)


async def stdio(command, arguments):
    parameters = StdioServerParameters(command=command, args=arguments)
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        reset = await session.call_tool("reset", {"seed": 7})
        act = await session.call_tool("act", {"action": "("})
        return facts(reset, act)


if sys.argv[1] == "http":
    print(json.dumps(asyncio.run(http(sys.argv[2]))))
else:
    print(json.dumps(asyncio.run(stdio(sys.argv[2], sys.argv[3:]))))
