/**
 * A reporter for Vitest: what the matchers measured, the steps of failed episodes, and how to watch them. In GitHub Actions
 * it also writes a summary of the job.
 *
 * @example
 * // vitest.config.ts
 * export default defineConfig({ test: { reporters: ['default', '@vlgym/vitest/reporter'] } });
 */
import { appendFile } from 'node:fs/promises';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { NamedCheck, StaleCassette } from './check.js';
import { summaryMarkdown } from './report/summary.js';
import { reportText } from './report/terminal.js';

export default class AgentReporter implements Reporter {
  #checks: NamedCheck[] = [];
  #stale: StaleCassette[] = [];

  onTestRunStart(): void {
    this.#checks = [];
    this.#stale = [];
  }

  onTestCaseResult(testCase: TestCase): void {
    for (const check of testCase.meta().vlgym ?? []) this.#checks.push({ test: testCase.fullName, check });
  }

  onTestModuleEnd(testModule: TestModule): void {
    this.#stale.push(...(testModule.meta().vlgymStale ?? []));
  }

  async onTestRunEnd(): Promise<void> {
    if (this.#checks.length + this.#stale.length === 0) return;
    process.stdout.write(`${reportText(this.#checks, this.#stale)}\n`);
    const file = process.env.GITHUB_STEP_SUMMARY;
    if (file) await appendFile(file, summaryMarkdown(this.#checks, this.#stale));
  }
}
