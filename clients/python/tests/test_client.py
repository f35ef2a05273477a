"""The client against a running service: ERRAND_URL and ERRAND_API_KEY name it."""

from __future__ import annotations

import asyncio
import json
import os
import threading
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from errand import AsyncErrand, Errand, ErrandError, verify_webhook

URL = os.environ.get("ERRAND_URL", "http://localhost:7070")
KEY = os.environ.get("ERRAND_API_KEY", "")


class Receiver:
    """A server on this machine that notes requests and answers what it is told to, the last answer again and again."""

    def __init__(self, answers: list[tuple[int, dict[str, str], Any]]) -> None:
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.has_request = threading.Event()
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                receiver.requests.append((self.path, dict(self.headers.items()), body))
                receiver.has_request.set()
                status, headers, content = answers[min(len(receiver.requests), len(answers)) - 1]
                text = json.dumps(content).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(text)))
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def __enter__(self) -> Receiver:
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()


class Tasks(unittest.TestCase):
    def setUp(self) -> None:
        self.errand = Errand(URL, api_key=KEY)
        self.addCleanup(self.errand.close)

    def test_a_task_is_created_followed_and_answered(self) -> None:
        made = self.errand.task.create(message={"content": "ask Which color?"}, interactive_mode=True, metadata={"order": "7"})
        asked = self.errand.wait_for_task(made["task_id"])
        self.assertEqual((asked.status, asked.message), ("waiting", "Which color?"))
        self.errand.task.send_message(task_id=made["task_id"], message={"content": "blue"})
        self.assertEqual(self.errand.wait_for_task(made["task_id"]).status, "stopped")
        found = self.errand.task.list(metadata={"order": "7"}, limit=5)
        self.assertIn(made["task_id"], [task["id"] for task in found["data"]])

    def test_a_file_goes_in_and_another_comes_out(self) -> None:
        file = self.errand.upload_file("numbers.csv", b"a,b\n1,2\n")["file"]
        message: Any = {"content": [{"type": "file", "file_id": file["id"]}, {"type": "text", "text": "read attachments/numbers.csv\nwrite b.md with B"}]}
        outcome = self.errand.wait_for_task(self.errand.task.create(message=message)["task_id"])
        self.assertIn("1,2", outcome.message)
        self.assertEqual([attachment["filename"] for attachment in outcome.attachments], ["b.md"])

    def test_text_arrives_in_pieces_and_a_stream_resumes_after_an_event(self) -> None:
        made = self.errand.task.create(message={"content": "stream one two three"})
        kinds, first = [], None
        for item in self.errand.stream_task(made["task_id"], deltas=True, verbose=True):
            kinds.append(item.kind)
            if item.kind != "event":
                continue
            first = first or item.data["id"]
            if item.data["type"] == "status_update" and item.data["status_update"]["agent_status"] == "stopped":
                break
        self.assertIn("delta", kinds)
        self.assertIsNotNone(first)
        after = next(iter(self.errand.stream_task(made["task_id"], verbose=True, last_event_id=first)))
        self.assertNotEqual(after.data["id"], first)

    def test_errors_name_field_page_and_request(self) -> None:
        with self.assertRaises(ErrandError) as caught:
            self.errand.task.list(limit=0)
        error = caught.exception
        self.assertEqual((error.code, error.status, error.param, error.is_passing), ("invalid_argument", 400, "limit", False))
        self.assertTrue(str(error.doc_url).endswith("/docs/errors/invalid_argument"))
        self.assertTrue(str(error.request_id).startswith("req_"))
        with self.assertRaises(TypeError):
            Errand(URL)

    def test_deliveries_of_a_webhook_are_verified_with_its_secret(self) -> None:
        with Receiver([(200, {}, {})]) as receiver:
            made = self.errand.webhook.create(url=receiver.url + "/hook")
            secret = made["webhook"]["secret"]
            self.errand.wait_for_task(self.errand.task.create(message={"content": "say hi"})["task_id"])
            self.assertTrue(receiver.has_request.wait(20))
            self.errand.webhook.delete(webhook_id=made["webhook"]["id"])
            _, headers, body = receiver.requests[-1]
            self.assertTrue(verify_webhook(body, headers, secret))
            self.assertFalse(verify_webhook(body + b" ", headers, secret))
            self.assertFalse(verify_webhook(body, headers, secret, now=1.0))
            self.assertFalse(verify_webhook(body, {}, secret))


class Retries(unittest.TestCase):
    def test_a_write_is_repeated_with_the_same_key_until_it_succeeds(self) -> None:
        busy = {"ok": False, "request_id": "req_1", "error": {"code": "unavailable", "message": "busy"}}
        with Receiver([(503, {"retry-after": "0"}, busy), (502, {}, "proxy"), (200, {}, {"ok": True, "task_id": "t"})]) as receiver:
            with Errand(receiver.url, api_key="sk-x") as errand:
                self.assertEqual(errand.task.create(message={"content": "x"})["task_id"], "t")
        keys = [headers["idempotency-key"] for _, headers, _ in receiver.requests]
        self.assertEqual((len(keys), len(set(keys))), (3, 1))

    def test_a_request_with_a_secret_is_not_repeated(self) -> None:
        with Receiver([(503, {}, {})]) as receiver, Errand(receiver.url, api_key="sk-x") as errand:
            with self.assertRaises(ErrandError):
                errand.task.token(task_id="t", can=["read"], expires_in=60)
        self.assertEqual(len(receiver.requests), 1)
        self.assertNotIn("idempotency-key", receiver.requests[0][1])

    def test_no_service_is_an_error_of_the_connection(self) -> None:
        with Errand("http://127.0.0.1:9", api_key="sk-x", max_retries=0) as errand:
            with self.assertRaises(ErrandError) as caught:
                errand.task.list()
        self.assertEqual((caught.exception.code, caught.exception.is_passing), ("connection", True))


class Async(unittest.IsolatedAsyncioTestCase):
    async def test_many_tasks_are_followed_at_once(self) -> None:
        async with AsyncErrand(URL, api_key=KEY) as errand:

            async def play(number: int) -> str:
                made = await errand.task.create(message={"content": f"say {number}"})
                return (await errand.wait_for_task(made["task_id"])).message

            self.assertEqual(await asyncio.gather(*map(play, range(10))), [str(number) for number in range(10)])
            file = await errand.upload_file("a.txt", b"A")
            self.assertEqual(file["file"]["status"], "uploaded")
            with self.assertRaises(ErrandError):
                await errand.task.detail(task_id="missing")


if __name__ == "__main__":
    unittest.main()
