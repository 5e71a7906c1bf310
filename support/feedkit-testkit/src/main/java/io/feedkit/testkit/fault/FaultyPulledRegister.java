package io.feedkit.testkit.fault;

import io.feedkit.Post;
import io.feedkit.PostKey;
import io.feedkit.spi.PulledRegister;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The pulled register over a connection. */
record FaultyPulledRegister(PulledRegister delegate, Connection connection) implements PulledRegister {

    @Override
    public long version() {
        return connection.read("pulled.version", delegate::version);
    }

    @Override
    public Optional<LongSupplier> versionLater() {
        return delegate.versionLater().map(asked -> () -> connection.read("pulled.version", asked::getAsLong));
    }

    @Override
    public Snapshot snapshot() {
        return connection.read("pulled.snapshot", delegate::snapshot);
    }

    @Override
    public void put(List<Post> unpushed) {
        connection.write(
                "pulled.put",
                () -> {
                    delegate.put(unpushed);
                    return true;
                },
                () -> delegate.put(Halves.of(unpushed)));
    }

    @Override
    public boolean remove(String author, long version) {
        return connection.write("pulled.remove", () -> delegate.remove(author, version));
    }

    @Override
    public void retracted(List<PostKey> retracted) {
        connection.write(
                "pulled.retracted",
                () -> {
                    delegate.retracted(retracted);
                    return true;
                },
                () -> delegate.retracted(Halves.of(retracted)));
    }
}
