"""The official MCP client for Python, over HTTP and over standard input and output; prints one line of JSON."""

import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def play(client, actions, handle):
    """What the results of a reset with seed 7 and of these actions hold."""
    results = [await client.call_tool("reset", {"seed": 7})]
    episode = {"episode": results[0].structured_content["episode"]} if handle else {}
    for action in actions:
        results.append(await client.call_tool("act", {**episode, "action": action}))
    return [
        {
            "kinds": [part.type for part in result.content],
            "picture": next(part.data for part in result.content if part.type == "image"),
            "reward": result.structured_content["reward"],
        }
        for result in results
    ]


async def http(actions, url):
    from mcp import Client

    async with Client(url) as client:
        return await play(client, actions, handle=True)


async def stdio(actions, command, *arguments):
    parameters = StdioServerParameters(command=command, args=list(arguments))
    async with stdio_client(parameters) as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        return await play(session, actions, handle=False)


way, actions, *rest = sys.argv[1:]
print(json.dumps(asyncio.run({"http": http, "stdio": stdio}[way](json.loads(actions), *rest))))
