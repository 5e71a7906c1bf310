package io.feedkit.tools.counters;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.feedkit.unread.UnreadCounts;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The values of all counters that a trace names, one fact per line, sorted.
 *
 * @param lines the facts
 */
record State(List<String> lines) {

    static State read(Trace trace, Player player) {
        CounterNames names = CounterNames.of(trace);
        List<String> lines = new ArrayList<>();
        for (String user : names.users) {
            UnreadCounts counts = player.unread.get(user);
            counts.byType().forEach((type, count) -> lines.add("typed " + user + " " + type + " " + count));
            add(lines, "total " + user, counts.total());
            List<Long> unread = player.conversations.get(user, List.copyOf(names.conversations));
            int next = 0;
            for (String conversation : names.conversations) {
                add(lines, "conv " + user + " " + conversation, unread.get(next));
                next++;
            }
            player.likes
                    .reacted(user, List.copyOf(names.posts))
                    .forEach(post -> lines.add("liked " + user + " " + post));
        }
        trace.users().forEach((user, segments) -> {
            add(lines, "notices " + user, player.announcements.get(user, segments));
            player.dots.get(user, names.dots).forEach(dot -> lines.add("dot " + user + " " + dot));
        });
        for (String post : names.posts) {
            add(lines, "likes " + post, player.likes.get(List.of(post)).get(0));
            add(lines, "views " + post, player.views.get(List.of(post)).get(0));
        }
        for (CounterNames.Counter counter : names.counters) {
            add(
                    lines,
                    "count " + counter.type() + " " + counter.id(),
                    player.counters.get(counter.type(), counter.id()));
        }
        lines.add("refused " + player.refused());
        Collections.sort(lines);
        return new State(List.copyOf(lines));
    }

    private static void add(List<String> lines, String fact, long count) {
        if (count != 0) {
            lines.add(fact + " " + count);
        }
    }

    String digest() {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            lines.forEach(line -> digest.update((line + "\n").getBytes(US_ASCII)));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The legal names in a trace. */
    private static final class CounterNames {
        private record Counter(String type, String id) {}

        private final Set<String> users = new TreeSet<>();
        private final Set<String> conversations = new TreeSet<>();
        private final Set<String> posts = new TreeSet<>();
        private final Set<String> dots = new TreeSet<>();
        private final Set<Counter> counters = new java.util.LinkedHashSet<>();

        private static CounterNames of(Trace trace) {
            CounterNames names = new CounterNames();
            names.users.addAll(trace.users().keySet());
            trace.stretches().forEach(stretch -> stretch.forEach(names::take));
            return names;
        }

        private void take(Operation line) {
            switch (line.name()) {
                case "inc" -> add(users, line.argument(0));
                case "incall" -> line.list(2).forEach(user -> add(users, user));
                case "join" -> {
                    add(conversations, line.argument(0));
                    add(users, line.argument(1));
                }
                case "light", "lightfor" -> add(dots, line.argument(0));
                case "like", "view" -> {
                    add(users, line.argument(0));
                    add(posts, line.argument(1));
                }
                case "add" -> {
                    if (isLegal(line.argument(0)) && isLegal(line.argument(1))) {
                        counters.add(new Counter(line.argument(0), line.argument(1)));
                    }
                }
                default -> {}
            }
        }

        private static void add(Set<String> names, String name) {
            if (isLegal(name)) {
                names.add(name);
            }
        }

        private static boolean isLegal(String name) {
            return name.matches("[!-~]{1,64}");
        }
    }
}
