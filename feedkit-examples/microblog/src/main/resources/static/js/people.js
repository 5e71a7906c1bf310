import { get, readPage } from "./api.js";
import { h, newId } from "./dom.js";
import { person, withFollowing } from "./follow.js";
import { count } from "./format.js";
import { PagedFeed } from "./paged-feed.js";
import { nameOf } from "./post.js";
import { isMe } from "./session.js";
import { head } from "./view-head.js";

/** The followers of an account, or whom it follows. */
export async function followsView(name, kind) {
    const account = await get(`/api/v1/accounts/lookup?acct=${encodeURIComponent(name)}`);
    const title = kind === "followers" ? `Followers of ${nameOf(account)}` : `${nameOf(account)} follows`;
    const feed = new PagedFeed({
        label: title,
        first: `/api/v1/accounts/${account.id}/${kind}?limit=40`,
        read: async (path) => {
            const page = await readPage(path);
            return { ...page, items: await withFollowing(page.items) };
        },
        render: (one) => person(one, one.following),
        empty: () => h("p", null, "Nobody yet."),
    });
    const root = h("section", null, head(title, { back: true }), feed.root);
    return { title, root, begin: () => feed.more(), close: () => feed.close() };
}

/** A search for accounts, and some to begin with. */
export async function peopleView() {
    const field = newId("search");
    const input = h("input", {
        type: "search",
        id: field,
        placeholder: "Name of an account",
        autocomplete: "off",
        "data-testid": "search",
    });
    const heading = h("h2", { class: "people-title" }, "They wrote lately");
    const list = h("div", { "aria-live": "polite" });
    let latest = 0;
    const show = async (text) => {
        const run = ++latest;
        try {
            const found = await withFollowing(await findPeople(text));
            if (run === latest) {
                heading.textContent = text ? count(found.length, "account") : "They wrote lately";
                list.replaceChildren(...found.map((one) => person(one, one.following)));
            }
        } catch (error) {
            const retry = h("button", { type: "button", class: "quiet", onclick: () => show(text) }, "Try again");
            list.replaceChildren(h("div", { class: "notice bad" }, h("p", null, error.message), retry));
        }
    };
    let typing = null;
    input.addEventListener("input", () => {
        clearTimeout(typing);
        typing = setTimeout(() => show(input.value.trim()), 250);
    });
    const form = h(
        "form",
        { class: "search", role: "search", onsubmit: (event) => event.preventDefault() },
        h("label", { class: "sr", for: field }, "Search accounts"),
        input,
    );
    return { title: "People", root: h("section", null, head("People"), form, heading, list), begin: () => show("") };
}

async function findPeople(text) {
    if (text) {
        const query = encodeURIComponent(text);
        return (await get(`/api/v2/search?type=accounts&limit=40&q=${query}`)).accounts;
    }
    const newest = await get("/api/v1/timelines/public?limit=40");
    const authors = new Map(newest.map((status) => [status.account.id, status.account]));
    return [...authors.values()].filter((account) => !isMe(account));
}
