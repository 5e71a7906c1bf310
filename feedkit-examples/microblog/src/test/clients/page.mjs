// The page in Debian's Chromium, and what the scripts do there again and again.
import { clients, eventually, SECONDS, url } from "./world.mjs";

const puppeteer = clients("puppeteer-core");

export const themes = ["light", "dark"];
export const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
export const testId = name => `[data-testid=${name}]`;
export const homePosts = "[role=feed][aria-label='Home, the newest first'] > .post";

/** Runs what gets a function that opens a page of a session of its own. */
export async function inBrowser(run) {
  const browser = await puppeteer.launch({
    executablePath: process.env.MICROBLOG_CHROMIUM,
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars"],
  });
  try {
    await run(async () => new Page(await (await browser.createBrowserContext()).newPage()));
  } finally {
    await browser.close();
  }
}

export class Page {
  /** What the page complained about. That a server cannot be reached is no mistake of the page. */
  complaints = [];

  constructor(tab) {
    this.tab = tab;
    tab.setDefaultTimeout(SECONDS * 1000);
    tab.on("pageerror", error => this.complaints.push(String(error)));
    tab.on("console", message => {
      const grave = ["error", "warn"].includes(message.type());
      if (grave && !message.text().startsWith("Failed to load resource: ")) {
        this.complaints.push(message.text());
      }
    });
  }

  /** Motion is reduced, so that no picture and no check meets a half-way state. */
  async look(size, theme) {
    await this.tab.setViewport(sizes[size]);
    await this.tab.emulateMediaFeatures([
      { name: "prefers-color-scheme", value: theme },
      { name: "prefers-reduced-motion", value: "reduce" },
    ]);
  }

  async open(address = url) {
    await this.tab.goto(address);
    await this.see(testId("log-in-form"));
  }

  see(selector) {
    return this.tab.waitForSelector(selector, { visible: true });
  }

  gone(selector) {
    return this.tab.waitForSelector(selector, { hidden: true });
  }

  async click(selector) {
    await this.tab.locator(selector).click();
  }

  async write(selector, text) {
    await (await this.see(selector)).type(text);
  }

  /** Turns the wheel far down, above what is scrolled. */
  async wheel(selector) {
    const { x, width } = await (await this.tab.$(selector)).boundingBox();
    await this.tab.mouse.move(x + width / 2, sizes.desktop.height / 2);
    await this.tab.mouse.wheel({ deltaY: 20_000 });
  }

  press(key) {
    return this.tab.keyboard.press(key);
  }

  async go(hash, selector) {
    await this.tab.evaluate(to => (location.hash = to), hash);
    await this.see(selector);
  }

  /** Whether a script in the page says so, sooner or later. */
  eventually(what, script, ...values) {
    return eventually(what, () => this.tab.evaluate(script, ...values));
  }

  async signUp(name) {
    await this.click(testId("door-sign-up"));
    const form = testId("sign-up-form");
    await this.write(`${form} [name=username]`, name);
    await this.write(`${form} [name=email]`, `${name}@example.org`);
    await this.write(`${form} [name=password]`, "correct horse battery staple");
    await this.click(`${form} [type=submit]`);
    await this.see("#home-title");
  }

  async follow(person) {
    const search = await this.see(testId("search"));
    await search.click({ clickCount: 3 });
    await search.type(person.name);
    const row = `.row[data-id="${person.id}"]`;
    await this.see(`.people-title + div:has(> ${row}:only-child)`); // not a row of the list before
    const button = `${row} ${testId("follow")}`;
    await this.click(button);
    await this.see(`${button}[data-following=true]:not([disabled])`);
  }

  async compose(text) {
    await this.click(testId("compose-open"));
    await this.write(testId("compose-text"), text);
    await this.click(testId("compose-send"));
    await this.gone(testId("compose-text"));
  }

  shown() {
    return this.tab.$$eval(homePosts, posts => posts.map(post => post.dataset.id));
  }

  /** How many posts wait to be shown. */
  waiting() {
    return this.tab.$eval(testId("new-posts"), pill => (pill.hidden ? 0 : Number(pill.dataset.count)));
  }
}
