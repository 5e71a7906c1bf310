import { h } from "./dom.js";
import { compareIds } from "./format.js";

/**
 * A list that reads its next page before its end scrolls into view. Items have unique ids; an item that came before is
 * not shown again, and one that was removed stays away.
 */
export class PagedFeed {
    #read;
    #render;
    #empty;
    #sorted;
    #next;
    #first;
    #busy = false;
    #locked = false;
    #run = 0;
    #gone = new Set();
    #elements = new Map();
    #tail = h("div", { class: "tail" });
    #watch;
    list;
    root;
    ended = false;
    /** Called after each page. */
    onPage = () => {};

    /**
     * `read(path)` answers `{items, next, seam}`; `first` is the path of the first page; `render(item)` makes an
     * element; `empty()` makes what an empty list shows; `sorted` keeps the newest id on top.
     */
    constructor({ label, first, read, render, empty, sorted = false }) {
        this.#first = this.#next = first;
        this.#read = read;
        this.#render = render;
        this.#empty = empty;
        this.#sorted = sorted;
        this.list = h("div", { role: "feed", "aria-label": label, "aria-busy": "false" });
        this.root = h("div", null, this.list, this.#tail);
        this.#watch = new IntersectionObserver((entries) => entries.at(-1).isIntersecting && this.more(), {
            rootMargin: "1200px",
        });
        this.#watch.observe(this.#tail);
    }

    get size() {
        return this.#elements.size;
    }

    get ids() {
        return [...this.#elements.keys()];
    }

    has(id) {
        return this.#elements.has(id);
    }

    wasRemoved(id) {
        return this.#gone.has(id);
    }

    /** The id of the last item, or null. */
    get oldest() {
        return this.list.lastElementChild?.dataset.id ?? null;
    }

    get newest() {
        return this.list.firstElementChild?.dataset.id ?? null;
    }

    async more() {
        if (this.#busy || this.#locked || this.ended) {
            return;
        }
        const run = this.#run;
        this.#setBusy(true);
        this.#tail.replaceChildren(h("div", { class: "spinner", role: "img", "aria-label": "Loading" }));
        try {
            const page = await this.#read(this.#next);
            if (run === this.#run) {
                this.#append(page);
            }
        } catch (error) {
            if (run === this.#run) {
                this.#failed(error);
            }
            return;
        } finally {
            if (run === this.#run) {
                this.#setBusy(false);
            }
        }
        if (run === this.#run) {
            this.#lookAgain();
        }
    }

    /** Adds an item that is not there yet, and tells whether it did. */
    insert(item) {
        if (this.#elements.has(item.id) || this.#gone.has(item.id)) {
            return false;
        }
        const element = this.#render(item);
        this.#elements.set(item.id, element);
        this.list.insertBefore(element, this.#sorted ? this.#below(item.id) : this.list.firstElementChild);
        return true;
    }

    /** Adds items, and numbers all again. */
    insertAll(items) {
        const added = items.filter((item) => this.insert(item));
        this.#number(0);
        this.#showEnd();
        return added.map((item) => this.#elements.get(item.id));
    }

    /** Removes an item for ever: a page that is under way does not bring it back. */
    remove(id) {
        this.#gone.add(id);
        this.removeAll([id]);
    }

    removeAll(ids) {
        const removed = ids.filter((id) => this.#elements.has(id));
        removed.forEach((id) => this.#take(id));
        if (removed.length > 0) {
            this.#number(0);
            this.#showEnd();
        }
    }

    #take(id) {
        const element = this.#elements.get(id);
        const neighbour = element.contains(document.activeElement)
            ? (element.nextElementSibling ?? element.previousElementSibling)
            : null;
        element.remove();
        this.#elements.delete(id);
        neighbour?.focus();
    }

    /** Stops reading while the caller reads pages itself, and waits for the page that is under way. */
    async lock() {
        this.#locked = true;
        while (this.#busy) {
            await new Promise((done) => setTimeout(done, 20));
        }
    }

    /** Continues reading at a page; null is the end. */
    unlock(next) {
        this.#locked = false;
        this.#next = next;
        this.ended = next === null;
        this.#showEnd();
        this.#lookAgain();
    }

    /** Reads from the beginning again. */
    restart() {
        this.#run++;
        this.#elements.clear();
        this.list.replaceChildren();
        this.#next = this.#first;
        this.ended = false;
        this.#setBusy(false);
        return this.more();
    }

    close() {
        this.#run++;
        this.ended = true;
        this.#watch.disconnect();
    }

    #append({ items, next, seam }) {
        const before = this.list.childElementCount;
        let last = null;
        for (const item of items) {
            if (this.#elements.has(item.id) || this.#gone.has(item.id)) {
                continue;
            }
            last = this.#render(item);
            this.#elements.set(item.id, last);
            this.list.insertBefore(last, this.#sorted ? this.#below(item.id) : null);
        }
        if (seam && last) {
            last.dataset.seam = seam;
        }
        this.#next = next;
        this.ended = !next;
        this.#number(this.#sorted ? 0 : before);
        this.#showEnd();
        this.onPage();
    }

    /** The first element that is older than the id, or null. */
    #below(id) {
        const last = this.list.lastElementChild;
        if (!last || compareIds(id, last.dataset.id) < 0) {
            return null;
        }
        let element = this.list.firstElementChild;
        while (element && compareIds(element.dataset.id, id) > 0) {
            element = element.nextElementSibling;
        }
        return element;
    }

    #number(from) {
        const elements = this.list.children;
        const size = this.ended ? elements.length : -1;
        for (let index = this.ended ? 0 : from; index < elements.length; index++) {
            elements[index].setAttribute("aria-posinset", index + 1);
            elements[index].setAttribute("aria-setsize", size);
        }
    }

    /** An observer reports changes only: to begin anew reports an end that is still near. */
    #lookAgain() {
        if (!this.ended) {
            this.#watch.unobserve(this.#tail);
            this.#watch.observe(this.#tail);
        }
    }

    #setBusy(busy) {
        this.#busy = busy;
        this.list.setAttribute("aria-busy", busy);
    }

    #showEnd() {
        this.list.hidden = this.#elements.size === 0; // a feed without articles is none for screen readers
        if (this.#elements.size === 0 && this.ended) {
            this.#tail.replaceChildren(h("div", { class: "empty" }, this.#empty()));
        } else if (this.ended) {
            this.#tail.replaceChildren(h("p", { class: "ended" }, "The beginning"));
        } else {
            this.#tail.replaceChildren();
        }
    }

    #failed(error) {
        const retry = h("button", { type: "button", class: "quiet", onclick: () => this.more() }, "Try again");
        this.#tail.replaceChildren(
            h(
                "div",
                { class: "notice bad", role: "alert" },
                h("p", null, `The next page failed. ${error.message}`),
                retry,
            ),
        );
    }
}
