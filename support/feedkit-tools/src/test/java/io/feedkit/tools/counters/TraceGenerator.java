package io.feedkit.tools.counters;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/**
 * Makes traces up. What stands between two {@code sync} lines may be done in any order: it is one line, or many of one
 * kind whose order does not matter.
 */
final class TraceGenerator {

    private static final List<String> USERS =
            List.of("7", "07", "a:b", "{a}", "a*", "!", "u1", "u2", "u3", "x".repeat(64));
    private static final List<String> SEGMENTS = List.of("*", "vip", "de");
    private static final List<String> AMOUNTS =
            List.of("1", "2", "3", "1000", "1000000000", "0", "-1", "1000000001", "x");

    private final Random random;
    private final int lines;
    private long millis = 1_700_000_000_000L;
    private int tags;
    private int firstTag;

    TraceGenerator(long seed, int lines) {
        this.random = new Random(seed);
        this.lines = lines;
    }

    List<String> trace() {
        List<String> trace = new ArrayList<>(List.of("# made up", "window 1000"));
        USERS.forEach(user -> trace.add("user " + user + (random.nextBoolean() ? "" : " vip,de")));
        while (trace.size() < lines) {
            if (random.nextInt(4) == 0) {
                Supplier<String> kind = anyOrder();
                for (int i = random.nextInt(12); i >= 0; i--) {
                    trace.add(millis + " " + kind.get());
                }
            } else {
                trace.add(millis + " " + line());
            }
            if (random.nextInt(40) == 0) {
                // What is lost without having been written is gone.
                trace.addAll(List.of("sync", millis + " flush", "sync", millis + " lose"));
            }
            trace.add("sync");
            millis += 1 + random.nextInt(400);
        }
        return trace;
    }

    private Supplier<String> anyOrder() {
        return switch (random.nextInt(8)) {
            case 0 -> () -> "inc " + user() + " " + type() + " " + amountOnce("");
            case 1 -> () -> "incall " + type() + " " + amountOnce(" " + user() + "," + user());
            case 2 -> () -> "add " + type() + " " + post() + " " + amountOnce("");
            case 3 -> () -> "like " + user() + " " + post();
            case 4 -> () -> "unlike " + user() + " " + post();
            case 5 -> () -> "view " + user() + " " + post();
            case 6 -> () -> "join " + conversation() + " " + user();
            default -> () -> "tap " + user() + " " + dot();
        };
    }

    private String line() {
        return switch (random.nextInt(24)) {
            case 0 -> "clear " + user() + " " + type();
            case 1 -> "clearall " + user();
            case 2 -> "peek " + user() + " " + type() + " t" + tags++;
            case 3 -> "clearseen t" + (firstTag + random.nextInt(tags - firstTag + 1));
            case 4 -> "retract " + user() + " " + type() + " " + amount();
            case 5 -> "leave " + conversation() + " " + user();
            case 6, 7, 8 -> "msg " + conversation() + " " + user();
            case 9 -> "read " + conversation() + " " + user() + " " + (random.nextInt(20) - 1);
            case 10 -> "readall " + conversation() + " " + user();
            case 11 -> "unsend " + conversation() + " " + random.nextInt(12);
            case 12, 13 -> "notice n" + random.nextInt(20) + " " + one(SEGMENTS);
            case 14 -> "withdraw n" + random.nextInt(20);
            case 15 -> "enter " + user();
            case 16 -> "saw " + user();
            case 17 -> "light " + dot();
            case 18 -> "lightfor " + dot() + " " + user() + "," + user();
            case 19 -> "douse " + dot();
            case 20 -> "tap " + user() + " " + dot() + " " + random.nextInt(6);
            case 21 -> random.nextInt(3) == 0 ? "drop " + post() : "flush";
            case 22 -> random.nextInt(3) == 0 ? forget() : "saw " + user();
            default -> anyOrder().get();
        };
    }

    /** What was read before a user is forgotten is not cleared with afterwards. */
    private String forget() {
        firstTag = tags;
        return "forget " + user();
    }

    private String one(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private String user() {
        return one(USERS);
    }

    private String type() {
        return one(List.of("like", "x:{y}*", "7"));
    }

    private String post() {
        return one(List.of("p1", "P1", "07", "{p}"));
    }

    private String conversation() {
        return one(List.of("c1", "C1", "u1"));
    }

    private String dot() {
        return one(List.of("d1", "me/settings"));
    }

    private String amount() {
        return random.nextInt(3) == 0 ? one(AMOUNTS) : Integer.toString(1 + random.nextInt(5));
    }

    /**
     * An amount and what follows it, and perhaps an operation's id, which comes again only soon, and with the same
     * amount and what follows it.
     */
    private String amountOnce(String following) {
        String amount = amount() + following;
        return amount + (random.nextInt(3) == 0 ? " o" + millis + "/" + Integer.toHexString(amount.hashCode()) : "");
    }
}
