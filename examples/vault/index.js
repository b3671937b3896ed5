/**
 * Vault: fetch the key, open the door, reach the box behind it. A world of @vlgym/miniworld with a door and a key.
 */
import * as core from '@vlgym/core';
import { Ball, Box, Door, defineTask, Key, MiniWorldEnv, NOTHING, successReward } from '@vlgym/miniworld';

const LIMIT = 300;

const vault = defineTask({
  name: 'Vault',
  maxEpisodeSteps: LIMIT,
  actions: 7, // up to "toggle", which opens the door
  phrase: 'fetch the yellow key, open the yellow door with it, and go to the red box in the vault',
  build(world) {
    const hall = world.addRoom({ minX: 0, maxX: 7, minZ: 0, maxZ: 6, wallTexture: 'brick_wall' });
    const chamber = world.addRoom({ minX: 7.2, maxX: 11, minZ: 1, maxZ: 5, floorTexture: 'wood' });
    world.connectRooms(hall, chamber, { minZ: 2.4, maxZ: 3.6, maxY: 2 });
    const key = new Key('yellow');
    const door = new Door({ color: 'yellow', width: 1.2, key });
    world.placeEntity(door, { position: [7.1, 0, 3], direction: 0 });
    const treasure = world.placeEntity(new Box('red', 0.6), { room: chamber, minX: 9.5 });
    world.placeEntity(key, { room: hall, maxX: 5, direction: 0 });
    world.placeEntity(new Ball('blue'), { room: hall, maxX: 5 });
    world.placeAgent({ room: hall, maxX: 5 });
    return {
      afterStep() {
        return world.near(treasure) ? { reward: successReward(world, LIMIT), terminated: true } : NOTHING;
      },
      info: () => ({ doorOpen: door.isOpen, hasKey: world.agent.carrying === key }),
      goal: () => (door.isOpen ? { kind: 'touch', entity: treasure } : { kind: 'open', entity: door }),
    };
  },
});

core.register({
  id: 'example/Vault-v0',
  module: '@vlgym/example-vault',
  entryPoint: (options) => new MiniWorldEnv(vault, options),
  title: 'A vault with a key',
  shortNames: ['vault'],
  surface: 'page',
  guide: {
    goal: 'Fetch the yellow key, open the yellow door with it, and go to the red box behind it.',
    rules:
      'Turn and walk with the arrow keys. Pick up the key in front of you with p, put it down with d, open the door with t.',
    score: 'The box gives 1, less for each step. Nothing else counts.',
  },
  splits: core.CONTENT_SPLITS,
  training: {
    options: { obsWidth: 56, obsHeight: 56, dialogue: 'compact-v1' },
    updates: 8,
    stepsPerUpdate: 512,
    numEnvs: 16,
    evaluateEvery: 4,
    evaluationTemperature: 0.2,
    warmStart: { teacher: 'oracle', mistakes: 0.5, examples: 12_800, learningRate: 2e-3, batch: 64 },
    maxNewTokens: 24,
    rewardScale: 1,
  },
});
