"""The published OpenEnv client against servers of ours.

Reads lines of JSON, a command with its arguments, and answers each with a line: the library takes seconds to import.
"""

import asyncio
import json
import os
import sys

from openenv import GenericEnvClient
from openenv.cli._validation import validate_running_environment


async def play(url, replies):
    async with GenericEnvClient(base_url=url) as env:
        first = await env.reset(seed=7)
        steps = []
        for reply in replies:
            result = await env.step(reply)
            steps.append([result.reward, result.done, result.observation["metadata"].get("legal")])
            if result.done:
                break
        state = await env.state()
        return {
            "images": len(first.observation["images"]),
            "reward": first.reward,
            "done": first.done,
            "steps": steps,
            "step_count": state["step_count"],
            "seed": state["seed"],
        }


async def drive(urls):
    """A reset and a step in each environment; what came back and what the server counts."""
    facts = {}
    for url in urls:
        async with GenericEnvClient(base_url=url) as env:
            first = await env.reset(seed=7)
            await env.step({"text": "look"})
            state = await env.state()
            facts[url.rpartition("/")[2]] = [first.reward, first.done, state["seed"], state["step_count"]]
    return facts


async def capacity(url):
    """Two clients fill a server of two; the third is refused; after one left, the next is served."""
    one, two, three = (GenericEnvClient(base_url=url) for _ in range(3))
    await one.__aenter__()
    await two.__aenter__()
    await one.reset(seed=1)
    await two.reset(seed=2)
    try:
        await three.__aenter__()
        await three.reset(seed=3)
        refused = "served"
    except RuntimeError as error:
        refused = str(error)
    await one.close()
    async with GenericEnvClient(base_url=url) as four:
        served = (await four.reset(seed=4)).done is False
    await two.close()
    return {"refused": refused, "served": served}


async def tools(url):
    from openenv.core.mcp_client import MCPToolClient

    async with MCPToolClient(base_url=url) as env:
        await env.reset(seed=7)
        names = [tool.name for tool in await env.list_tools()]
        result = await env.call_tool("act", action=json.dumps({"thoughts": "", "action": "("}))
        state = await env.state()
        return {"names": names, "legal": result["legal"], "reward": result["reward"], "steps": state.step_count}


async def hold(url):
    env = GenericEnvClient(base_url=url)
    await env.__aenter__()
    await env.reset(seed=1)
    print(json.dumps(os.getpid()), flush=True)
    await asyncio.sleep(600)


async def validate(url):
    return (await asyncio.to_thread(validate_running_environment, url))["summary"]


COMMANDS = {"play": play, "drive": drive, "capacity": capacity, "tools": tools, "validate": validate}
for line in sys.stdin:
    command, *args = json.loads(line)
    if command == "hold":  # a process of its own, which can be killed
        if os.fork() == 0:
            asyncio.run(hold(*args))
            os._exit(0)
    else:
        print(json.dumps(asyncio.run(COMMANDS[command](*args))), flush=True)
