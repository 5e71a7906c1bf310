import { get, post } from "./api.js";
import { avatar } from "./avatar.js";
import { tell } from "./bus.js";
import { h, icon, say, toast } from "./dom.js";
import { plainText } from "./html.js";
import { nameOf, profileLink } from "./post.js";
import { isMe } from "./session.js";

/** A button that follows and unfollows. `changed(1)` or `changed(-1)` is called after it did. */
export function followButton(account, following, changed = () => {}) {
    const button = h("button", { type: "button", class: "primary follow", "data-testid": "follow" });
    const show = (on) => {
        button.dataset.following = on;
        button.setAttribute("aria-label", on ? `Following ${nameOf(account)}, unfollow` : `Follow ${nameOf(account)}`);
        button.replaceChildren(icon(on ? "check" : "follow"), on ? "Following" : "Follow");
    };
    show(following);
    button.addEventListener("click", async () => {
        const wasOn = button.dataset.following === "true";
        button.disabled = true;
        show(!wasOn);
        try {
            await post(`/api/v1/accounts/${account.id}/${wasOn ? "unfollow" : "follow"}`);
            changed(wasOn ? -1 : 1);
            say(wasOn ? `You no longer follow ${nameOf(account)}.` : `You follow ${nameOf(account)}.`);
            tell("follows-changed");
        } catch (error) {
            show(wasOn);
            toast(error.message);
        } finally {
            button.disabled = false;
        }
    });
    return button;
}

/** A row of a list of accounts. */
export function person(account, following) {
    return h(
        "article",
        { class: "row", tabindex: "0", "data-id": account.id, "aria-label": nameOf(account) },
        h("a", { href: profileLink(account), tabindex: "-1", "aria-hidden": "true" }, avatar(account.id)),
        h(
            "div",
            { class: "body" },
            h(
                "a",
                { class: "who", href: profileLink(account) },
                h("span", { class: "name" }, nameOf(account)),
                h("span", { class: "acct" }, `@${account.acct}`),
            ),
            h("p", { class: "note" }, plainText(account.note)),
        ),
        !isMe(account) && followButton(account, following),
    );
}

/** Adds to each account whether the reader follows it: one call for a page. */
export async function withFollowing(accounts) {
    if (accounts.length === 0) {
        return [];
    }
    const query = accounts.map((account) => `id[]=${account.id}`).join("&");
    const found = new Map((await get(`/api/v1/accounts/relationships?${query}`)).map((one) => [one.id, one]));
    return accounts.map((account) => ({ ...account, following: Boolean(found.get(account.id)?.following) }));
}
