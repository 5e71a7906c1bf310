import { readPage } from "./api.js";
import { avatar } from "./avatar.js";
import { hear, tell } from "./bus.js";
import { compose } from "./compose.js";
import { calm, h, icon, say, toast } from "./dom.js";
import { compareIds, count } from "./format.js";
import { liveCursor, openLive, renewCursor } from "./live.js";
import { PagedFeed } from "./paged-feed.js";
import { renderPost } from "./post.js";
import { session } from "./session.js";
import { markSeen, readStateSoon, setWaiting } from "./state.js";
import { emptyHome, topFeed } from "./top.js";

/** The home feed: pages as one scrolls, and new posts as they are published. It lives as long as the log-in. */

const FIRST = "/api/v1/timelines/home?limit=20";
const AGAIN = "/api/v1/timelines/home?limit=40";
/** After a change of the feed, at most so many posts are read again at once. */
const KEPT = 1000;
/** Deletes may be lost before a catch-up; it is no reason to read all pages every second. */
const REST = 15_000;

export class Home {
    #pending = new Map();
    #arrived = new Set();
    #resyncing = false;
    #again = false;
    #pages = 0;
    #newer = null;
    #top = null;
    #stop = [];
    #soon = null;
    #due = 0;
    #rested = 0;
    #feed;
    #pill = h("button", { type: "button", class: "pill", "data-testid": "new-posts", hidden: true });
    #place = h("div");
    #live = h("span", { class: "live", "data-live": "off" }, "Live");
    root;

    constructor() {
        this.#feed = new PagedFeed({
            label: "Home, the newest first",
            first: FIRST,
            read: (path) => this.#read(path),
            render: renderPost,
            empty: emptyHome,
            sorted: true,
        });
        this.#feed.onPage = () => this.#count();
        this.#pill.addEventListener("click", () => this.showNew());
        this.#place.append(this.#feed.root);
        this.root = h(
            "section",
            { "aria-labelledby": "home-title" },
            h(
                "div",
                { class: "view-head" },
                h("h1", { id: "home-title", tabindex: "-1" }, "Home"),
                this.#live,
                order((name) => this.#order(name)),
            ),
            prompt(),
            h("div", { class: "pill-place" }, this.#pill),
            this.#place,
        );
        this.#listen();
    }

    start() {
        return this.#feed.more();
    }

    /** The view is shown: its posts are seen, and a list that hid meanwhile reads on. */
    shown() {
        this.#seen();
        (this.#top ?? this.#feed).more();
    }

    close() {
        clearTimeout(this.#soon);
        this.#stop.forEach((end) => end());
        this.#feed.close();
        this.#top?.close();
        setWaiting(0);
    }

    /** Puts the new posts on top. */
    showNew() {
        this.#order("newest");
        this.root.querySelector("input[value=newest]").checked = true;
        const posts = this.#countable();
        posts.forEach((post) => this.#pending.delete(post.id));
        const added = this.#feed.insertAll(posts);
        added.forEach((article) => article.classList.add("arrived"));
        this.#count();
        this.#seen();
        scrollTo({ top: 0, behavior: calm() ? "auto" : "smooth" });
        this.#feed.list.firstElementChild?.focus({ preventScroll: true });
    }

    /** Reads the pages again: authors were followed or unfollowed, or deletes may be lost. */
    async resync() {
        if (this.#resyncing) {
            this.#again = true;
            return;
        }
        this.#resyncing = true;
        this.#arrived.clear();
        await this.#feed.lock();
        let next;
        try {
            next = await this.#readAgain();
        } catch (error) {
            next = this.#feed.oldest ? `${FIRST}&max_id=${this.#feed.oldest}` : FIRST;
            toast(`The feed could not be read again. ${error.message}`);
        }
        this.#feed.unlock(next);
        this.#count();
        this.#resyncing = false;
        this.#rested = performance.now() + REST;
        if (this.#again) {
            this.#again = false;
            this.resync();
        }
    }

    /** Several changes at once need one look. */
    #resyncSoon(earliest = 0) {
        const delay = Math.max(250, earliest - performance.now());
        if (this.#soon && delay >= this.#due - performance.now()) {
            return;
        }
        clearTimeout(this.#soon);
        this.#due = performance.now() + delay;
        this.#soon = setTimeout(() => {
            this.#soon = null;
            this.resync();
        }, delay);
    }

    async #readAgain() {
        const oldest = this.#feed.oldest;
        const fresh = new Map();
        let newer = null;
        let next = AGAIN;
        let lowest = null;
        do {
            const page = await this.#read(next, true);
            page.items.forEach((post) => fresh.set(post.id, post));
            newer ??= page.feedkit?.newer ?? null;
            lowest = page.items.at(-1)?.id ?? lowest;
            next = page.next;
        } while (next && fresh.size < KEPT && oldest !== null && compareIds(lowest, oldest) > 0);
        this.#drop(fresh, lowest, next === null);
        const direct = !isVisible(this.root) || this.#feed.size === 0;
        const newest = this.#feed.newest;
        const between = [];
        for (const post of fresh.values()) {
            if (direct || compareIds(post.id, newest) < 0) {
                between.push(post);
                this.#pending.delete(post.id);
            } else if (!this.#feed.has(post.id)) {
                this.#pending.set(post.id, post);
            }
        }
        this.#feed.insertAll(between);
        if (newer) {
            renewCursor(newer);
        }
        return next;
    }

    /** Removes what the pages that were read again no longer have, and shown posts below them. */
    #drop(fresh, lowest, complete) {
        const gone = (id) => !fresh.has(id) && !this.#arrived.has(id);
        const covered = (id) => complete || compareIds(id, lowest) >= 0;
        this.#feed.removeAll(this.#feed.ids.filter((id) => !covered(id) || gone(id)));
        for (const id of [...this.#pending.keys()]) {
            if (covered(id) && gone(id)) {
                this.#pending.delete(id);
            }
        }
    }

    async #read(path, again = false) {
        const page = await readPage(path);
        this.#pages += again ? 0 : 1;
        if (page.feedkit) {
            tell("page-read", { number: again ? "↻" : this.#pages, ...page.feedkit });
            page.seam = seam(this.#pages, page.feedkit);
            this.#begin(page.feedkit.newer);
        }
        return page;
    }

    /** The live feed begins where the very first page ends. */
    #begin(newer) {
        if (this.#newer === null && newer) {
            this.#newer = newer;
            openLive(newer);
            this.#seen();
        }
    }

    #listen() {
        this.#stop = [
            hear("live", (state) => this.#showLive(state)),
            hear("live-update", (text) => this.#update(JSON.parse(text))),
            hear("live-delete", (id) => this.#remove(id)),
            hear("live-feedkit.catch_up", () => this.#resyncSoon(this.#rested)),
            hear("live-feedkit.feed_changed", () => this.#resyncSoon()),
            hear("follows-changed", () => this.#live.dataset.live !== "open" && this.#resyncSoon()),
            hear("posted", (status) => this.#posted(status)),
            hear("post-deleted", (id) => this.#remove(id)),
        ];
    }

    #update(status) {
        if (this.#feed.has(status.id) || this.#feed.wasRemoved(status.id)) {
            return;
        }
        this.#arrived.add(status.id);
        this.#pending.set(status.id, status);
        this.#count();
    }

    #remove(id) {
        this.#pending.delete(id);
        this.#feed.remove(id);
        this.#top?.remove(id);
        const boosts = this.#feed.list.querySelectorAll(`.post[data-post="${CSS.escape(id)}"]`);
        boosts.forEach((article) => this.#feed.remove(article.dataset.id));
        this.#count();
    }

    #posted(status) {
        this.#pending.delete(status.id);
        this.#arrived.add(status.id);
        const [article] = this.#feed.insertAll([status]);
        article?.classList.add("arrived");
        if (isVisible(this.root) && !status.in_reply_to_id) {
            this.showNew();
        }
    }

    /** New posts that belong to the part of the feed that was read. Older ones wait for their page. */
    #countable() {
        const oldest = this.#feed.ended ? null : this.#feed.oldest;
        return [...this.#pending.values()]
            .filter((post) => oldest === null || compareIds(post.id, oldest) > 0)
            .sort((a, b) => compareIds(a.id, b.id));
    }

    #count() {
        for (const id of [...this.#pending.keys()]) {
            if (this.#feed.has(id)) {
                this.#pending.delete(id);
            }
        }
        const number = this.#countable().length;
        const text = count(number, "new post");
        if (number > 0 && this.#pill.dataset.count !== String(number)) {
            this.#pill.replaceChildren(icon("up"), text);
            say(text);
        }
        if (this.#pill.hidden && number > 0) {
            this.#pill.parentElement.classList.toggle("in-flow", scrollY < 40); // else it floats above the posts
        }
        this.#pill.dataset.count = number;
        this.#pill.hidden = number === 0;
        if (number === 0) {
            this.#pill.parentElement.classList.remove("in-flow");
        }
        setWaiting(number);
    }

    #seen() {
        const newer = liveCursor() ?? this.#newer;
        if (newer && isVisible(this.root) && this.#countable().length === 0) {
            markSeen(newer);
        }
    }

    #order(name) {
        if ((name === "top") === (this.#top !== null)) {
            return;
        }
        this.#top?.close();
        this.#top = name === "top" ? topFeed() : null;
        this.#place.replaceChildren((this.#top ?? this.#feed).root);
        (this.#top ?? this.#feed).more();
    }

    #showLive(state) {
        this.#live.dataset.live = state;
        this.#live.textContent = { open: "Live", waiting: "Connecting", off: "Not live" }[state];
        if (state === "open") {
            readStateSoon();
        }
    }
}

const isVisible = (element) => element.isConnected && !element.hidden && !document.hidden;

function order(choose) {
    const choice = (value, text) =>
        h(
            "label",
            null,
            h("input", {
                type: "radio",
                name: "order",
                value,
                checked: value === "newest",
                "data-testid": `order-${value}`,
                onchange: () => choose(value),
            }),
            h("span", null, text),
        );
    return h(
        "fieldset",
        { class: "segments" },
        h("legend", { class: "sr" }, "Order"),
        choice("newest", "Newest"),
        choice("top", "Top"),
    );
}

function prompt() {
    return h(
        "button",
        { type: "button", class: "prompt", onclick: () => compose() },
        avatar(session.me.id),
        h("span", { class: "prompt-text" }, "What is new?"),
        h("span", { class: "prompt-post" }, "Write"),
    );
}

function seam(number, read) {
    const trips = count(read.roundTrips, "trip");
    const millis = (read.micros / 1000).toFixed(read.micros < 10_000 ? 2 : 0);
    return `page ${number} · ${read.policy} · ${read.fromInbox} inbox + ${read.fromOutboxes} outboxes · ${trips} · ${millis} ms`;
}
