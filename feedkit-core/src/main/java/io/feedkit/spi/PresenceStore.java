package io.feedkit.spi;

import io.feedkit.Beta;
import io.feedkit.internal.check.Arguments;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * When each reader was last seen, and until when each reader counts as online. Engines report both again and again, and
 * the later time wins. So reports may come in any order, from any number of engines, and more than once. If an engine
 * dies, its readers are not reported any more, and go offline by time.
 *
 * <p>Presence is not part of the source of truth: a store may lose it. Connected readers are then online again after an
 * interval of their engines, and other readers after their next visit. A store should still never invent presence.
 *
 * <p>The store's clock measures all times. So engines report durations, and clocks of engines are never compared.
 *
 * @since 0.1.0
 */
@Beta
public interface PresenceStore {

    /**
     * A report about one reader.
     *
     * @param reader the reader
     * @param seenAgoMillis how long ago the reader was last seen, at least 0
     * @param onlineMillis how long the reader counts as online from now on, at least 0; 0 does not make the reader
     *     online, and does not end an earlier report either
     */
    record Sighting(String reader, long seenAgoMillis, long onlineMillis) {
        /** Refuses null and negative durations. */
        public Sighting {
            Arguments.nonNull("reader", reader);
            Arguments.atLeast("seenAgoMillis", seenAgoMillis, 0);
            Arguments.atLeast("onlineMillis", onlineMillis, 0);
        }
    }

    /**
     * What the store knows of a reader.
     *
     * @param online whether the reader is online now
     * @param lastSeen when the reader was last seen, by the store's clock, in milliseconds; {@code 0} if the store does
     *     not know
     */
    record Status(boolean online, long lastSeen) {
        /** The status of a reader of whom the store knows nothing. */
        public static final Status UNKNOWN = new Status(false, 0);
    }

    /**
     * A reader who was seen, and the place of that reader in the list of {@link #online}. The list is ordered by time,
     * the latest first, and readers of one time by the bytes of their ids, the highest first.
     *
     * @param reader the reader
     * @param lastSeen when the reader was last seen, by the store's clock, in milliseconds
     */
    record Seen(String reader, long lastSeen) {
        /** The place above all readers, where the list begins. */
        public static final Seen TOP = new Seen("", Long.MAX_VALUE);

        /** Refuses null. */
        public Seen {
            Arguments.nonNull("reader", reader);
        }
    }

    /**
     * A part of the list of readers who are online.
     *
     * @param readers readers in the order of the list; possibly none, although there are more
     * @param next the place below which the list continues; absent only at its end
     */
    record OnlinePage(List<Seen> readers, Optional<Seen> next) {
        /** Copies the readers. */
        public OnlinePage {
            readers = List.copyOf(Arguments.nonNull("readers", readers));
            Arguments.nonNull("next", next);
        }
    }

    /**
     * Records reports. For each reader, one atomic step keeps the later of the stored and the reported time, for both
     * times. So a report never ends or shortens an earlier one. Reports of different readers may be recorded apart: if
     * the call fails, some may have been recorded, and the caller may repeat it.
     *
     * <p>When a reader is offline and was last seen more than {@code keptMillis} ago, the store may forget the reader.
     * It removes such readers by itself, for example in later calls, so that they do not accumulate. If a reader stays
     * online for longer than {@code keptMillis} without being seen, the store may move the time at which the reader was
     * last seen up to {@code keptMillis} ago.
     *
     * @param sightings the reports, in any order; a reader may occur more than once
     * @param keptMillis how long the store keeps the time at which these readers were last seen, at least 1
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached
     * @throws io.feedkit.OutcomeUnknownException if some reports may have been recorded
     */
    void report(List<Sighting> sightings, long keptMillis);

    /**
     * Reads the status of readers, in few round trips for any number of readers. Changes nothing.
     *
     * @param readers the readers; unknown and repeated readers are allowed
     * @return a status for each reader, in their order; {@link Status#UNKNOWN} for a reader who is not known
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached
     */
    List<Status> status(List<String> readers);

    /**
     * Counts the readers who are online. The count is exact if no report and no end of a reader's time comes between.
     *
     * @return the number of readers
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached
     */
    long countOnline();

    /**
     * Lists readers who are online, by when they were last seen, the latest first. The work of a call is bounded: a
     * page may have fewer readers than the limit, or none, although the list continues.
     *
     * <p>A walk over all pages lists a reader exactly once if the reader is online from its first call to its last and
     * is not seen meanwhile. Reports that only make the reader online for longer do not matter. A reader who is seen
     * meanwhile moves up, and is listed at most once.
     *
     * @param below list readers below this place; {@link Seen#TOP} for the beginning. The place need not be a reader's
     * @param limit the most readers to list, at least 1
     * @return the readers, and where the list continues
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached
     */
    OnlinePage online(Seen below, int limit);

    /**
     * Removes all that is known of readers. Idempotent. A later report makes a reader known again.
     *
     * @param readers the readers; unknown and repeated readers are allowed
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached
     * @throws io.feedkit.OutcomeUnknownException if some readers may have been removed
     */
    void forget(Collection<String> readers);
}
