/** `npm run check`: sets up, builds, and runs every check but the tests. */
import { runChecks } from './checks.mjs';
import { setup } from './setup.mjs';

try {
  await setup({ torch: false, chromium: false });
} catch (error) {
  process.stderr.write(`set-up stopped: ${error.message}\n`);
  process.exit(1);
}
const { passed, failed } = await runChecks();
process.stdout.write(`\n${passed} checks passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);
