package io.feedkit.examples.microblog.oauth;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** What a token permits: words such as {@code read} or {@code write:statuses}. */
final class Scopes {

    static final String DEFAULT = "read";

    private static final int MOST_CHARACTERS = 200;

    private static final Set<String> KNOWN = Set.of("read", "write", "follow", "push", "profile");

    private Scopes() {}

    static List<String> words(String scopes) {
        return Stream.of(scopes.strip().split("[ +]+")).distinct().toList();
    }

    static boolean areKnown(String scopes) {
        return words(scopes).stream().allMatch(word -> KNOWN.contains(kind(word)));
    }

    /** Whether an app with these scopes may get a token with those. */
    static boolean include(String granted, String wanted) {
        List<String> all = words(granted);
        return wanted.length() <= MOST_CHARACTERS
                && words(wanted).stream().allMatch(word -> all.contains(word) || all.contains(kind(word)));
    }

    /** Whether a token with these scopes may make a request. */
    static boolean permit(String granted, boolean reading, String path) {
        String kind = reading ? "read" : "write";
        String part = part(path);
        List<String> all = words(granted);
        return all.contains(kind)
                || all.contains(kind + ":" + part)
                || (!reading && part.equals("follows") && all.contains("follow"))
                || (reading && path.endsWith("/verify_credentials") && all.contains("profile"));
    }

    /** The part of the API that a path belongs to, as in {@code write:favourites}. */
    private static String part(String path) {
        if (path.matches(".*/(follow|unfollow|relationships|followers|following)")) {
            return "follows";
        }
        if (path.matches(".*/(favourite|unfavourite|favourited_by)")) {
            return "favourites";
        }
        if (path.startsWith("/api/v1/notifications")) {
            return "notifications";
        }
        if (path.startsWith("/api/v1/accounts") && !path.endsWith("/statuses")) {
            return "accounts";
        }
        return path.startsWith("/api/v2/search") ? "search" : "statuses";
    }

    private static String kind(String word) {
        int colon = word.indexOf(':');
        return colon < 0 ? word : word.substring(0, colon);
    }
}
