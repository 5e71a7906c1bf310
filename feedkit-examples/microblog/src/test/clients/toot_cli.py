"""toot, as typed: its commands are processes, and it pages on a terminal.

It has no newer pages, no markers, no announcements and no streaming.
"""

import codecs
import html.parser
import os
import pty
import re
import shutil
import subprocess
import sys
import urllib.parse
from unittest import mock

import requests
from toot import api, config

from world import PASSWORD, SECONDS, URL, Home, Person, Publishing, check, same_ids, step

TOOT = shutil.which("toot", path=f"{os.path.dirname(sys.executable)}:{os.environ['PATH']}")
INSTANCE = URL.removeprefix("http://")


def toot(*arguments, given="", fails=False):
    """Runs a command to its end. What it is given is its standard input."""
    done = subprocess.run([TOOT, *arguments], input=given, capture_output=True, text=True, timeout=SECONDS)
    said = f"toot {' '.join(arguments)} ends with {done.returncode}: {done.stderr}{done.stdout}"
    check((done.returncode != 0) == fails and (fails or not done.stderr), said)
    return done.stderr if fails else done.stdout


def scroll(*arguments):
    """Runs a command on a terminal, and says yes each time that toot asks whether to continue."""
    process, terminal = pty.fork()
    if process == 0:
        os.execv(TOOT, [TOOT, *arguments])
    output, answers, decoder = "", 0, codecs.getincrementaldecoder("utf-8")()
    while True:
        try:
            output += decoder.decode(os.read(terminal, 1 << 16))
        except OSError:  # how Linux reports that the other side is closed
            break
        while output.count("Continue? [Y/n]") > answers:
            answers += 1
            os.write(terminal, b"y\n")
    status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    os.close(terminal)
    output = re.sub(r"\x1b\[[0-9;]*m", "", output)
    check(status == 0, f"toot {' '.join(arguments)} ends with {status}: {output}")
    return output


def ids(output):
    return re.findall(r"^ID (\d+)", output, re.MULTILINE)


def posted(output):
    return re.fullmatch(r"Toot posted: \S*?(\d+)/?", output.strip()).group(1)


class Form(html.parser.HTMLParser):
    """The fields of a page's form, its first button among them, and the words of the page."""

    def __init__(self, page):
        super().__init__()
        self.action, self.fields, self.words = None, {}, []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "form":
            self.action = attributes.get("action", "")
        if tag == "input" and "name" in attributes:
            self.fields[attributes["name"]] = attributes.get("value", "")
        if tag == "button" and "name" in attributes:
            self.fields.setdefault(attributes["name"], attributes["value"])

    def handle_data(self, data):
        self.words.extend(data.split())


def authorize(url, mail):
    """Logs in as a browser does, and returns the code that the last page shows."""
    with requests.Session() as browser:
        page = browser.get(url, timeout=SECONDS)
        for _ in range(2):
            form = Form(page.text)
            if form.action is None:
                break
            typed = {"username": mail, "password": PASSWORD}
            fields = {name: typed.get(name, value) for name, value in form.fields.items()}
            page = browser.post(urllib.parse.urljoin(page.url, form.action), data=fields, timeout=SECONDS)
        check(page.ok, f"the authorization answers {page.status_code}: {page.text}")
        codes = [each for each in Form(page.text).words if re.fullmatch(r"[\w-]{20,}", each)]
        check(len(codes) == 1, f"the page shows {codes} as code: {page.text}")
        return codes[0]


def login_in_browser(mail):
    """Types the code of the page, to which toot has printed the way."""
    process = subprocess.Popen(
        [TOOT, "login", "-i", INSTANCE, "--disable-https"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    with process:
        for line in process.stdout:
            if "/oauth/authorize" in line:
                break
        said, _ = process.communicate(f"n\n{authorize(line.strip(), mail)}\n", timeout=SECONDS)
    check(process.returncode == 0 and "Successfully logged in" in said, f"toot login says {said}")


step("log in by password, then in a browser")
reader, ann, bob, cas = (Person(role) for role in ("reader", "ann", "bob", "cas"))
login = "login_cli", "-i", INSTANCE, "--disable-https", "-e", reader.mail
check("Login failed" in toot(*login, given="wrong", fails=True), "a wrong password logs in")
check("Successfully logged in" in toot(*login, given=PASSWORD), "the password does not log in")
toot("logout", f"{reader.name}@{INSTANCE}")
login_in_browser(reader.mail)
check(f"@{reader.name}" in toot("whoami"), "somebody else is logged in")
check(INSTANCE in toot("instance", INSTANCE, "--disable-https"), "the instance does not tell its name")

step("read an empty home")
check("That's all folks." in scroll("timeline"), "an empty home does not end")

step("search and follow")
check(f"@{ann.name}" in toot("search", ann.name), "a search does not find the account")
for person in ann, bob:
    toot("follow", person.name)
check("Account not found" in toot("follow", "nobody-at-all", fails=True), "a follow of nobody")
followed = re.findall(r"@(\w+)", toot("following", reader.name))
check(sorted(followed) == sorted([ann.name, bob.name]), f"the accounts that are followed are {followed}")
check(re.findall(r"@(\w+)", toot("followers", ann.name)) == [reader.name], "the followers")
check("Followers: 1" in toot("whois", ann.name), "the followers are not counted")

step("post, the same request twice")
home = Home()
text = '5 < 6 & "quoted"'
home.add(posted(toot("post", text)))
check(text in toot("timeline", "--once"), "a text is not shown as it was typed")
user, app = config.get_active_user_app()
with mock.patch("uuid.uuid4", return_value=mock.Mock(hex="the same key")):
    same = {api.post_status(app, user, "the same request")["id"] for _ in range(2)}
check(len(same) == 1, "the same Idempotency-Key made two posts")
home.add(*same)

step("page home to its end")
for number in range(45):
    home.add((ann, bob)[number % 2].post(f"post {number}"))
    cas.post(f"of nobody's interest {number}")
same_ids("home in pages of 7", ids(scroll("timeline", "-c", "7")), home.newest_first())
same_ids("one page", ids(toot("timeline", "--once", "-c", "5")), home.newest_first()[:5])

step("page to the end while another account publishes")
publishing = Publishing(ann)
before = home.newest_first()
reads = [ids(scroll("timeline", "-c", "20")) for _ in range(3)]
home.add(*publishing.finish())
for seen in reads:
    same_ids("home in the midst of it", seen, [each for each in home.newest_first() if int(each) <= int(seen[0])])
check(reads[-1] != before, "nothing was published meanwhile")
same_ids("home after it", ids(scroll("timeline", "-c", "20")), home.newest_first())

step("favourite, boost and reply")
target = home.newest_first()[5]
toot("favourite", target)
toot("reblog", target)
reply = posted(toot("post", f"@{ann.name} a reply", "--reply-to", target))
home.add(reply, ann.post("a reply to the reply", in_reply_to_id=reply))
same_ids("the thread", ids(toot("thread", reply)), [target, reply, home.ids[-1]])
check(f"In reply to {target}" in toot("thread", reply), "the thread does not show what is replied to")
check(f"@{reader.name}" in toot("reblogged_by", target), "boosted by")
shown = ann.send("GET", f"/api/v1/statuses/{target}")
counts = shown["favourites_count"], shown["reblogs_count"], shown["replies_count"]
check(counts == (1, 1, 1), f"favourites, boosts and replies are {counts}")
check(ann.unread() == 4, f"{ann.unread()} notifications are unread instead of 4")

step("see a boost of another")
strange = cas.post("from far away")
home.add(bob.act(strange, "reblog")["id"])
check(f"Reblogged @{cas.name}" in toot("timeline", "--once", "-c", "1"), "the boost does not show its author")

step("be notified")
own = posted(toot("post", "notice me"))
home.add(own)
toot("notifications", "--clear")
check("No notification" in toot("notifications"), "notifications are there after they were cleared")
for action in "favourite", "reblog":
    cas.act(own, action)
cas.post(f"@{reader.name} mentions", in_reply_to_id=own)
cas.send("POST", f"/api/v1/accounts/{reader.id}/follow")
wanted = ["now follows you", "mentioned you in", "reblogged your status", "favourited your status"]
said = re.findall(rf"@{cas.name} ({'|'.join(wanted)})", toot("notifications"))
check(said == wanted, f"the notifications are {said}")
said = toot("notifications", "--mentions")
check("mentioned you in" in said and "favourited" not in said, f"the mentions are {said}")

step("take back and delete")
toot("unfavourite", target)
toot("unreblog", target)
shown = ann.send("GET", f"/api/v1/statuses/{target}")
check((shown["favourites_count"], shown["reblogs_count"]) == (0, 0), "a favourite or a boost was not taken back")
toot("delete", own)
home.remove(own)
check("Record not found" in toot("thread", own, fails=True), "a thread of what is deleted")
check("Record not found" in toot("delete", "1", fails=True), "a delete of nothing")
same_ids("home after a delete", ids(scroll("timeline", "-c", "9")), home.newest_first())

step("unfollow and log out")
toot("unfollow", bob.name)
check(f"@{bob.name}" not in toot("timeline", "--once", "-c", "20"), "home after an unfollow shows bob")
toot("logout", f"{reader.name}@{INSTANCE}")
