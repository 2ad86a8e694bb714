"""A receiver of webhooks and alerts for a container: it echoes challenges, and prints each as a JSON line."""

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer


class Receiver(BaseHTTPRequestHandler):
    """Serves one connection."""

    def do_POST(self) -> None:
        """Print a message, and answer it."""
        body = self.rfile.read(int(self.headers["content-length"])).decode()
        headers = {name.lower(): value for name, value in self.headers.items()}
        sys.stdout.write(json.dumps({"headers": headers, "body": body}) + "\n")
        sys.stdout.flush()
        data = json.loads(body).get("data", {})
        answer = data.get("challenge", "").encode() if set(data) == {"challenge"} else b""
        self.send_response(200)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)


HTTPServer(("", 8080), Receiver).serve_forever()
