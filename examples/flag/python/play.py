"""Looks for the flag at random in Gymnasium, from the folder where the npm package is installed."""

import gymnasium
import vlgym

print(vlgym.register_from("@vlgym/example-flag"))
env = gymnasium.make("example/Flag-v0")
observation, info = env.reset(seed=7)
env.action_space.seed(7)
total = 0.0
for _ in range(100):
    observation, reward, terminated, truncated, info = env.step(env.action_space.sample())
    total += reward
    if terminated or truncated:
        break
print(observation.shape, f"return {total:.1f}")
env.close()
