package io.feedkit.bench;

import java.time.Duration;

/**
 * The size and duration of a run.
 *
 * @param rounds how often value and baseline are measured; medians are printed
 * @param window how long one short measurement lasts
 * @param idle how long readers are watched while nothing else happens
 * @param followers the number of followers of the author with very many
 */
public record Scale(int rounds, Duration window, Duration idle, int followers) {

    /** For figures in the documentation. */
    public static final Scale FULL = new Scale(7, Duration.ofMillis(500), Duration.ofSeconds(4), 10_000_000);

    /** For a quick run. */
    public static final Scale QUICK = new Scale(3, Duration.ofMillis(30), Duration.ofMillis(500), 1_000_000);

    /** The smallest number of followers. A tenth of a percent of them, but at least a few, are live. */
    static final int MIN_FOLLOWERS = 10_000;

    /** The largest number of followers, so that their ids fit into eight digits. */
    static final int MAX_FOLLOWERS = 50_000_000;

    /** Checks the numbers. */
    public Scale {
        if (rounds < 1 || rounds > 1000) {
            throw new IllegalArgumentException("rounds must be between 1 and 1000, but is " + rounds);
        }
        if (followers < MIN_FOLLOWERS || followers > MAX_FOLLOWERS) {
            throw new IllegalArgumentException(
                    "followers must be between " + MIN_FOLLOWERS + " and " + MAX_FOLLOWERS + ", but is " + followers);
        }
    }

    Scale withRounds(int other) {
        return new Scale(other, window, idle, followers);
    }

    Scale withFollowers(int other) {
        return new Scale(rounds, window, idle, other);
    }
}
