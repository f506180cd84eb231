/** KEYS: the keys of the replies. ARGV: their lifetime in ms, then the replies. The first reply of a key stays. */
export const saveRepliesScript = `
for place = 1, #KEYS do redis.call('SET', KEYS[place], ARGV[place + 1], 'PX', ARGV[1], 'NX') end
return #KEYS
`;
