// A model server of OpenAI's chat wire: a conversation without a result of a tool is answered with a call of a tool, one with it by a
// text. The first one that holds the word "slow" is not answered at that point, so that somebody can be killed meanwhile.
import { createServer } from 'node:http';

const base = { id: 'chatcmpl-1', created: 1_700_000_000, model: 'mock' };
const usage = { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 };
const tool = JSON.parse(process.env.TOOL_CALL);
let calls = 0;
let isHeld = false;

function writeStream(message, reason) {
  const chunk = (delta, finishReason) => ({ ...base, choices: [{ index: 0, delta, finish_reason: finishReason }] });
  const delta = { role: 'assistant', ...message, tool_calls: message.tool_calls?.map((call, index) => ({ index, ...call })) };
  const events = [chunk(delta, null), chunk({}, reason), { ...base, choices: [], usage }];
  return `${events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('')}data: [DONE]\n\n`;
}

function writeWhole(message, reason) {
  const choices = [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: reason }];
  return JSON.stringify({ ...base, object: 'chat.completion', choices, usage });
}

const server = createServer(async (request, response) => {
  const pieces = [];
  for await (const piece of request) pieces.push(piece);
  const body = Buffer.concat(pieces).toString();
  const isStreamed = body.includes('"stream":true');
  const hasResult = body.includes('"role":"tool"');
  if (hasResult && !isHeld && body.includes('slow')) {
    isHeld = true;
    console.log(JSON.stringify({ at: 'held' }));
    return;
  }
  calls += 1;
  const message = hasResult
    ? { content: 'done' }
    : { content: null, tool_calls: [{ id: `call_${calls}`, type: 'function', function: tool }] };
  const write = isStreamed ? writeStream : writeWhole;
  response.writeHead(200, { 'content-type': isStreamed ? 'text/event-stream' : 'application/json' });
  response.end(write(message, hasResult ? 'stop' : 'tool_calls'));
});
server.listen(0, '127.0.0.1', () =>
  console.log(JSON.stringify({ at: 'begin', url: `http://127.0.0.1:${server.address().port}/v1` })),
);
