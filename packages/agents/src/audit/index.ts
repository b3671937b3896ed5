/** Audits of environments: reward hacks, answers in the prompt, seeds without a solution. */
export { type AuditOptions, type AuditReport, auditEnv, type ProbeScore } from './audit.js';
export type { FoundReward } from './reward-search.js';
export type { AuditCode, AuditFinding } from './verdicts.js';
