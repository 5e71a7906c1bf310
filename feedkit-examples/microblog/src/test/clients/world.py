"""What the Python scripts share: people who call the API without a client, and checks that say what differs."""

import os
import secrets
import sys
import threading
import time

import requests

URL = os.environ["MICROBLOG_URL"]
PASSWORD = "correct horse battery staple"
SECONDS = 30


def step(what):
    print(what, flush=True)


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def same_ids(what, seen, expected):
    """Compares ids and their order."""
    seen, expected = [str(each) for each in seen], [str(each) for each in expected]
    if seen != expected:
        sys.exit(
            f"FAILED: {what}: {len(seen)} ids instead of {len(expected)}"
            f"\n  missing {[each for each in expected if each not in seen]}"
            f"\n  unexpected {[each for each in seen if each not in expected]}"
            f"\n  repeated {sorted({each for each in seen if seen.count(each) > 1})}"
            f"\n  seen {seen}\n  expected {expected}"
        )


def eventually(what, seen):
    """Asks again until the answer is true, which it returns."""
    deadline = time.monotonic() + SECONDS
    while not (answer := seen()):
        check(time.monotonic() < deadline, f"{what}, not within {SECONDS} s")
        time.sleep(0.05)
    return answer


def send(method, path, token=None, headers=None, **body):
    headers = dict(headers or {}, **({"Authorization": f"Bearer {token}"} if token else {}))
    response = requests.request(method, URL + path, headers=headers, timeout=SECONDS, **body)
    check(response.ok, f"{method} {path} answers {response.status_code}: {response.text}")
    return response


class Person:
    """Somebody who signs up, and whose calls are plain HTTP: the other side of what the client does and sees."""

    def __init__(self, role):
        self.name = role + secrets.token_hex(4)
        self.mail = f"{self.name}@example.org"
        app = {"client_name": "world", "redirect_uris": "urn:ietf:wg:oauth:2.0:oob", "scopes": "read write follow push"}
        app = send("POST", "/api/v1/apps", data=app).json()
        grant = {key: app[key] for key in ("client_id", "client_secret")}
        grant.update(grant_type="client_credentials", scope="read write follow push")
        self.token = send("POST", "/oauth/token", data=grant).json()["access_token"]
        account = {"username": self.name, "email": self.mail, "password": PASSWORD, "agreement": True, "locale": "en"}
        self.token = self.send("POST", "/api/v1/accounts", json=account)["access_token"]
        self.id = self.send("GET", "/api/v1/accounts/verify_credentials")["id"]

    def send(self, method, path, **body):
        return send(method, path, self.token, **body).json()

    def post(self, text, **fields):
        return self.send("POST", "/api/v1/statuses", json={"status": text, **fields})["id"]

    def act(self, status, action):
        return self.send("POST", f"/api/v1/statuses/{status}/{action}")

    def unread(self):
        return self.send("GET", "/api/v1/notifications/unread_count")["count"]


class Home:
    """The oracle: the ids that a home feed has to show."""

    def __init__(self):
        self.ids = []

    def add(self, *ids):
        self.ids.extend(str(each) for each in ids)

    def remove(self, status):
        self.ids.remove(str(status))

    def newest_first(self):
        return sorted(self.ids, key=int, reverse=True)


class Publishing(threading.Thread):
    """One person posts, one post after the other, until told to finish or at most 150 posts."""

    def __init__(self, person):
        super().__init__(daemon=True)
        self.person, self.ids, self.failure, self.finished = person, [], None, threading.Event()
        self.start()

    def run(self):
        try:
            while not self.finished.is_set() and len(self.ids) < 150:
                self.ids.append(self.person.post(f"meanwhile {len(self.ids)}"))
        except SystemExit as failure:
            self.failure = failure

    def finish(self):
        self.finished.set()
        self.join(SECONDS)
        check(not self.is_alive() and self.failure is None, f"publishing failed: {self.failure}")
        return self.ids
