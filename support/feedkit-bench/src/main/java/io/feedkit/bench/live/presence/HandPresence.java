package io.feedkit.bench.live.presence;

import java.util.List;

/** Who is online, by hand: the time until which each reader is online, and nothing else. Used by one thread. */
interface HandPresence {

    /** How many readers are reported in one call, as by FeedKit. */
    int AT_ONCE = 10_000;

    /** Reports readers as online until a time, at most {@link #AT_ONCE}. */
    void report(List<String> readers, long until);

    /** Counts the readers among some who are online. */
    int online(List<String> readers);
}
