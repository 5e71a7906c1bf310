// axe-core on every view of the page: on a desktop and on a phone, light and dark.
import { readFileSync } from "node:fs";
import { check, clients, Person, same, step } from "./world.mjs";
import { homePosts, inBrowser, sizes, testId, themes } from "./page.mjs";

const axe = readFileSync(clients.resolve("axe-core/axe.min.js"), "utf8");
const violations = [];

/** Runs in the page. Colours on their way are not there to be read, and what is out of sight is not drawn. */
async function findViolations() {
  const still = new CSSStyleSheet();
  still.replaceSync("* { transition: none !important; animation: none !important; content-visibility: visible !important }");
  document.adoptedStyleSheets = [still];
  await new Promise(requestAnimationFrame);
  const { violations } = await globalThis.axe.run(document, { resultTypes: ["violations"] });
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

async function checkView(page, name, only = Object.keys(sizes)) {
  step(name);
  for (const size of only) {
    for (const theme of themes) {
      await page.look(size, theme);
      const found = await page.tab.evaluate(findViolations);
      violations.push(...found.map(each => `${name}, ${size}, ${theme}: ${each}`));
      const wider = await page.tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(wider <= 0, `${name} is ${wider} pixels wider than a ${size}`);
    }
  }
}

await inBrowser(async open => {
  const [ann, bob, cas] = await Promise.all(["ann", "bob", "cas"].map(Person.signUp));
  console.log("announce");
  const page = await open();
  await page.look("desktop", "light");
  await page.tab.evaluateOnNewDocument(axe);
  await page.open();
  await checkView(page, "log-in");
  await page.click(testId("door-sign-up"));
  await page.see(testId("sign-up-form"));
  await checkView(page, "sign-up");
  const name = `reader${Date.now() % 1e6}`;
  await page.signUp(name);
  await page.see(".tail .empty");
  await checkView(page, "an empty home");

  await page.go("#/people", testId("search"));
  for (const person of [ann, bob]) {
    await page.follow(person);
  }
  await checkView(page, "people");
  for (let number = 0; number < 15; number++) {
    await ann.post(`post ${number} about #things by @${bob.name}, see https://example.org/${number}`);
  }
  const long = await bob.post("a long text of one word: " + "abcdefghij".repeat(30));
  await bob.act(await cas.post("a post that is boosted"), "reblog");
  const reader = await cas.send("GET", `/api/v1/accounts/lookup?acct=${name}`);
  await page.go("#/home", "#home-title");
  await page.compose(`hello @${bob.name}`);
  await page.see(`${homePosts} ${testId("delete")}`);
  const own = (await page.shown())[0];
  await bob.act(own, "favourite");
  await bob.act(own, "reblog");
  await bob.post(`@${name} hello`, { in_reply_to_id: own });
  await bob.send("POST", `/api/v1/accounts/${reader.id}/follow`);
  await page.see(testId("new-posts"));
  await page.click(`${homePosts}[data-id="${own}"] ${testId("like")}`);
  await checkView(page, "home with new posts");
  await page.click(testId("new-posts"));
  await checkView(page, "home to its end");
  await page.click(`label:has(${testId("order-top")})`);
  await page.see("[aria-label='Home, the most liked first'] > .post");
  await checkView(page, "home, top order");

  for (const [view, hash, selector] of [
    ["a thread", `#/post/${own}`, ".post.focused"],
    ["a long word", `#/post/${long}`, ".post.focused"],
    ["a profile", `#/@${bob.name}`, ".profile"],
    ["the own profile", `#/@${name}`, testId("log-out")],
    ["followers", `#/@${bob.name}/followers`, ".row"],
    ["following", `#/@${name}/following`, ".row"],
    ["notifications", "#/notifications", "#view > :not([hidden]) .row"],
    ["announcements", "#/announcements", ".announcement"],
    ["an unknown account", "#/@nobody_here", ".notice.bad"],
  ]) {
    await page.go(hash, selector);
    await checkView(page, view);
  }

  await page.go("#/home", "#home-title");
  await page.click(testId("compose-open"));
  await page.write(testId("compose-text"), "a draft");
  await checkView(page, "a new post");
  await page.press("Escape");
  await page.click(`label:has(${testId("order-newest")})`);
  await page.click(`${homePosts}[data-id="${own}"] ${testId("delete")}`);
  await page.see(`dialog[open] ${testId("confirm")}`);
  await checkView(page, "a question before a delete");
  await page.press("Escape");
  await page.gone("dialog[open]");
  await page.look("desktop", "light");
  await page.click("#keys-open");
  await page.see("dialog[open]");
  await checkView(page, "keys", ["desktop"]);
  await page.press("Escape");
  await page.look("phone", "light");
  await page.click(testId("panel-open"));
  await page.see("#drawer[open]");
  await checkView(page, "the panel on a phone", ["phone"]);
  check(violations.length === 0, `violations:\n${violations.join("\n")}`);
  same("complaints", page.complaints, []);
});
