"""A chat model behind an OpenAI-compatible address that always stands; it counts the pictures it was sent."""

import json
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PICTURES = 0


class Stub(BaseHTTPRequestHandler):
    def do_POST(self):
        global PICTURES
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        PICTURES += json.dumps(body).count("data:image/png;base64,")
        reply = json.dumps({"thoughts": "enough", "action": "stand"})
        message = {"role": "assistant", "content": reply}
        if body.get("stream"):
            self._stream(message)
            return
        self._answer(
            {
                "id": "stub",
                "object": "chat.completion",
                "created": 0,
                "model": body.get("model", "stub"),
                "choices": [{"index": 0, "finish_reason": "stop", "message": message}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
            }
        )

    def _stream(self, message):
        base = {"id": "stub", "object": "chat.completion.chunk", "created": 0, "model": "stub"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        chunks = [
            {**base, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
            {**base, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]},
            {**base, "choices": [], "usage": usage},
        ]
        lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks] + ["data: [DONE]\n\n"]
        data = "".join(lines).encode()
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_GET(self):
        self._answer({"pictures": PICTURES, "object": "list", "data": [{"id": "stub", "object": "model"}]})

    def _answer(self, value):
        data = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Stub)
print(server.server_address[1], flush=True)
server.serve_forever()
