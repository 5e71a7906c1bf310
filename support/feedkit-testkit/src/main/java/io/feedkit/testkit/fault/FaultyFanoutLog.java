package io.feedkit.testkit.fault;

import io.feedkit.spi.FanoutLog;
import io.feedkit.spi.KeyRange;
import io.feedkit.spi.PulledRegister;
import java.util.Collection;
import java.util.List;

/** The fan-out log over a connection. */
record FaultyFanoutLog(FanoutLog delegate, Connection connection) implements FanoutLog {

    @Override
    public List<Claim> claim(int max, long leaseMillis) {
        return connection.write(
                "fanout.claim", () -> delegate.claim(max, leaseMillis), () -> delegate.claim(1, leaseMillis));
    }

    @Override
    public List<Boolean> checkpoint(List<Progress> progress, long leaseMillis) {
        return connection.write(
                "fanout.checkpoint",
                () -> delegate.checkpoint(progress, leaseMillis),
                () -> delegate.checkpoint(Halves.of(progress), leaseMillis));
    }

    @Override
    public List<Boolean> release(List<Release> releases) {
        return connection.write(
                "fanout.release", () -> delegate.release(releases), () -> delegate.release(Halves.of(releases)));
    }

    @Override
    public List<Boolean> finish(List<Claim> claims, long retainMillis) {
        return connection.write(
                "fanout.finish",
                () -> delegate.finish(claims, retainMillis),
                () -> delegate.finish(Halves.of(claims), retainMillis));
    }

    @Override
    public List<Boolean> fail(List<Failure> failures) {
        return connection.write("fanout.fail", () -> delegate.fail(failures), () -> delegate.fail(Halves.of(failures)));
    }

    @Override
    public boolean bury(Claim claim, String reason) {
        return connection.write("fanout.bury", () -> delegate.bury(claim, reason));
    }

    @Override
    public boolean split(Claim claim, List<KeyRange> ranges) {
        return connection.write("fanout.split", () -> delegate.split(claim, ranges));
    }

    @Override
    public boolean retractAgain(Claim claim, long delayMillis) {
        return connection.write("fanout.retractAgain", () -> delegate.retractAgain(claim, delayMillis));
    }

    @Override
    public boolean catchUp(String author, PulledRegister.Entry entry) {
        return connection.write("fanout.catchUp", () -> delegate.catchUp(author, entry));
    }

    @Override
    public Depth depth() {
        return connection.read("fanout.depth", delegate::depth);
    }

    @Override
    public List<Dead> dead(String after, int limit) {
        return connection.read("fanout.dead", () -> delegate.dead(after, limit));
    }

    @Override
    public int replay(Collection<String> ids) {
        return connection.write("fanout.replay", () -> delegate.replay(ids), () -> delegate.replay(Halves.of(ids)));
    }

    @Override
    public int reopen(long finishedSince) {
        return connection.write("fanout.reopen", () -> delegate.reopen(finishedSince));
    }

    @Override
    public Watch watch(Runnable wakeUp) {
        return delegate.watch(wakeUp);
    }
}
