// Pictures of the page for README and guide: home with its panel, on a desktop and on a phone, light and dark, and a
// short animated picture. MICROBLOG_URL names a running server with the invented world, MICROBLOG_NODE_CLIENTS the
// folder of the packages, MICROBLOG_CHROMIUM the browser; the argument is the folder for the pictures. Needs Debian's
// packages webp and pngquant.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { check, eventually, step } from "./world.mjs";
import { homePosts, inBrowser, sizes, testId, themes } from "./page.mjs";

const READ_POSTS = 60;

const folder = resolve(process.argv[2] ?? ".");
const frames = mkdtempSync(join(tmpdir(), "frames"));
mkdirSync(folder, { recursive: true });

/** Logs in as somebody of the invented world. */
async function enter(page) {
  await page.open();
  const form = testId("log-in-form");
  await page.write(`${form} [name=username]`, "ada");
  await page.write(`${form} [name=password]`, "feedkit-demo");
  await page.click(`${form} [type=submit]`);
  await page.see(homePosts);
  await sleep(500);
}

/** Reads a few pages of home, so that the panel has something to show. */
async function read(page) {
  await eventually("some pages", async () => {
    await page.tab.evaluate(() => scrollTo(0, document.body.scrollHeight));
    return (await page.shown()).length >= READ_POSTS;
  });
  await page.tab.evaluate(() => scrollTo(0, 0));
}

async function picture(page, name) {
  const path = join(folder, `${name}.png`);
  await page.tab.screenshot({ path });
  execFileSync("pngquant", ["--force", "--skip-if-larger", "--strip", "--speed", "1", "--output", path, path]);
  step(path);
}

async function still(page) {
  for (const [size, theme] of Object.keys(sizes).flatMap(size => themes.map(theme => [size, theme]))) {
    await page.look(size, theme);
    await sleep(500);
    await picture(page, size === "desktop" && theme === "light" ? "microblog" : `microblog-${size}-${theme}`);
    if (size === "phone") {
      await page.click(testId("panel-open"));
      await page.see("#drawer[open]");
      await sleep(500);
      await picture(page, `panel-${size}-${theme}`);
      await page.press("Escape");
      await page.gone("#drawer[open]");
      await page.tab.evaluate(() => document.activeElement.blur());
    }
  }
}

/** New posts arrive, are shown, and the reader scrolls while the policy is swapped. */
async function moving(page) {
  const shots = [];
  const shoot = async millis => {
    const path = join(frames, `${shots.length}.png`);
    await page.tab.screenshot({ path });
    shots.push("-d", String(millis), path);
  };
  const scroll = async times => {
    for (let time = 0; time < times; time++) {
      await page.tab.evaluate(() => scrollBy({ top: 550, behavior: "instant" }));
      await sleep(300);
      await shoot(350);
    }
  };
  const swap = async policy => {
    await page.click(`label:has(${testId(`policy-${policy}`)})`);
    await page.see(`${testId(`policy-${policy}`)}:checked`);
    await sleep(500);
    await shoot(900);
  };
  await page.tab.setViewport({ width: 1280, height: 800, deviceScaleFactor: 0.625 });
  await page.tab.reload();
  await page.see(homePosts);
  await sleep(500);
  await shoot(1200);
  await page.see(testId("new-posts"));
  await sleep(300);
  await shoot(1000);
  await page.click(testId("new-posts"));
  await sleep(500);
  await shoot(1200);
  await scroll(3);
  for (const policy of ["pull", "push", "hybrid"]) {
    await swap(policy);
    await scroll(6);
  }
  await shoot(2000);
  const path = join(folder, "microblog.webp");
  execFileSync("img2webp", ["-loop", "0", "-min_size", "-lossy", "-q", "45", "-m", "6", ...shots, "-o", path]);
  step(path);
}

check(process.env.MICROBLOG_CHROMIUM !== undefined, "MICROBLOG_CHROMIUM names no browser");
try {
  await inBrowser(async open => {
    const page = await open();
    await page.look("desktop", "light");
    await enter(page);
    await read(page);
    await still(page);
    await page.look("desktop", "light");
    await moving(page);
  });
} finally {
  rmSync(frames, { recursive: true });
}
