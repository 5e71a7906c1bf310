package io.feedkit.internal.signal;

import java.util.Collection;
import java.util.List;

/**
 * Takes the signals of this engine. A signal is sent after its change is in the store, and before the change is
 * recorded as done, so that a repetition sends it again. Thread-safe; neither blocks nor throws.
 */
public interface FeedSignals {

    /** Drops all signals. */
    FeedSignals NONE = new FeedSignals() {

        @Override
        public boolean areWanted() {
            return false;
        }

        @Override
        public void send(List<? extends Signal> signals) {}

        @Override
        public void follows(String reader, Collection<String> authors, boolean following) {}
    };

    /** Whether anybody receives signals. If not, the caller need not make them. */
    boolean areWanted();

    /** Sends signals, in their order. */
    void send(List<? extends Signal> signals);

    /** Reports that a reader follows authors, or does not follow them any more. When this returns, it is in effect. */
    void follows(String reader, Collection<String> authors, boolean following);
}
