import { get } from "./api.js";
import { h } from "./dom.js";
import { PagedFeed } from "./paged-feed.js";
import { renderPost } from "./post.js";

/** The home feed with the most liked of the newest posts first. */
export function topFeed() {
    const path = (after) => `/api/feedkit/top?limit=20${after ? `&after=${encodeURIComponent(after)}` : ""}`;
    const feed = new PagedFeed({
        label: "Home, the most liked first",
        first: path(null),
        read: async (from) => {
            try {
                const { items, next } = await get(from);
                return { items, next: next ? path(next) : null };
            } catch (error) {
                if (error.status !== 410) {
                    throw error;
                }
                feed.restart(); // the ranking expired
                return { items: [], next: path(null) };
            }
        },
        render: renderPost,
        empty: emptyHome,
    });
    return feed;
}

export function emptyHome() {
    return [
        h("p", null, "Your feed is empty. Follow somebody, and their posts appear here."),
        h("a", { class: "primary", href: "#/people" }, "Find people"),
    ];
}
