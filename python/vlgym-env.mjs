/** The program that the Python package starts: the environments of vlgym, bundled by scripts/python-package.mjs. */
import { runEnvServer } from '@vlgym/gymnasium/env-server';

await runEnvServer({
  '@vlgym/points24': () => import('@vlgym/points24'),
  '@vlgym/minigrid': () => import('@vlgym/minigrid'),
  '@vlgym/miniworld': () => import('@vlgym/miniworld'),
  '@vlgym/puzzles': () => import('@vlgym/puzzles'),
  '@vlgym/crafter': () => import('@vlgym/crafter'),
  '@vlgym/canary': () => import('@vlgym/canary'),
  '@vlgym/arcade': () => import('@vlgym/arcade'),
  '@vlgym/miniwob': () => import('@vlgym/miniwob'),
  '@vlgym/alfworld': () => import('@vlgym/alfworld'),
  '@vlgym/webshop': () => import('@vlgym/webshop'),
});
