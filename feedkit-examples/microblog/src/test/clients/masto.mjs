// masto reads, writes and streams by WebSocket. It pages only by the addresses in the header Link.
import { randomBytes } from "node:crypto";
import { check, clients, eventually, Events, health, Home, ids, Person, Publishing } from "./world.mjs";
import { refused, same, sameIds, step, url } from "./world.mjs";

const { createRestAPIClient, createStreamingAPIClient } = clients("masto");
const login = token => createRestAPIClient({ url, accessToken: token }).v1;

async function all(paginator) {
  const pages = [];
  for await (const page of paginator) {
    pages.push(ids(page));
  }
  return pages;
}

const home = new Home();
const readHome = async limit => (await all(client.timelines.home.list({ limit }))).flat();

step("log in");
const [reader, ann, bob, cas] = await Promise.all(["reader", "ann", "bob", "cas"].map(Person.signUp));
const client = login(reader.token);
same("the account", (await client.accounts.verifyCredentials()).username, reader.name);
await refused("The access token is invalid", () => login("wrong").accounts.verifyCredentials());
const instance = await createRestAPIClient({ url }).v2.instance.fetch();

step("edit the profile, by a form of many parts");
const update = await client.accounts.updateCredentials({ displayName: "A <reader>", note: "1 < 2" });
same("the name", update.displayName, "A <reader>");
check(update.note.includes("1 &lt; 2"), `the note is not escaped: ${update.note}`);

step("read an empty home");
same("an empty home", await all(client.timelines.home.list()), [[]]);

step("search and follow");
const { search } = createRestAPIClient({ url, accessToken: reader.token }).v2;
for (const person of [ann, bob]) {
  const found = await search.list({ q: person.name, type: "accounts" });
  same("the accounts found", ids(found.accounts), [person.id]);
  check((await client.accounts.$select(person.id).follow()).following, "a follow is not in its answer");
}
same("looked up", (await client.accounts.lookup({ acct: ann.name })).id, ann.id);
same("searched", ids(await client.accounts.search.list({ q: cas.name })), [cas.id]);
const relationships = await client.accounts.relationships.fetch({ id: [ann.id, cas.id] });
same("relationships", relationships.map(each => each.following), [true, false]);
same("the followers", (await all(client.accounts.$select(ann.id).followers.list())).flat(), [reader.id]);
const followed = (await all(client.accounts.$select(reader.id).following.list({ limit: 1 }))).flat();
same("those followed", followed.sort(), [ann.id, bob.id].sort());

step("post, the same request twice");
const meta = { requestInit: { headers: { "Idempotency-Key": randomBytes(8).toString("hex") } } };
const first = await client.statuses.create({ status: "first" }, meta);
const again = await client.statuses.create({ status: "first" }, meta);
same("the same Idempotency-Key", again.id, first.id);
check(/\.\d{3}Z$/.test(first.createdAt), `a time without milliseconds: ${first.createdAt}`);
await refused("Validation failed", () => client.statuses.create({ status: "" }));
home.add(first.id);

step("page home to its end");
for (let number = 0; number < 45; number++) {
  home.add(await [ann, bob][number % 2].post(`post ${number}`));
  await cas.post(`of nobody's interest ${number}`);
}
const pages = await all(client.timelines.home.list({ limit: 7 }));
sameIds("home in pages of 7", pages.flat(), home.newestFirst());
check(pages.slice(0, 6).every(page => page.length === 7), `pages of ${pages.map(page => page.length)}`);
const byText = pages.flat().sort((one, other) => other.length - one.length || (one < other ? 1 : -1));
sameIds("by length, then by text", byText, home.newestFirst());
const ofAnn = (await all(client.accounts.$select(ann.id).statuses.list({ limit: 5 }))).flat();
sameIds("the posts of an account", ofAnn, home.newestFirst().filter((_, index) => index % 2 === 0).slice(0, 23));

step("read newer pages while another account publishes");
const publishing = new Publishing(ann);
let top = home.newestFirst()[0];
let newer = [];
async function readNewer() {
  for await (const page of client.timelines.home.list({ minId: top, limit: 4 }).setDirection("prev")) {
    newer = [...ids(page), ...newer];
  }
  top = newer[0] ?? top;
}
await eventually("60 newer posts", async () => (await readNewer(), newer.length >= 60));
home.add(...(await publishing.finish()));
await readNewer();
sameIds("newer pages of 4", newer, home.newestFirst().slice(0, newer.length));
sameIds("home after it", await readHome(9), home.newestFirst());
check(newer.length === home.ids.length - 46, `${newer.length} newer posts`);

step("read between bounds");
const expected = home.newestFirst();
const bounded = async bounds => ids(await client.timelines.home.list({ limit: 5, ...bounds }));
sameIds("sinceId", await bounded({ sinceId: expected[30] }), expected.slice(0, 5));
sameIds("minId", await bounded({ minId: expected[30] }), expected.slice(25, 30));
sameIds("maxId and sinceId", await bounded({ maxId: expected[10], sinceId: expected[13] }), expected.slice(11, 13));
sameIds("maxId and minId", await bounded({ maxId: expected[10], minId: expected[20] }), expected.slice(15, 20));

step("favourite, boost and reply");
const target = home.ids[1];
const post = client.statuses.$select(target);
same("favourited", [(await post.favourite()).favouritesCount, (await post.favourite()).favouritesCount], [1, 1]);
same("favourited by", ids(await post.favouritedBy.list()), [reader.id]);
same("boosted", (await post.reblog()).reblog.id, target);
same("boosted by", ids(await post.rebloggedBy.list()), [reader.id]);
const reply = await client.statuses.create({ status: `@${ann.name} a reply`, inReplyToId: target });
home.add(reply.id, await ann.post("a reply to the reply", { in_reply_to_id: reply.id }));
const context = await client.statuses.$select(reply.id).context.fetch();
same("the thread", [ids(context.ancestors), ids(context.descendants)], [[target], [home.ids.at(-1)]]);
const { favourited, reblogged, favouritesCount, reblogsCount, repliesCount } = await post.fetch();
same("the counts", [favourited, reblogged, favouritesCount, reblogsCount, repliesCount], [true, true, 1, 1, 1]);

step("see boosts of others, once");
const strange = await cas.post("from far away");
home.add((await bob.act(strange, "reblog")).id);
await ann.act(strange, "reblog");
sameIds("home with boosts", await readHome(7), home.newestFirst());
same("the boost", (await client.timelines.home.list({ limit: 1 }))[0].reblog.account.id, cas.id);

step("be notified");
const author = login(ann.token).notifications;
same("unread", (await author.unreadCount.fetch()).count, 4);
const notified = await author.list();
same("notifications", notified.map(each => each.type), ["mention", "reblog", "favourite", "follow"]);
same("what they are about", notified.map(each => each.status?.id), [reply.id, target, target, undefined]);
sameIds("notifications in pages of 1", (await all(author.list({ limit: 1 }))).flat(), ids(notified));
same("some types", ids(await author.list({ types: ["follow", "mention"] })), [notified[0].id, notified[3].id]);
await login(ann.token).markers.create({ notifications: { lastReadId: notified[0].id } });
same("unread after the marker", (await author.unreadCount.fetch()).count, 0);
await author.$select(notified[0].id).dismiss();
sameIds("notifications without one", ids(await author.list()), ids(notified).slice(1));
await author.clear();
same("notifications after they were cleared", await author.list(), []);

step("take back");
same("not favourited", (await post.unfavourite()).favouritesCount, 0);
same("not boosted", (await post.unreblog()).reblogsCount, 0);

step("set markers");
await client.markers.create({ home: { lastReadId: target } });
const marked = await client.markers.create({ home: { lastReadId: strange } });
const markers = await client.markers.fetch({ timeline: ["home", "notifications"] });
same("the marker", markers.home, marked.home);
same("its place", markers.home.lastReadId, strange);

step("read announcements");
step("announce");
const announced = async () => await client.announcements.list();
const unread = await eventually("an unread announcement", async () => (await announced()).find(each => !each.read));
await client.announcements.$select(unread.id).dismiss();
check((await announced()).find(each => each.id === unread.id).read, "dismissed, but not read");

step("delete");
await refused("", () => client.statuses.$select(target).remove());
same("the answer of a delete", (await client.statuses.$select(first.id).remove()).id, first.id);
home.remove(first.id);
await refused("Record not found", () => client.statuses.$select(first.id).fetch());
sameIds("home after a delete", await readHome(7), home.newestFirst());
same("home below what is deleted", await bounded({ maxId: first.id }), []);

step("stream");
same("health", await health(), "OK");
const streamingApiUrl = instance.configuration.urls.streaming;
const streaming = createStreamingAPIClient({ streamingApiUrl, accessToken: reader.token, retry: false });
await streaming.prepare();
const events = new Events();
const subscription = streaming.user.subscribe();
(async () => {
  for await (const { event, payload } of subscription) {
    const told = { delete: payload, notification: payload.type, announcement: payload.content };
    events.add(event, told[event] ?? payload.id);
  }
})().catch(error => events.add("ended", error.message));
await events.begin(ann, home);
const live = await ann.post("live");
await events.expect("update", live);
await ann.send("DELETE", `/api/v1/statuses/${live}`);
await events.expect("delete", live);
home.add((await client.statuses.create({ status: "live, my own" })).id);
await events.expect("update", home.ids.at(-1));
await cas.send("POST", `/api/v1/accounts/${reader.id}/follow`);
await events.expect("notification", "follow");
step("announce");
await events.expect("announcement", "<p>This is a test of clients.</p>");
await cas.post("nobody sees it");
home.add((await bob.act(await cas.post("boosted at once"), "reblog")).id);
await events.expect("update", home.ids.at(-1));
subscription.unsubscribe();
streaming.close();
sameIds("home after the stream", await readHome(7), home.newestFirst());

step("unfollow");
await client.accounts.$select(bob.id).unfollow();
const authors = new Set();
for await (const page of client.timelines.home.list({ limit: 40 })) {
  page.forEach(each => authors.add(each.account.id));
}
same("the authors after an unfollow", [...authors].sort(), [ann.id, reader.id].sort());
process.exit(0);
