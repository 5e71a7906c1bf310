// What the Node scripts share: where packages are, people who call the API without a client, and checks that say what
// differs.
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export const url = process.env.MICROBLOG_URL;
export const SECONDS = 30;

// The packages are installed elsewhere, and import knows only the folders above a script.
export const clients = createRequire(join(process.env.MICROBLOG_NODE_CLIENTS, "package.json"));

// Without what a client keeps beside an error: requests and answers fill pages.
process.on("uncaughtException", failure => {
  console.error(failure.stack);
  process.exit(1);
});

export const step = what => console.log(what);

export function check(condition, what) {
  if (!condition) {
    throw new Error(what);
  }
}

export function same(what, seen, expected) {
  const texts = [seen, expected].map(each => JSON.stringify(each));
  check(texts[0] === texts[1], `${what}: ${texts[0]} instead of ${texts[1]}`);
}

/** Compares ids and their order. */
export function sameIds(what, seen, expected) {
  check(
    seen.join() === expected.join(),
    `${what}: ${seen.length} ids instead of ${expected.length}` +
      `\n  missing ${expected.filter(each => !seen.includes(each))}` +
      `\n  unexpected ${seen.filter(each => !expected.includes(each))}` +
      `\n  repeated ${seen.filter((each, index) => seen.indexOf(each) !== index)}` +
      `\n  seen ${seen}\n  expected ${expected}`,
  );
}

/** Asks again until the answer is true, which it returns. */
export async function eventually(what, seen) {
  for (const deadline = Date.now() + SECONDS * 1000; ; await sleep(50)) {
    const answer = await seen();
    if (answer) {
      return answer;
    }
    check(Date.now() < deadline, `${what}, not within ${SECONDS} s`);
  }
}

export async function refused(message, call) {
  const failure = await call().then(
    () => undefined,
    error => error,
  );
  const said = JSON.stringify(failure?.response?.data) ?? String(failure?.message);
  check(failure !== undefined && said.includes(message), `refused with ${said}, not with ${message}`);
}

export const ids = page => page.map(each => each.id);

async function send(method, path, token, body, headers = {}) {
  const response = await fetch(url + path, {
    method,
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }), ...headers },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(SECONDS * 1000),
  });
  const text = await response.text();
  check(response.ok, `${method} ${path} answers ${response.status}: ${text}`);
  return JSON.parse(text);
}

export const health = async () => (await fetch(`${url}/api/v1/streaming/health`)).text();

/** Somebody who signs up, and whose calls are plain HTTP: the other side of what the client does and sees. */
export class Person {
  static async signUp(role) {
    const person = new Person();
    person.name = role + randomBytes(4).toString("hex");
    const scopes = "read write follow push";
    const app = await send("POST", "/api/v1/apps", undefined, {
      client_name: "world",
      redirect_uris: "urn:ietf:wg:oauth:2.0:oob",
      scopes,
    });
    const grant = { grant_type: "client_credentials", client_id: app.client_id, client_secret: app.client_secret };
    person.token = (await send("POST", "/oauth/token", undefined, { ...grant, scope: scopes })).access_token;
    const token = await person.send("POST", "/api/v1/accounts", {
      username: person.name,
      email: `${person.name}@example.org`,
      password: "correct horse battery staple",
      agreement: true,
      locale: "en",
    });
    person.token = token.access_token;
    person.id = (await person.send("GET", "/api/v1/accounts/verify_credentials")).id;
    return person;
  }

  send(method, path, body, headers) {
    return send(method, path, this.token, body, headers);
  }

  async post(text, fields = {}) {
    return (await this.send("POST", "/api/v1/statuses", { status: text, ...fields })).id;
  }

  act(status, action) {
    return this.send("POST", `/api/v1/statuses/${status}/${action}`);
  }

  async unread() {
    return (await this.send("GET", "/api/v1/notifications/unread_count")).count;
  }
}

/** The oracle: the ids that a home feed has to show. */
export class Home {
  ids = [];

  add(...ids) {
    this.ids.push(...ids);
  }

  remove(status) {
    this.ids = this.ids.filter(each => each !== status);
  }

  newestFirst() {
    return this.ids.toSorted((one, other) => (BigInt(one) < BigInt(other) ? 1 : -1));
  }
}

/** One person posts, one post after the other with a pause, until told to finish or at most 150 posts. */
export class Publishing {
  #finished = false;
  #published;

  constructor(person, pause = 0) {
    this.#published = this.#run(person, pause);
    this.#published.catch(() => {}); // finish() tells
  }

  async #run(person, pause) {
    const published = [];
    while (!this.#finished && published.length < 150) {
      published.push(await person.post(`meanwhile ${published.length}`));
      await sleep(pause);
    }
    return published;
  }

  finish() {
    this.#finished = true;
    return this.#published;
  }
}

/** What a stream brings, in its order. */
export class Events {
  #seen = [];
  #at = 0;

  add(...event) {
    this.#seen.push(event);
  }

  /** Posts until something arrives, because nothing tells a client when its subscription has begun. */
  async begin(person, home) {
    await eventually("a first event", async () => {
      home.add(await person.post("is it live?"));
      return this.#seen.length > 0;
    });
    const last = await person.post("it is");
    home.add(last);
    this.#at = await eventually("the last post", () => 1 + this.#position("update", last));
  }

  /** The next event, which must be this one. */
  async expect(...event) {
    const next = await eventually(`the event ${event}`, () => this.#seen[this.#at]);
    this.#at++;
    same("an event", next, event);
  }

  #position(...event) {
    return this.#seen.findIndex(each => each.join() === event.join());
  }
}
