package io.feedkit.examples.microblog.account;

/** Names of accounts, as clients write them. */
final class Names {

    private Names() {}

    /** The account's name on this server: {@code ann} of {@code @ann@example.org}. */
    static String local(String name) {
        String plain = name.strip().replaceFirst("^@", "");
        int at = plain.indexOf('@');
        return at < 0 ? plain : plain.substring(0, at);
    }
}
