/**
 * The transactions of a run, as Lua: Redis runs each as a whole or not at all.
 *
 * Keys are given as arguments, so that the scripts work in a cluster, where one node holds all keys of a run.
 */

/**
 * KEYS: ledger, out, counters. ARGV: order, record.
 * 1: first; also where this very record was committed and the answer was lost. 0: another delivery was first.
 */
export const COMMIT = `
if redis.call('HSETNX', KEYS[1], ARGV[1], ARGV[2]) == 1 then
  redis.call('XADD', KEYS[2], '*', 'record', ARGV[2])
  return 1
end
if redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2] then return 1 end
redis.call('HINCRBY', KEYS[3], 'duplicates', 1)
return 0`;

/**
 * KEYS: leader, out, ledger. ARGV: token, group, then pairs of entry and order.
 * Entries leave the stream and records shrink to a mark: memory does not grow with the length of the run. -1: another
 * process leads.
 */
export const ACKNOWLEDGE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
for i = 3, #ARGV, 2 do
  redis.call('XACK', KEYS[2], ARGV[2], ARGV[i])
  redis.call('XDEL', KEYS[2], ARGV[i])
  redis.call('HSET', KEYS[3], ARGV[i + 1], '1')
end
return 1`;

/**
 * KEYS: leader, out, ledger. ARGV: token, group, then pairs of entry and the order that it claims, or ''.
 * Entries leave the stream; an order counts no more where what committed it is this very entry. -1: another process leads.
 */
export const REFUSE = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
for i = 3, #ARGV, 2 do
  local entry = redis.call('XRANGE', KEYS[2], ARGV[i], ARGV[i])[1]
  if entry and ARGV[i + 1] ~= '' and redis.call('HGET', KEYS[3], ARGV[i + 1]) == entry[2][2] then
    redis.call('HDEL', KEYS[3], ARGV[i + 1])
  end
  redis.call('XACK', KEYS[2], ARGV[2], ARGV[i])
  redis.call('XDEL', KEYS[2], ARGV[i])
end
return 1`;

/**
 * KEYS: leader, out, ledger. ARGV: token, group, then pairs of order and what the ledger holds of it.
 * Records whose entries left the stream without having been acknowledged come again. -1: another process leads.
 */
export const REDELIVER = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
for i = 3, #ARGV, 2 do
  if redis.call('HGET', KEYS[3], ARGV[i]) == ARGV[i + 1] then
    redis.call('XADD', KEYS[2], '*', 'record', ARGV[i + 1])
  end
end
return 1`;

/**
 * KEYS: leader, out, ledger. ARGV: token, group, then pairs of order and what the ledger holds of it.
 * A text that is not a record of the order counts no more. -1: another process leads.
 */
export const UNCOUNT = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
for i = 3, #ARGV, 2 do
  if redis.call('HGET', KEYS[3], ARGV[i]) == ARGV[i + 1] then redis.call('HDEL', KEYS[3], ARGV[i]) end
end
return 1`;

/**
 * KEYS: leader, out, ledger. ARGV: token, group, then orders.
 * An acknowledged order counts no more; one whose record waits in the stream does. -1: another process leads.
 */
export const FORGET = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return -1 end
for i = 3, #ARGV do
  if redis.call('HGET', KEYS[3], ARGV[i]) == '1' then redis.call('HDEL', KEYS[3], ARGV[i]) end
end
return 1`;

/**
 * KEYS: leader. ARGV: token, milliseconds.
 * 1: renewed. 2: no process led, as after a broker lost its data; lease taken again. 0: another process leads.
 */
export const RENEW = `
local holder = redis.call('GET', KEYS[1])
if holder == ARGV[1] then redis.call('PEXPIRE', KEYS[1], ARGV[2]) return 1 end
if not holder then redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2]) return 2 end
return 0`;
