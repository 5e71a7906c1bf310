package io.feedkit.spi;

import static io.feedkit.internal.check.Arguments.nonNull;

import io.feedkit.Beta;
import io.feedkit.health.StorePart;
import java.util.List;
import java.util.Optional;

/**
 * The second level of inboxes: copies for readers who come back after their inbox has ended. A copy is bytes that the
 * engine packs: parts, and a head that names them. It is made while the reader is active, and is never changed. A new
 * copy has parts of its own, and its head replaces the one before.
 *
 * <p>Copies only save work. Engines notice missing and damaged parts, bring a copy up to date and check it before they
 * use it, and build the inbox without one otherwise. So a store may lose any head or part at any time, and may answer
 * with an older head. It must not answer with the bytes of another reader, token or number.
 *
 * <p>Implementations are thread-safe. Every method may be repeated after a failure. Engines store the parts of a copy
 * before they publish its head.
 *
 * @since 0.1.0
 */
@Beta
public interface InboxCopies extends StorePart {

    /** The most bytes of a head, and of a part. */
    int MOST_BYTES = 1 << 16;

    /** The most parts of a copy. */
    int MOST_PARTS = 64;

    /**
     * A part of a copy.
     *
     * @param reader the reader
     * @param token the copy
     * @param number the part's number in the copy, from 0
     * @param content up to {@link #MOST_BYTES} bytes; not copied, and not to be changed
     */
    @SuppressWarnings("ArrayRecordComponent") // compared by nobody, and copied by no store in memory
    record Part(String reader, long token, int number, byte[] content) {

        /** Checks that no value is null. */
        public Part {
            nonNull("reader", reader);
            nonNull("content", content);
        }
    }

    /**
     * The head of a copy. A reader has at most one.
     *
     * @param reader the reader
     * @param token the copy
     * @param content up to {@link #MOST_BYTES} bytes; not copied, and not to be changed
     */
    @SuppressWarnings("ArrayRecordComponent") // as in Part
    record Head(String reader, long token, byte[] content) {

        /** Checks that no value is null. */
        public Head {
            nonNull("reader", reader);
            nonNull("content", content);
        }
    }

    /**
     * Records that these copies belong to a source of truth: the first one that claims them. Engines call this method
     * before they use a store.
     *
     * @param identity the {@link Outbox#identity} of the source of truth
     * @throws io.feedkit.ForeignStoreException if another source of truth has claimed them; nothing was changed
     * @throws io.feedkit.StoreUnavailableException if the store cannot be reached
     */
    void claim(String identity);

    /**
     * Stores parts of copies whose heads are not published yet. After the call every process finds them, until they
     * expire. Atomic for each part.
     *
     * @param parts the parts; a part that is there already is replaced
     * @param lifetimeMillis after which they expire, by the store's clock
     */
    void store(List<Part> parts, long lifetimeMillis);

    /**
     * Publishes heads whose parts are stored. A head replaces the reader's earlier head. Of heads that are published at
     * the same time, or by machines whose clocks differ, any one stays. Atomic for each reader.
     *
     * @param heads the heads, of different readers
     * @param lifetimeMillis after which they expire, by the store's clock
     */
    void publish(List<Head> heads, long lifetimeMillis);

    /**
     * The heads of readers.
     *
     * @param readers the readers
     * @return for each reader the head; empty if there is none, or it has expired or was dropped
     */
    List<Optional<Head>> heads(List<String> readers);

    /**
     * The parts of copies.
     *
     * @param heads heads that {@link #heads} has returned
     * @return for each head the parts of its reader and token, by number, without lost ones
     */
    List<List<Part>> parts(List<Head> heads);

    /**
     * Removes copies: {@link #heads} has no head of these readers that was published before. Parts that no head names
     * may stay until they expire. Idempotent.
     *
     * @param readers the readers
     */
    void drop(List<String> readers);
}
