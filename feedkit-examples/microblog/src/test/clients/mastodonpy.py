"""Mastodon.py reads, writes and streams. Its ids are numbers, and it pages by the ids in the header Link."""

import datetime
import queue
import secrets

from mastodon import Mastodon, MastodonAPIError, MastodonNotFoundError, MastodonUnauthorizedError, StreamListener

from world import PASSWORD, SECONDS, URL, Home, Person, Publishing, check, eventually, same_ids, send, step


def ids(page):
    return [each.id for each in page]


def pages(client, first):
    """All pages from the first one to the end, as lists of ids."""
    found = []
    while first:
        found.append(ids(first))
        first = client.fetch_next(first)
    return found


def refused(kind, message, call):
    try:
        call()
    except kind as error:
        check(message in str(error), f"refused with {error}, not with {message}")
        return
    check(False, f"{kind.__name__} was expected")


class Listener(StreamListener):
    """Keeps what the stream brings."""

    def __init__(self):
        self.events, self.heartbeats, self.aborted = queue.Queue(), 0, []

    def on_update(self, status):
        self.events.put(("update", status.id))

    def on_delete(self, status_id):
        self.events.put(("delete", status_id))

    def on_notification(self, notification):
        self.events.put(("notification", notification.type, notification.account.id))

    def on_announcement(self, annoucement):
        self.events.put(("announcement", annoucement.read))

    def handle_heartbeat(self):
        self.heartbeats += 1

    def on_abort(self, err):
        self.aborted.append(err)

    def expect(self, *event):
        try:
            seen = self.events.get(timeout=SECONDS)
        except queue.Empty:
            check(False, f"no event {event} within {SECONDS} s; aborted by {self.aborted}")
        check(seen == event, f"event {seen} instead of {event}")


step("sign up and log in")
client_id, secret = Mastodon.create_app("clients test", api_base_url=URL)
name = "reader" + secrets.token_hex(4)
Mastodon(client_id, secret, api_base_url=URL).create_account(name, PASSWORD, f"{name}@example.org", agreement=True)
reader = Mastodon(client_id, secret, api_base_url=URL, ratelimit_method="throw")
refused(Exception, "Invalid user name, password", lambda: reader.log_in(f"{name}@example.org", "wrong"))
reader.log_in(f"{name}@example.org", PASSWORD)
me = reader.account_verify_credentials()
check(me.username == name and me.acct == name, f"{me.acct} is logged in instead of {name}")
check(reader.verify_minimum_version("4.0.0"), "the instance reports a version before 4.0.0")
wrong = Mastodon(access_token="wrong", api_base_url=URL)
refused(MastodonUnauthorizedError, "The access token is invalid", wrong.account_verify_credentials)

step("read an empty home, which has no header Link")
check(reader.timeline_home() == [], "the home of a new account is not empty")
check("Link" not in send("GET", "/api/v1/timelines/home", reader.access_token).headers, "an empty page has links")

step("search and follow")
ann, bob, cas = Person("ann"), Person("bob"), Person("cas")
for person in ann, bob:
    found = reader.search_v2(person.name, result_type="accounts").accounts
    check(ids(found) == [int(person.id)], f"a search for {person.name} finds {found}")
    check(reader.account_follow(person.id).following, "a follow is not in its answer")
    reader.account_follow(person.id)
check([each.following for each in reader.account_relationships([ann.id, cas.id])] == [True, False], "relationships")
check(set(ids(reader.account_following(me.id))) == {int(ann.id), int(bob.id)}, "the accounts that are followed")
check(ids(reader.account_followers(ann.id)) == [me.id], "the followers")
check(reader.account(ann.id).followers_count == 1, "the followers are not counted")

step("post, the same request twice")
home = Home()
key = secrets.token_hex(8)
text = '<script>alert("1")</script> & more'
first, again = (reader.status_post(text, idempotency_key=key) for _ in range(2))
check(first.id == again.id, "the same Idempotency-Key made two posts")
check("<script" not in first.content and "&lt;script&gt;" in first.content, f"not escaped: {first.content}")
check(first.created_at.tzinfo is not None and first.account.id == me.id, "the post's time or account")
refused(MastodonAPIError, "422", lambda: reader.status_post(""))
refused(MastodonAPIError, "422", lambda: reader.status_post("x" * 501))
home.add(first.id)

step("page home to its end")
for number in range(45):
    home.add((ann, bob)[number % 2].post(f"post {number}"))
    cas.post(f"of nobody's interest {number}")
expected = home.newest_first()
check(len({len(each) for each in home.ids}) == 1, "ids differ in length, so that clients sort them wrongly")
seen = pages(reader, reader.timeline_home(limit=7))
same_ids("home in pages of 7", sum(seen, []), expected)
check(all(len(page) == 7 for page in seen[:-1]), f"pages of {[len(page) for page in seen]}")
same_ids("the remaining pages", ids(reader.fetch_remaining(reader.timeline_home(limit=40))), expected)
check(len(reader.timeline_home()) == 20 and len(reader.timeline_home(limit=1000)) == 40, "the sizes of pages")
of_ann = pages(reader, reader.account_statuses(ann.id, limit=5))
same_ids("the posts of an account", sum(of_ann, []), [each for each in home.ids[1::2]][::-1])

step("read newer pages while another account publishes")
page = reader.timeline_home(limit=4)
publishing = Publishing(ann)
newer = []


def read_newer(page):
    page = eventually("a newer page has posts", lambda: reader.fetch_previous(page))
    newer[:0] = ids(page)
    return page


while len(newer) < 60:
    page = read_newer(page)
published = publishing.finish()
while len(newer) < len(published):
    page = read_newer(page)
home.add(*published)
expected = home.newest_first()
same_ids("newer pages of 4", newer, expected[: len(published)])
same_ids("home after it", sum(pages(reader, reader.timeline_home(limit=9)), []), expected)
check(reader.fetch_previous(page) == [], "there are posts above the newest")
check(reader.timeline_home(max_id=expected[-1]) == [], "there are posts below the oldest")

step("read between bounds")
same_ids("since_id, nearly new", ids(reader.timeline_home(since_id=expected[3], limit=5)), expected[:3])
same_ids("since_id, old", ids(reader.timeline_home(since_id=expected[30], limit=5)), expected[:5])
same_ids("min_id, old", ids(reader.timeline_home(min_id=expected[30], limit=5)), expected[25:30])
between = {"max_id": expected[10], "limit": 5}
same_ids("max_id and since_id", ids(reader.timeline_home(since_id=expected[13], **between)), expected[11:13])
same_ids("max_id and min_id", ids(reader.timeline_home(min_id=expected[20], **between)), expected[15:20])
same_ids("max_id and min_id, close", ids(reader.timeline_home(min_id=expected[13], **between)), expected[11:13])
now = datetime.datetime.now(datetime.timezone.utc)
same_ids("max_id of tomorrow", ids(reader.timeline_home(max_id=now + datetime.timedelta(1), limit=5)), expected[:5])
same_ids("min_id of yesterday", ids(reader.timeline_home(min_id=now - datetime.timedelta(1), limit=5)), expected[-5:])

step("favourite, boost and reply")
target = home.ids[1]
answer = reader.status_favourite(target)
check(answer.favourited and answer.favourites_count == 1, "a favourite is not in its answer")
check(reader.status_favourite(target).favourites_count == 1, "a second favourite counts")
check(ids(reader.status_favourited_by(target)) == [me.id], "favourited by")
answer = reader.status_reblog(target)
check(answer.reblog.id == int(target) and answer.account.id == me.id, "a boost does not wrap the post")
check(ids(reader.status_reblogged_by(target)) == [me.id], "boosted by")
reply = reader.status_post(f"@{ann.name} a reply", in_reply_to_id=target)
check(str(reply.in_reply_to_id) == target and str(reply.in_reply_to_account_id) == ann.id, "what a reply is to")
home.add(reply.id, ann.post("a reply to the reply", in_reply_to_id=str(reply.id)))
context = reader.status_context(reply.id)
same_ids("the ancestors", ids(context.ancestors), [target])
same_ids("the descendants", ids(context.descendants), home.ids[-1:])
shown = reader.status(target)
check(shown.favourited and shown.reblogged, "the post does not show what the reader did")
counts = shown.favourites_count, shown.reblogs_count, shown.replies_count
check(counts == (1, 1, 1), f"favourites, boosts and replies are {counts}")

step("see boosts of others, once")
strange = cas.post("from far away")
home.add(bob.act(strange, "reblog")["id"])
ann.act(strange, "reblog")
bob.act(target, "reblog")
same_ids("home with boosts", sum(pages(reader, reader.timeline_home(limit=7)), []), home.newest_first())
boost = reader.timeline_home(limit=1)[0]
check(boost.reblog.id == int(strange) and boost.account.id == int(bob.id), "the boost in home")
check(boost.reblog.account.id == int(cas.id), "the author of what is boosted")

step("be notified")
author = Mastodon(access_token=ann.token, api_base_url=URL)
check(ann.unread() == 5, f"{ann.unread()} notifications are unread instead of 5")
notified = author.notifications()
kinds = [(each.type, each.account.id) for each in notified]
by_me = [(kind, me.id) for kind in ("mention", "reblog", "favourite", "follow")]
check(kinds == [("reblog", int(bob.id))] + by_me, f"the notifications are {kinds}")
check([each.status.id for each in notified[1:4]] == [reply.id, int(target), int(target)], "what they are about")
same_ids("notifications in pages of 2", sum(pages(author, author.notifications(limit=2)), []), ids(notified))
some = author.notifications(exclude_types=["reblog", "mention"])
check([each.type for each in some] == ["favourite", "follow"], f"some types are {some}")
check(author.notifications(notified[0].id).id == notified[0].id, "one notification")
author.markers_set("notifications", notified[0].id)
check(ann.unread() == 0, f"{ann.unread()} notifications are unread after the marker")
author.notifications_dismiss(notified[0].id)
same_ids("notifications without one", ids(author.notifications()), ids(notified)[1:])
author.notifications_clear()
check(author.notifications() == [], "notifications are there after they were cleared")

step("take back")
answer = reader.status_unfavourite(target)
check(not answer.favourited and answer.favourites_count == 0, "a favourite was not taken back")
answer = reader.status_unreblog(target)
check(answer.id == int(target) and not answer.reblogged and answer.reblogs_count == 1, "a boost was not taken back")

step("set markers")
top = reader.timeline_home(limit=1)[0].id
check(reader.markers_set("home", top).home.last_read_id == top, "the marker of home is not in its answer")
version = reader.markers_get(["home"]).home.version
reader.markers_set(["home", "notifications"], [top, 0])
marker = reader.markers_get(["home", "notifications"])
check(marker.home.last_read_id == top and marker.home.version > version, f"the markers are {marker}")
check(marker.home.updated_at.tzinfo is not None, "the marker's time")

step("read announcements")
step("announce")
unread = eventually("an unread announcement", lambda: [each for each in reader.announcements() if not each.read])
check(unread[0].published_at.tzinfo is not None, "the announcement's time")
reader.announcement_dismiss(unread[0].id)
check([each.read for each in reader.announcements() if each.id == unread[0].id] == [True], "dismissed, but not read")

step("delete")
gone = home.newest_first()[6]
refused(MastodonAPIError, "40", lambda: wrong.status_delete(gone))
refused(MastodonAPIError, "40", lambda: reader.status_delete(gone))
check(str(author.status_delete(gone).id) == gone, "the answer of a delete is not the status")
home.remove(gone)
expected = home.newest_first()
refused(MastodonNotFoundError, "Record not found", lambda: reader.status(gone))
same_ids("home after a delete", sum(pages(reader, reader.timeline_home(limit=7)), []), expected)
same_ids("home below what is deleted", ids(reader.timeline_home(max_id=gone, limit=3)), expected[6:9])
same_ids("home above what is deleted", ids(reader.timeline_home(min_id=gone, limit=3)), expected[3:6])
reader.status_delete(first.id)
home.remove(first.id)

step("stream")
check(reader.stream_healthy(), "streaming does not say OK")
listener = Listener()
stream = reader.stream_user(listener, run_async=True)
eventually("the stream is connected", lambda: stream.connection is not None)
live = [ann.post("live"), reader.status_post("live, my own").id]
for each in live:
    listener.expect("update", int(each))
author.status_delete(live[0])
listener.expect("delete", int(live[0]))
cas.send("POST", f"/api/v1/accounts/{me.id}/follow")
listener.expect("notification", "follow", int(cas.id))
step("announce")
listener.expect("announcement", False)
cas.post("nobody sees it")
heartbeats = listener.heartbeats
eventually("a heartbeat", lambda: listener.heartbeats > heartbeats)
boosted = bob.act(cas.post("boosted at once"), "reblog")["id"]
listener.expect("update", int(boosted))
home.add(live[1], boosted)
check(stream.is_receiving() and not listener.aborted, f"the stream ended: {listener.aborted}")
stream.close()
same_ids("home after the stream", sum(pages(reader, reader.timeline_home(limit=7)), []), home.newest_first())

step("unfollow and log out")
check(not reader.account_unfollow(bob.id).following, "an unfollow is not in its answer")
of_bob = [each.id for each in reader.fetch_remaining(reader.timeline_home()) if each.account.id == int(bob.id)]
same_ids("home after an unfollow, posts of bob", of_bob, [])
token = reader.access_token
reader.revoke_access_token()
refused(MastodonUnauthorizedError, "The access token", lambda: Mastodon(access_token=token, api_base_url=URL).me())
