// A person at the page: signs up, follows, scrolls, sees posts arrive, likes, writes and deletes.
import { createServer, connect } from "node:net";
import { check, eventually, Home, Person, Publishing, same, sameIds, step, url } from "./world.mjs";
import { homePosts, inBrowser, testId } from "./page.mjs";

const POSTS = 1000;
const MARKUP = `<img src="x" onerror="document.title = 'run'"> <b>live</b> & well`;

/** A network between the browser and the server that can break. */
class Network {
  #sockets = new Set();
  #port = 0;
  #server = createServer(browser => {
    const server = connect(Number(new URL(url).port), "127.0.0.1");
    for (const [one, other] of [[browser, server], [server, browser]]) {
      this.#sockets.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => this.#sockets.delete(one) && other.destroy());
    }
  });

  async open() {
    await new Promise(done => this.#server.listen(this.#port, "127.0.0.1", done));
    this.#port = this.#server.address().port;
    return `http://127.0.0.1:${this.#port}`;
  }

  async cut() {
    const closed = new Promise(done => this.#server.close(done));
    this.#sockets.forEach(socket => socket.destroy());
    await closed;
  }
}

const home = new Home();
const names = ["ann", "bob", "cas", "dan", "eve", "fay", "gus", "hal"];
const network = new Network();

async function publish(authors, number) {
  const published = authors.map(async author => {
    for (let count = 0; count < number / authors.length; count++) {
      home.add(await author.post(`${author.name} writes ${count}`));
    }
  });
  await Promise.all(published);
}

/** Scrolls to the end with the wheel. Each page must continue the list without a gap or a repeat. */
async function scroll(page, expected, between) {
  for (let shown = []; shown.length < expected.length; ) {
    const before = shown.length;
    shown = await eventually("more posts", async () => {
      await page.wheel(homePosts);
      const ids = await page.shown();
      return ids.length > before && ids;
    });
    sameIds(`the newest ${shown.length} posts`, shown, expected.slice(0, shown.length));
    await between(shown.length);
  }
  await page.see(".tail .ended");
}

/**
 * Shows the posts that wait, and reads on to the end: after a break the page reads again, and only the newest thousand
 * posts at once.
 */
async function showNew(page) {
  for (let loaded = -1; loaded !== home.ids.length; ) {
    loaded = await changed(page, loaded, async () => (await page.shown()).length + (await page.waiting()));
  }
  await page.click(testId("new-posts"));
  const focus = await page.tab.evaluate(() => document.activeElement.dataset.id);
  same("what has the focus", focus, home.newestFirst()[0]);
  await readAll(page);
}

async function readAll(page) {
  const expected = home.newestFirst();
  for (let loaded = -1; loaded !== expected.length; ) {
    loaded = await changed(page, loaded, async () => {
      const shown = await page.shown();
      sameIds("home", shown, expected.slice(0, shown.length));
      return shown.length;
    });
  }
}

/** Turns the wheel until another number of posts is loaded. Each step may take as long as a page may. */
async function changed(page, before, count) {
  const [after] = await eventually(`other than ${before} of ${home.ids.length} posts`, async () => {
    const loaded = await count();
    return loaded === before ? void (await page.wheel(homePosts)) : [loaded];
  });
  return after;
}

await inBrowser(async open => {
  step("others write");
  const authors = await Promise.all(names.map(Person.signUp));
  const [ann, bob, cas] = authors;
  // With three followers an author's posts are pulled.
  await Promise.all(authors.slice(3, 6).map(each => each.send("POST", `/api/v1/accounts/${ann.id}/follow`)));
  await publish(authors, POSTS / 2);

  step("sign up");
  const page = await open();
  const policies = new Set();
  page.tab.on("response", response => {
    const made = response.headers()["x-feedkit"];
    policies.add(made && JSON.parse(made).policy);
  });
  await page.look("desktop", "light");
  await page.open(await network.open());
  await page.signUp(`reader${Date.now() % 1e6}`);
  await page.see(".tail .empty");

  step("follow");
  await page.go("#/people", testId("search"));
  for (const author of authors) {
    await page.follow(author);
  }
  await publish(authors, POSTS / 2);
  await page.go("#/home", homePosts);
  await page.tab.reload();
  await page.see(homePosts);

  step(`scroll ${POSTS} posts while others publish and the policy is swapped`);
  const begin = Date.now();
  const publishing = [ann, bob].map(each => new Publishing(each, 100));
  const swaps = ["pull", "push", "online", "hybrid"];
  await scroll(page, home.newestFirst(), async shown => {
    if (shown > (5 - swaps.length) * 200 - 100 && swaps.length > 0) {
      const policy = swaps.shift();
      await page.click(`label:has(${testId(`policy-${policy}`)})`);
      await page.eventually(`the policy ${policy}`, async name => {
        const headers = { Authorization: `Bearer ${sessionStorage.getItem("microblog.token")}` };
        return (await (await fetch("/api/feedkit/state", { headers })).json()).policy === name;
      }, policy);
    }
  });
  const meanwhile = (await Promise.all(publishing.map(each => each.finish()))).flat();
  check(meanwhile.length >= 20, `only ${meanwhile.length} posts while the reader scrolled`);
  home.add(...meanwhile);
  step(`scrolled in ${Date.now() - begin} ms, ${meanwhile.length} posts meanwhile`);
  await showNew(page);
  for (const policy of ["push", "pull", "hybrid", "online"]) {
    check(policies.has(policy), `no page by ${policy}, only by ${[...policies]}`);
  }
  await page.eventually("positions for screen readers", selector => {
    const posts = [...document.querySelectorAll(selector)];
    return posts.every((post, index) => post.ariaPosInSet === `${index + 1}` && post.ariaSetSize === `${posts.length}`);
  }, homePosts);

  step("see a post of another session arrive");
  const place = 700;
  await page.eventually("the wheel stands still", async top => {
    scrollTo(0, top);
    await new Promise(done => setTimeout(done, 300));
    return scrollY === top;
  }, place);
  const live = await cas.post(MARKUP);
  home.add(live);
  await page.see(testId("new-posts"));
  same("what scrolled", await page.tab.evaluate(() => scrollY), place);
  await showNew(page);
  const post = `${homePosts}[data-id="${live}"]`;
  same("the text", await page.tab.$eval(`${post} .content`, content => content.textContent), MARKUP);

  step("like it");
  await page.click(`${post} ${testId("like")}`);
  await page.see(`${post} ${testId("like")}[aria-pressed=true]`);
  await eventually("a like", async () => (await cas.send("GET", `/api/v1/statuses/${live}`)).favourites_count === 1);
  same("likes", await page.tab.$eval(`${post} ${testId("like")} .number`, number => number.textContent), "1");

  step("write a post and delete it");
  await page.compose("my own");
  const [own] = await eventually("an own post", async () => {
    const shown = await page.shown();
    return !home.ids.includes(shown[0]) && shown;
  });
  same("its text", (await ann.send("GET", `/api/v1/statuses/${own}`)).content, "<p>my own</p>");
  await page.click(`${homePosts}[data-id="${own}"] ${testId("delete")}`);
  await page.click(`dialog[open] ${testId("confirm")}`);
  await page.gone(`[data-id="${own}"]`);
  await eventually("a delete", async () => {
    const response = await fetch(`${url}/api/v1/statuses/${own}`, { headers: { Authorization: `Bearer ${ann.token}` } });
    return response.status === 404;
  });
  await readAll(page);

  step("go on after the network broke");
  await page.see(".live[data-live=open]");
  await network.cut();
  await page.see(".live[data-live=waiting]");
  await publish([ann, bob], 30);
  await cas.send("DELETE", `/api/v1/statuses/${live}`);
  home.remove(live);
  await network.open();
  await page.see(".live[data-live=open]");
  await page.gone(`[data-id="${live}"]`);
  await showNew(page);
  home.add(await bob.post("after all"));
  await showNew(page);
  same("complaints", page.complaints, []);
});
await network.cut();
