"""Steps per CPU-second of ViZDoom without filtering or antialiasing, as JSON; run by bench/frames.ts.

The process of the engine is a child, so its time counts, too. Arguments: seconds, then sizes that ViZDoom has.
"""
import json
import os
import sys

import vizdoom

SECONDS, *SIZES = sys.argv[1:]
TICKS = os.sysconf("SC_CLK_TCK")


def cpu_of(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def children():
    me = os.getpid()
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat") as file:
                    if int(file.read().rsplit(")", 1)[1].split()[1]) == me:
                        yield int(name)
            except OSError:
                pass


for size in SIZES:
    game = vizdoom.DoomGame()
    game.load_config(os.path.join(vizdoom.scenarios_path, "my_way_home.cfg"))
    game.set_screen_resolution(getattr(vizdoom.ScreenResolution, f"RES_{size.upper()}"))
    game.set_screen_format(vizdoom.ScreenFormat.RGB24)
    game.set_window_visible(False)
    game.set_render_hud(False)
    game.set_mode(vizdoom.Mode.PLAYER)
    game.set_seed(0)
    game.init()
    buttons = len(game.get_available_buttons())
    engines = list(children())
    cpu = lambda: cpu_of(os.getpid()) + sum(cpu_of(pid) for pid in engines)  # noqa: E731
    steps, state, seen, start = 0, 12345, 0, None
    while True:
        state = (1103515245 * state + 12345) % 2**31
        game.make_action([1 if index == (state >> 16) % 3 else 0 for index in range(buttons)])
        if game.is_episode_finished():
            game.new_episode()
        seen += int(game.get_state().screen_buffer[0, 0, 0])
        steps += 1
        if start is None and steps == 200:  # warm
            steps, start = 0, cpu()
        if start is not None and steps % 200 == 0 and cpu() - start >= float(SECONDS):
            break
    print(json.dumps({"name": "ViZDoom", "size": size, "rate": steps / (cpu() - start)}), flush=True)
    game.close()
