import { ArcadeEnv } from '@vlgym/arcade';

const env = new ArcadeEnv({
  name: 'runner',
  html: `<canvas width="96" height="48"></canvas><script>
    const pen = document.querySelector('canvas').getContext('2d');
    const game = { runner: 0, wall: 96, score: 0 };
    addEventListener('keydown', ({ key }) => { if (key === ' ' && game.runner === 0) game.runner = 30; });
    requestAnimationFrame(function frame() {
      game.runner = Math.max(0, game.runner - 1);
      game.wall -= 2;
      if (game.wall < -8) { game.score += 1; game.wall = 96 + 40 * Math.random(); }
      pen.clearRect(0, 0, 96, 48);
      pen.fillStyle = 'orange';
      pen.fillRect(8, 36 - (game.runner > 0 ? 20 : 0), 8, 12);
      pen.fillRect(game.wall, 38, 8, 10);
      requestAnimationFrame(frame);
    });
  </script>`,
  ...{ width: 96, height: 48, score: '() => game.score' },
  over: '() => game.runner === 0 && game.wall < 16 && game.wall > 0',
  actions: { run: {}, jump: { keys: [' '] } },
  guide: { goal: 'Jump over the walls.', rules: 'A jump lasts half a second.', score: 'Each wall gains 1.' },
});

const { observation, info } = await env.reset({ seed: 7 });
console.log(observation.width, observation.height, info.taskKey);
for (let step = 0, over = false; !over && step < 40; step += 1) {
  const { info, terminated } = await env.step(step % 3 === 0 ? 1 : 0);
  over = terminated;
  if (over || step === 39) console.log(`${info.score} walls in ${(info.time / 1000).toFixed(1)} seconds`);
}
await env.close();
