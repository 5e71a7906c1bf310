package io.feedkit.tools.counters;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the counters should say, in plain collections: lists of what there is, nothing kept that can be counted. */
final class CountersOracle {

    private record Pair(String first, String second) {}

    private record Notice(int order, String segment) {}

    private final Map<String, List<String>> users;
    private final long window;
    private final Map<Pair, Long> typed = new TreeMap<>(java.util.Comparator.comparing(Pair::toString));
    private final Map<Pair, Long> seen = new LinkedHashMap<>();
    private final Map<String, Map.Entry<Pair, Long>> peeked = new LinkedHashMap<>();
    private final Map<String, Integer> messages = new LinkedHashMap<>();
    private final Set<Pair> unsent = new HashSet<>();
    private final Map<Pair, Integer> members = new LinkedHashMap<>();
    private final Map<String, Notice> notices = new LinkedHashMap<>();
    private final Set<String> withdrawn = new HashSet<>();
    private final Map<String, Integer> entered = new LinkedHashMap<>();
    private final Map<String, Integer> versions = new TreeMap<>();
    private final Map<String, Integer> lit = new LinkedHashMap<>();
    private final Map<String, Integer> out = new LinkedHashMap<>();
    private final Map<Pair, Integer> litFor = new LinkedHashMap<>();
    private final Map<Pair, Integer> tapped = new LinkedHashMap<>();
    private final Set<Pair> likes = new HashSet<>();
    private final Map<Pair, Long> viewed = new LinkedHashMap<>();
    private final Map<String, Long> views = new LinkedHashMap<>();
    private final Map<Pair, Long> counts = new LinkedHashMap<>();
    private final Set<String> done = new HashSet<>();
    private long refused;

    CountersOracle(Map<String, List<String>> users, long window) {
        this.users = users;
        this.window = window;
    }

    private static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    void play(Operation line) {
        try {
            apply(line);
        } catch (Refused e) {
            refused++;
        }
    }

    private static String id(String id) {
        if (!id.matches("[!-~]{1,64}")) {
            throw new Refused();
        }
        return id;
    }

    private static long number(String text, long least, long most) {
        if (!text.matches("-?[0-9]{1,18}")) {
            throw new Refused();
        }
        long number = Long.parseLong(text);
        if (number < least || number > most) {
            throw new Refused();
        }
        return number;
    }

    private boolean first(Operation line, String key) {
        return !line.has(3) || done.add(key + " " + id(line.argument(3)));
    }

    private void apply(Operation line) {
        List<String> a = line.arguments();
        switch (line.name()) {
            case "inc" -> {
                Pair key = new Pair(id(a.get(0)), id(a.get(1)));
                long n = number(a.get(2), 1, 1_000_000_000);
                if (first(line, "typed " + key)) {
                    typed.merge(key, n, Long::sum);
                }
            }
            case "incall" -> {
                long n = number(a.get(1), 1, 1_000_000_000);
                List<String> all = Arrays.asList(a.get(2).split(",", -1));
                all.forEach(CountersOracle::id);
                new HashSet<>(all).forEach(user -> {
                    Pair key = new Pair(user, id(a.get(0)));
                    if (first(line, "typed " + key)) {
                        typed.merge(key, n * Collections.frequency(all, user), Long::sum);
                    }
                });
            }
            case "clear" -> see(new Pair(id(a.get(0)), id(a.get(1))), Long.MAX_VALUE);
            case "clearall" ->
                typed.keySet().stream()
                        .filter(key -> key.first().equals(a.get(0)))
                        .forEach(key -> see(key, Long.MAX_VALUE));
            case "peek" -> {
                Pair key = new Pair(id(a.get(0)), a.get(1));
                peeked.put(a.get(2), Map.entry(key, typed.getOrDefault(key, 0L)));
            }
            case "clearseen" -> {
                Map.Entry<Pair, Long> shown = peeked.get(a.get(0));
                if (shown != null) {
                    see(shown.getKey(), shown.getValue());
                }
            }
            case "retract" -> {
                Pair key = new Pair(id(a.get(0)), id(a.get(1)));
                see(key, seen.getOrDefault(key, 0L) + number(a.get(2), 1, 1_000_000_000));
            }
            case "add" -> {
                Pair key = new Pair(id(a.get(0)), id(a.get(1)));
                long n = number(a.get(2), -1_000_000_000, 1_000_000_000);
                if (n == 0) {
                    throw new Refused();
                }
                if (first(line, "count " + key)) {
                    counts.merge(key, n, Long::sum);
                }
            }
            default -> applyRest(line, a);
        }
    }

    private void see(Pair key, long upTo) {
        seen.merge(key, Math.min(upTo, typed.getOrDefault(key, 0L)), Math::max);
    }

    private void applyRest(Operation line, List<String> a) {
        switch (line.name()) {
            case "join" -> members.putIfAbsent(new Pair(a.get(0), a.get(1)), messages.getOrDefault(a.get(0), 0));
            case "leave" -> members.remove(new Pair(a.get(0), a.get(1)));
            case "msg" -> {
                requireMember(a);
                members.put(new Pair(a.get(0), a.get(1)), messages.merge(a.get(0), 1, Integer::sum));
            }
            case "read" -> read(a, number(a.get(2), 0, Long.MAX_VALUE));
            case "readall" -> read(a, Long.MAX_VALUE);
            case "unsend" -> {
                number(a.get(1), 1, messages.getOrDefault(a.get(0), 0));
                unsent.add(new Pair(a.get(0), a.get(1)));
            }
            case "notice" -> notices.putIfAbsent(a.get(0), new Notice(notices.size() + 1, a.get(1)));
            case "withdraw" -> {
                if (notices.containsKey(a.get(0))) {
                    withdrawn.add(a.get(0));
                }
            }
            case "enter" -> entered.putIfAbsent(a.get(0), notices.size());
            case "saw" -> entered.put(a.get(0), notices.size());
            case "light" -> lit.put(a.get(0), versions.merge(a.get(0), 1, Integer::sum));
            case "lightfor" -> {
                int version = versions.merge(a.get(0), 1, Integer::sum);
                for (String user : a.get(1).split(",", -1)) {
                    litFor.put(new Pair(user, a.get(0)), version);
                }
            }
            case "douse" -> out.put(a.get(0), versions.getOrDefault(a.get(0), 0));
            case "tap" -> {
                long version = a.size() > 2 ? number(a.get(2), 0, Long.MAX_VALUE) : Long.MAX_VALUE;
                int upTo = (int) Math.min(version, versions.getOrDefault(a.get(1), 0));
                tapped.merge(new Pair(a.get(0), a.get(1)), upTo, Math::max);
            }
            case "like" -> likes.add(new Pair(a.get(0), a.get(1)));
            case "unlike" -> likes.remove(new Pair(a.get(0), a.get(1)));
            case "view" -> {
                Long last = viewed.get(new Pair(a.get(0), a.get(1)));
                if (last == null || line.millis() - last >= window) {
                    viewed.put(new Pair(a.get(0), a.get(1)), line.millis());
                    views.merge(a.get(1), 1L, Long::sum);
                }
            }
            case "drop" -> {
                likes.removeIf(like -> like.second().equals(a.get(0)));
                viewed.keySet().removeIf(view -> view.second().equals(a.get(0)));
                views.remove(a.get(0));
            }
            case "forget" -> forget(a.get(0));
            default -> {} // nothing is kept apart, so nothing is flushed
        }
    }

    private void requireMember(List<String> a) {
        if (!members.containsKey(new Pair(a.get(0), a.get(1)))) {
            throw new Refused();
        }
    }

    private void read(List<String> a, long upTo) {
        requireMember(a);
        int last = (int) Math.min(upTo, messages.getOrDefault(a.get(0), 0));
        members.merge(new Pair(a.get(0), a.get(1)), last, Math::max);
    }

    private void forget(String user) {
        for (Set<Pair> byUser : List.of(typed.keySet(), seen.keySet(), litFor.keySet(), tapped.keySet(), likes)) {
            byUser.removeIf(key -> key.first().equals(user));
        }
        members.keySet().removeIf(key -> key.second().equals(user));
        viewed.keySet().removeIf(key -> key.first().equals(user));
        entered.remove(user);
    }

    List<String> state() {
        Map<String, Long> facts = new TreeMap<>();
        typed.forEach((key, sum) -> {
            long unread = sum - seen.getOrDefault(key, 0L);
            facts.put("typed " + key.first() + " " + key.second(), unread);
            facts.merge("total " + key.first(), unread, Long::sum);
        });
        members.forEach((key, upTo) -> {
            long unread = 0;
            for (int n = upTo + 1; n <= messages.getOrDefault(key.first(), 0); n++) {
                unread += unsent.contains(new Pair(key.first(), Integer.toString(n))) ? 0 : 1;
            }
            facts.put("conv " + key.second() + " " + key.first(), unread);
        });
        Set<String> without = new HashSet<>();
        users.forEach((user, segments) -> {
            Integer from = entered.get(user);
            facts.put(
                    "notices " + user,
                    from == null
                            ? 0
                            : notices.entrySet().stream()
                                    .filter(notice -> !withdrawn.contains(notice.getKey()))
                                    .map(Map.Entry::getValue)
                                    .filter(notice -> notice.order() > from)
                                    .filter(notice ->
                                            notice.segment().equals("*") || segments.contains(notice.segment()))
                                    .count());
            versions.keySet().forEach(dot -> {
                Pair key = new Pair(user, dot);
                int litUpTo = Math.max(lit.getOrDefault(dot, 0), litFor.getOrDefault(key, 0));
                if (litUpTo > Math.max(out.getOrDefault(dot, 0), tapped.getOrDefault(key, 0))) {
                    without.add("dot " + user + " " + dot);
                }
            });
        });
        likes.forEach(like -> {
            without.add("liked " + like.first() + " " + like.second());
            facts.merge("likes " + like.second(), 1L, Long::sum);
        });
        views.forEach((post, count) -> facts.put("views " + post, count));
        counts.forEach((key, count) -> facts.put("count " + key.first() + " " + key.second(), count));
        List<String> lines = new ArrayList<>(without);
        facts.forEach((fact, count) -> {
            if (count != 0) {
                lines.add(fact + " " + count);
            }
        });
        lines.add("refused " + refused);
        Collections.sort(lines);
        return lines;
    }
}
