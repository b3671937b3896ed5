"""What TRL finds in an environment: tools with documentation, a reset that returns pictures, a reward.

With trl installed: `GRPOTrainer(environment_factory=vlgym.trl.environment("vlgym/Blackjack-v1"), …)`.
"""

import inspect

import vlgym.trl

Blackjack = vlgym.trl.environment("vlgym/Blackjack-v1")
env = Blackjack()
tools = [name for name, _ in inspect.getmembers(type(env), inspect.isfunction) if not name.startswith("_")]
print("tools:", [name for name in tools if name not in ("reset", "get_reward")])
print("prompt:", [part["type"] for part in env.reset(seed=7)])
env.stand()
print("reward:", env.get_reward())
