import { get, readPage } from "./api.js";
import { avatar, banner } from "./avatar.js";
import { hear, tell } from "./bus.js";
import { h, icon } from "./dom.js";
import { followButton } from "./follow.js";
import { exact, short } from "./format.js";
import { safeHtml } from "./html.js";
import { PagedFeed } from "./paged-feed.js";
import { nameOf, profileLink, renderPost } from "./post.js";
import { isMe } from "./session.js";
import { head } from "./view-head.js";

/** An account, and its posts. */
export async function profileView(name) {
    const account = await get(`/api/v1/accounts/lookup?acct=${encodeURIComponent(name)}`);
    const feed = new PagedFeed({
        label: `Posts of ${nameOf(account)}`,
        first: `/api/v1/accounts/${account.id}/statuses?limit=20`,
        read: readPage,
        render: renderPost,
        empty: () => h("p", null, "No posts yet."),
        sorted: true,
    });
    const stop = [
        hear("post-deleted", (id) => feed.remove(id)),
        hear("posted", (status) => isMe(account) && feed.insertAll([status])),
    ];
    const followers = h("b", { title: exact(account.followers_count) }, short(account.followers_count));
    const own = isMe(account);
    const buttons = h("div", { class: "buttons" });
    if (own) {
        const out = h("button", { type: "button", class: "quiet", "data-testid": "log-out" }, icon("out"), "Log out");
        out.addEventListener("click", () => tell("signed-out", "You are logged out."));
        buttons.append(out);
    } else {
        const [relationship] = await get(`/api/v1/accounts/relationships?id[]=${account.id}`);
        buttons.append(
            followButton(account, relationship.following, (by) => {
                account.followers_count += by;
                followers.textContent = short(account.followers_count);
            }),
        );
    }
    const root = h(
        "section",
        null,
        head(own ? "Your profile" : "Profile", { back: true }),
        h(
            "div",
            { class: "profile" },
            banner(account.id),
            h(
                "div",
                { class: "in" },
                h("div", { class: "line" }, avatar(account.id), buttons),
                h(
                    "div",
                    { class: "names" },
                    h("h2", null, nameOf(account)),
                    h("span", { class: "acct" }, `@${account.acct}`),
                ),
                h("div", { class: "bio" }, safeHtml(account.note)),
                h(
                    "p",
                    { class: "counts" },
                    h("span", null, h("b", null, short(account.statuses_count)), " posts"),
                    h(
                        "a",
                        { href: `${profileLink(account)}/following` },
                        h("b", null, short(account.following_count)),
                        " following",
                    ),
                    h("a", { href: `${profileLink(account)}/followers` }, followers, " followers"),
                    h(
                        "span",
                        null,
                        `since ${new Date(account.created_at).toLocaleDateString("en", { month: "long", year: "numeric" })}`,
                    ),
                ),
            ),
        ),
        h("h2", { class: "section-title" }, "Posts"),
        feed.root,
    );
    return {
        title: nameOf(account),
        root,
        begin: () => feed.more(),
        close: () => {
            feed.close();
            stop.forEach((end) => end());
        },
    };
}
