package io.feedkit.tools.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Operations made to be hard: ties in time, the same id by several authors, posts dated back, deletes of posts that are
 * not there yet, second publishes, follows of authors with many old posts, and jumps of the clock that outlast every
 * inbox.
 */
final class OpsGenerator {

    private static final long START = 1_700_000_000_000L;
    private static final int HOUR = 3_600_000;

    private final Random random;
    private final int users;
    private final int ids;
    private final List<String> ops = new ArrayList<>();
    private long now = START;

    OpsGenerator(long seed) {
        random = new Random(seed);
        users = 3 + random.nextInt(15);
        ids = random.nextBoolean() ? 30 : 3000;
    }

    List<String> follows() {
        List<String> lines = new ArrayList<>();
        for (int i = random.nextInt(users * 3); i > 0; i--) {
            lines.add(user() + " " + user());
        }
        return lines;
    }

    List<String> ops(int count) {
        while (ops.size() < count) {
            int dice = random.nextInt(100);
            if (dice < 2) {
                burst();
            } else if (dice < 4) {
                followAndBack();
            } else {
                pass();
                single(random.nextInt(100));
            }
        }
        return ops;
    }

    private void single(int dice) {
        if (dice < 50) {
            publish(now, user());
        } else if (dice < 62) {
            add(now, "D", user(), id());
        } else if (dice < 74) {
            add(now, "F", user(), user());
        } else if (dice < 84) {
            add(now, "U", user(), user());
        } else {
            add(now, "R", user());
        }
    }

    /** Many posts of one author, some of the same time; then somebody new follows. */
    private void burst() {
        long author = user();
        for (int i = random.nextInt(60); i > 0; i--) {
            now += random.nextInt(2);
            publish(now, author);
        }
        add(now, "F", user(), author);
    }

    /** One reader makes up their mind again and again. */
    private void followAndBack() {
        long reader = user();
        long author = user();
        for (int i = random.nextInt(6); i >= 0; i--) {
            add(now, random.nextBoolean() ? "F" : "U", reader, author);
            if (random.nextBoolean()) {
                publish(now, author);
            }
            if (random.nextBoolean()) {
                add(now, "R", reader);
            }
        }
    }

    private void publish(long millis, long author) {
        boolean back = random.nextInt(5) == 0;
        add(back ? millis - random.nextInt(random.nextBoolean() ? 1000 : 48 * HOUR) : millis, "P", author, id());
    }

    private void pass() {
        int dice = random.nextInt(100);
        if (dice < 50) {
            now += random.nextInt(3);
        } else if (dice < 53) {
            now += random.nextInt(3 * HOUR);
        }
    }

    private long user() {
        return random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 1 + random.nextInt(users);
    }

    private long id() {
        return random.nextInt(50) == 0 ? 9_999_990 + random.nextInt(20) : random.nextInt(ids);
    }

    private void add(long millis, String operation, long... operands) {
        StringBuilder line = new StringBuilder().append(millis).append(' ').append(operation);
        for (long operand : operands) {
            line.append(' ').append(operand);
        }
        ops.add(line.toString());
    }
}
