/** Who is logged in. The token lives as long as the tab. */

const KEY = "microblog.token";

export const session = {
    token: sessionStorage.getItem(KEY),
    /** The own account, null before it is known. */
    me: null,

    begin(token) {
        sessionStorage.setItem(KEY, token);
        this.token = token;
    },

    end() {
        sessionStorage.removeItem(KEY);
        this.token = null;
        this.me = null;
    },
};

export const isMe = (account) => session.me?.id === account.id;
