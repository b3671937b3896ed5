import { Box, defineMesh, defineTask, MeshEntity, MiniWorldEnv, NOTHING } from '@vlgym/miniworld';

// A lamp from two parts. The extents are its largest x, its height and its largest z.
defineMesh(
  'lamp',
  [0.2, 1.2, 0.2],
  [
    { shape: 'cylinder', scale: [0.05, 0.5, 0.05], at: [0, 0.5, 0], color: [0.3, 0.3, 0.3] },
    { shape: 'sphere', scale: [0.2, 0.2, 0.2], at: [0, 1, 0], color: [1, 0.9, 0.5] },
  ],
);

const lampRoom = defineTask({
  name: 'LampRoom',
  maxEpisodeSteps: 200,
  phrase: 'go to the lamp in the other room without touching the blue box',
  build(world) {
    const hall = world.addRoom({ minX: 0, maxX: 6, minZ: 0, maxZ: 4, wallTexture: 'wood_planks' });
    const study = world.addRoom({ minX: 7, maxX: 11, minZ: 0, maxZ: 4, floorTexture: 'wood', noCeiling: true });
    world.connectRooms(hall, study, { minZ: 1, maxZ: 3, maxY: 2.2 });
    const lamp = world.placeEntity(new MeshEntity({ mesh: 'lamp', height: 1.2 }), { room: study });
    const box = world.placeEntity(new Box('blue', 0.5), { room: study });
    world.placeAgent({ room: hall });
    return {
      afterStep() {
        if (world.near(box)) return { reward: -1, terminated: true };
        return world.near(lamp) ? { reward: 1, terminated: true } : NOTHING;
      },
      goal: () => ({ kind: 'touch', entity: lamp, avoid: [box] }),
    };
  },
});

const env = new MiniWorldEnv(lampRoom, { obsWidth: 160, obsHeight: 120 });
env.reset({ seed: 3 });
let last = env.step(env.oracle()!);
while (!last.terminated && !last.truncated) last = env.step(env.oracle()!);
console.log(`reached the lamp after ${env.world.stepCount} steps, reward ${last.reward}`);
