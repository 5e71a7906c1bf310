package io.feedkit.examples.microblog.oauth;

import java.util.List;
import java.util.Set;

/** What a token permits: words such as {@code read} or {@code write:statuses}. */
final class Scopes {

    static final String DEFAULT = "read";

    private static final Set<String> KNOWN = Set.of("read", "write", "follow", "push", "profile");

    private Scopes() {}

    static List<String> words(String scopes) {
        return List.of(scopes.strip().split("[ +]+"));
    }

    static boolean areKnown(String scopes) {
        return words(scopes).stream().allMatch(word -> KNOWN.contains(kind(word)));
    }

    /** Whether an app with these scopes may get a token with those. */
    static boolean include(String granted, String wanted) {
        List<String> all = words(granted);
        return words(wanted).stream().allMatch(word -> all.contains(word) || all.contains(kind(word)));
    }

    static boolean permit(String granted, boolean reading) {
        return words(granted).stream()
                .map(Scopes::kind)
                .anyMatch(kind -> reading ? kind.equals("read") || kind.equals("profile") : isWriting(kind));
    }

    private static boolean isWriting(String kind) {
        return kind.equals("write") || kind.equals("follow");
    }

    private static String kind(String word) {
        int colon = word.indexOf(':');
        return colon < 0 ? word : word.substring(0, colon);
    }
}
