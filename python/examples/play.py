"""A card game from Python, and a vector of 8: one Node process, one round trip per step."""

import gymnasium

import vlgym  # noqa: F401  registers the ids

env = gymnasium.make("vlgym/Points24-v1")
observation, info = env.reset(seed=7)
print("cards of seed 7:", *info["Cards"])
env.close()

envs = gymnasium.make_vec("vlgym/Points24-v1", num_envs=8)
observations, infos = envs.reset(seed=7)
envs.action_space.seed(7)
total = 0.0
for _ in range(20):
    observations, rewards, terminated, truncated, infos = envs.step(envs.action_space.sample())
    total += rewards.sum()
envs.close()
print(observations.shape, f"return of random play: {total:g}")
