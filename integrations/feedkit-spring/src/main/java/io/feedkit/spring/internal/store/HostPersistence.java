package io.feedkit.spring.internal.store;

/** What the application's own persistence, such as JPA, must do before FeedKit reads or writes. */
public interface HostPersistence {

    /** An application that writes at once. */
    HostPersistence NONE = new HostPersistence() {
        @Override
        public void prepare() {}

        @Override
        public void flush() {}
    };

    /** Creates the application's tables, if that is its task. Called before the store is built. */
    void prepare();

    /** Writes what the persistence context of the calling thread's transaction holds back. */
    void flush();
}
