"""Runs a task and waits for its end, with nothing but Python's own library, which every runner has."""

import json
import os
import sys
import time
import urllib.parse
import urllib.request
import uuid


def ask(operation, body=None, **query):
    """Calls an operation; an error of the service ends the step with its message."""
    url = f"{os.environ['ERRAND_URL'].rstrip('/')}/v2/{operation}"
    headers = {"x-service-api-key": os.environ["ERRAND_API_KEY"], "content-type": "application/json"}
    if body is not None:
        headers["idempotency-key"] = uuid.uuid4().hex
    request = urllib.request.Request(
        f"{url}?{urllib.parse.urlencode(query)}" if query else url,
        data=None if body is None else json.dumps(body).encode(),
        headers=headers,
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)
    except urllib.error.HTTPError as error:
        sys.exit(f"::error::{operation}: {json.load(error)['error']['message']}")


def set_output(name, value):
    """Writes an output of the step; a value may have several lines."""
    end = uuid.uuid4().hex
    with open(os.environ["GITHUB_OUTPUT"], "a", encoding="utf-8") as file:
        file.write(f"{name}<<{end}\n{value}\n{end}\n")


task_id = ask("task.create", {"message": {"content": os.environ["ERRAND_MESSAGE"]}})["task_id"]
set_output("task-id", task_id)
ends_at = time.monotonic() + 60 * float(os.environ.get("ERRAND_TIMEOUT_MINUTES", "30"))
while (task := ask("task.detail", task_id=task_id)["task"])["status"] == "running":
    if time.monotonic() > ends_at:
        ask("task.stop", {"task_id": task_id})
        sys.exit("::error::the task did not end in time and was stopped")
    time.sleep(1)

events = ask("task.listMessages", task_id=task_id, limit=20)["messages"]
texts = [event[event["type"]]["content"] for event in events if event["type"] in ("assistant_message", "error_message")]
set_output("message", texts[0] if texts else "")
print(task["task_url"])
if task["status"] != "stopped":
    sys.exit(f"::error::the task ended with status {task['status']}: {texts[0] if texts else ''}")
