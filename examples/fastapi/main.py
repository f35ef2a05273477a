"""Tasks for users of a web application, with their results by webhook."""

from __future__ import annotations

import json
import os

from errand import AsyncErrand, verify_webhook
from fastapi import FastAPI, HTTPException, Request

app = FastAPI()
errand = AsyncErrand(os.environ["ERRAND_URL"], api_key=os.environ["ERRAND_API_KEY"])
results: dict[str, str] = {}


@app.post("/users/{user_id}/tasks")
async def start(user_id: str, request: Request) -> dict[str, str]:
    """Starts a task for one user."""
    text = (await request.body()).decode()
    made = await errand.task.create(message={"content": text}, external_user_id=user_id)
    return {"task_id": made["task_id"]}


@app.get("/tasks/{task_id}")
async def read(task_id: str) -> dict[str, str | None]:
    """The result, once the webhook has brought it."""
    return {"result": results.get(task_id)}


@app.post("/errand")
async def receive(request: Request) -> dict[str, bool]:
    """Receives what the service reports."""
    body = await request.body()
    if not verify_webhook(body, request.headers, os.environ["ERRAND_WEBHOOK_SECRET"]):
        raise HTTPException(401, "wrong signature")
    event = json.loads(body)
    if event["event_type"] == "task_stopped":
        results[event["task_detail"]["task_id"]] = event["task_detail"]["message"]
    return {"ok": True}
