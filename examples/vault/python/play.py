"""Looks for the key at random in Gymnasium, from the folder where the npm package is installed."""

import gymnasium
import vlgym

print(vlgym.register_from("@vlgym/example-vault"))
env = gymnasium.make("example/Vault-v0")
observation, info = env.reset(seed=7)
env.action_space.seed(7)
steps = 0
terminated = truncated = False
while not (terminated or truncated) and not info["hasKey"]:
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    steps += 1
print(observation.shape, f"{steps} steps,", "with the key" if info["hasKey"] else "without the key")
env.close()
