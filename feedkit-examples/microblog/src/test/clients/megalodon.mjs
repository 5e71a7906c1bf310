// megalodon reads, writes and streams by WebSocket, at the address that the instance tells. It pages by ids.
import { randomBytes } from "node:crypto";
import { check, clients, eventually, Events, health, Home, ids, Person, Publishing } from "./world.mjs";
import { refused, same, sameIds, step, url } from "./world.mjs";

const { default: generator } = clients("megalodon");
const login = token => generator("mastodon", url, token);

/** All pages below the bounds, as lists of ids. Beyond the last one is an empty one, without links. */
async function all(read, bounds) {
  const pages = [];
  for (let maxId; ; ) {
    const { data, headers } = await read({ ...bounds, max_id: maxId });
    const links = headers.link?.split(", ") ?? [];
    check((links.length > 0) === (data.length > 0), `a page of ${data.length} has the links ${links}`);
    check(!links.slice(1).some(each => each.includes('rel="next"')), `the next page is not the first link: ${links}`);
    if (data.length === 0) {
      return pages;
    }
    check(!pages.flat().includes(data[0].id), `${data[0].id} is on two pages`);
    pages.push(ids(data));
    maxId = data.at(-1).id;
  }
}

const home = new Home();
const readHome = async limit => (await all(bounds => client.getHomeTimeline(bounds), { limit })).flat();

step("log in");
const [reader, ann, bob, cas] = await Promise.all(["reader", "ann", "bob", "cas"].map(Person.signUp));
const client = login(reader.token);
same("the account", (await client.verifyAccountCredentials()).data.username, reader.name);
await refused("The access token is invalid", () => login("wrong").verifyAccountCredentials());
const app = await login().registerApp("clients test", {});
check(app.url.startsWith(`${url}/oauth/authorize?`), `the address of the login is ${app.url}`);
await refused("invalid_grant", () => login().fetchAccessToken(app.client_id, app.client_secret, "wrong"));

step("search and follow");
for (const person of [ann, bob]) {
  const found = (await client.search(person.name, { type: "accounts" })).data.accounts;
  same("the accounts found", ids(found), [person.id]);
  check((await client.followAccount(person.id)).data.following, "a follow is not in its answer");
}
same("the relationship", (await client.getRelationship(ann.id)).data.following, true);
same("relationships", (await client.getRelationships([bob.id, cas.id])).data.map(each => each.following), [true, false]);
same("the followers", ids((await client.getAccountFollowers(ann.id)).data), [reader.id]);
same("those followed", ids((await client.getAccountFollowing(reader.id)).data).sort(), [ann.id, bob.id].sort());
same("the counts", (await client.getAccount(reader.id)).data.following_count, 2);

step("post, the same request twice");
const repeated = { "Idempotency-Key": randomBytes(8).toString("hex") };
const repeat = async () => (await client.client.post("/api/v1/statuses", { status: "same" }, repeated)).data.id;
const once = await repeat();
same("the same Idempotency-Key", await repeat(), once);
const first = (await client.postStatus("<i>first</i>")).data;
check(first.content.includes("&lt;i&gt;first&lt;/i&gt;"), `not escaped: ${first.content}`);
check(/\.\d{3}Z$/.test(first.created_at), `a time without milliseconds: ${first.created_at}`);
await refused("Validation failed", () => client.postStatus("x".repeat(501)));
home.add(once, first.id);

step("page home to its end");
for (let number = 0; number < 45; number++) {
  home.add(await [ann, bob][number % 2].post(`post ${number}`));
  await cas.post(`of nobody's interest ${number}`);
}
const pages = await all(bounds => client.getHomeTimeline(bounds), { limit: 7 });
sameIds("home in pages of 7", pages.flat(), home.newestFirst());
check(pages.slice(0, 6).every(page => page.length === 7), `pages of ${pages.map(page => page.length)}`);
const ofAnn = await all(bounds => client.getAccountStatuses(ann.id, bounds), { limit: 5 });
sameIds("the posts of an account", ofAnn.flat(), home.newestFirst().filter((_, index) => index % 2 === 0).slice(0, 23));

step("read newer pages while another account publishes");
const publishing = new Publishing(ann);
let newer = [];
async function readNewer(wanted) {
  while (newer.length < wanted) {
    const minId = newer[0] ?? home.newestFirst()[0];
    newer = [...ids((await client.getHomeTimeline({ min_id: minId, limit: 4 })).data), ...newer];
  }
}
await readNewer(60);
const published = await publishing.finish();
await readNewer(published.length);
same("above the newest", (await client.getHomeTimeline({ min_id: newer[0] })).data, []);
home.add(...published);
sameIds("newer pages of 4", newer, home.newestFirst().slice(0, published.length));
sameIds("home after it", await readHome(9), home.newestFirst());

step("read between bounds");
const expected = home.newestFirst();
const bounded = async bounds => ids((await client.getHomeTimeline({ limit: 5, ...bounds })).data);
sameIds("since_id", await bounded({ since_id: expected[30] }), expected.slice(0, 5));
sameIds("min_id", await bounded({ min_id: expected[30] }), expected.slice(25, 30));
sameIds("max_id and since_id", await bounded({ max_id: expected[10], since_id: expected[13] }), expected.slice(11, 13));
sameIds("max_id and min_id", await bounded({ max_id: expected[10], min_id: expected[20] }), expected.slice(15, 20));

step("favourite, boost and reply");
const target = home.ids[2];
same("favourited", (await client.favouriteStatus(target)).data.favourites_count, 1);
same("favourited by", ids((await client.getStatusFavouritedBy(target)).data), [reader.id]);
same("boosted", (await client.reblogStatus(target)).data.reblog.id, target);
same("boosted by", ids((await client.getStatusRebloggedBy(target)).data), [reader.id]);
const reply = (await client.postStatus(`@${ann.name} a reply`, { in_reply_to_id: target })).data;
home.add(reply.id, await ann.post("a reply to the reply", { in_reply_to_id: reply.id }));
const context = (await client.getStatusContext(reply.id)).data;
same("the thread", [ids(context.ancestors), ids(context.descendants)], [[target], [home.ids.at(-1)]]);
const shown = (await client.getStatus(target)).data;
same("the counts", [shown.favourites_count, shown.reblogs_count, shown.replies_count], [1, 1, 1]);
same("what the reader did", [shown.favourited, shown.reblogged], [true, true]);

step("see boosts of others, once");
const strange = await cas.post("from far away");
home.add((await bob.act(strange, "reblog")).id);
await ann.act(strange, "reblog");
sameIds("home with boosts", await readHome(7), home.newestFirst());
same("the boost", (await client.getHomeTimeline({ limit: 1 })).data[0].reblog.account.id, cas.id);

step("be notified");
const author = login(ann.token);
same("unread", await ann.unread(), 4);
const notified = (await author.getNotifications()).data;
same("notifications", notified.map(each => each.type), ["mention", "reblog", "favourite", "follow"]);
same("what they are about", notified.map(each => each.status?.id), [reply.id, target, target, undefined]);
const inPages = await all(bounds => author.getNotifications(bounds), { limit: 3 });
sameIds("notifications in pages of 3", inPages.flat(), ids(notified));
const mentions = (await author.getNotifications({ exclude_types: ["reblog", "favourite", "follow"] })).data;
same("some types", ids(mentions), [notified[0].id]);
same("newer ones", ids((await author.getNotifications({ min_id: notified[2].id })).data), ids(notified).slice(0, 2));
await author.saveMarkers({ notifications: { last_read_id: notified[0].id } });
same("unread after the marker", await ann.unread(), 0);
await author.dismissNotification(notified[0].id);
same("notifications without one", ids((await author.getNotifications()).data), ids(notified).slice(1));
await author.dismissNotifications();
same("notifications after they were cleared", (await author.getNotifications()).data, []);

step("take back");
same("not favourited", (await client.unfavouriteStatus(target)).data.favourites_count, 0);
same("not boosted", (await client.unreblogStatus(target)).data.reblogs_count, 0);

step("set markers");
await client.saveMarkers({ home: { last_read_id: target } });
const marked = (await client.saveMarkers({ home: { last_read_id: strange } })).data;
const markers = (await client.getMarkers(["home", "notifications"])).data;
same("the marker", markers.home, marked.home);
same("its place", markers.home.last_read_id, strange);

step("read announcements");
step("announce");
const announced = async () => (await client.getInstanceAnnouncements()).data;
const unread = await eventually("an unread announcement", async () => (await announced()).find(each => !each.read));
await client.dismissInstanceAnnouncement(unread.id);
check((await announced()).find(each => each.id === unread.id).read, "dismissed, but not read");

step("delete");
await refused("error", () => client.deleteStatus(target));
same("the answer of a delete", (await client.deleteStatus(first.id)).data.id, first.id);
home.remove(first.id);
await refused("Record not found", () => client.getStatus(first.id));
sameIds("home after a delete", await readHome(7), home.newestFirst());
same("home below what is deleted", await bounded({ max_id: first.id }), [once]);

step("stream");
same("health", await health(), "OK");
const events = new Events();
const stream = await client.userStreaming();
stream.on("update", status => events.add("update", status.id));
stream.on("delete", id => events.add("delete", id));
stream.on("notification", notification => events.add("notification", notification.type));
for (const failure of ["error", "parser-error", "close"]) {
  stream.on(failure, error => events.add(failure, error.message));
}
await events.begin(ann, home);
const live = await ann.post("live");
await events.expect("update", live);
await ann.send("DELETE", `/api/v1/statuses/${live}`);
await events.expect("delete", live);
home.add((await client.postStatus("live, my own")).data.id);
await events.expect("update", home.ids.at(-1));
await cas.send("POST", `/api/v1/accounts/${reader.id}/follow`);
await events.expect("notification", "follow");
await cas.post("nobody sees it");
home.add((await bob.act(await cas.post("boosted at once"), "reblog")).id);
await events.expect("update", home.ids.at(-1));
stream.removeAllListeners();
stream.stop();
sameIds("home after the stream", await readHome(7), home.newestFirst());

step("unfollow");
await client.unfollowAccount(bob.id);
const left = (await client.getHomeTimeline({ limit: 40 })).data;
check(left.every(each => each.account.id !== bob.id), "home after an unfollow shows bob");
process.exit(0);
