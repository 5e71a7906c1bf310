package io.feedkit.redis.internal.counter;

import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.spi.CounterStore.Owner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * What a script is told about one step of an owner. Not thread-safe until it is complete.
 *
 * @param bucket where the owner's keys are
 * @param keys the keys of the step
 * @param values the letters of the step, and what belongs to it
 */
record Step(int bucket, List<byte[]> keys, List<byte[]> values) {

    /** Begins one, whose letters are those of the owner's kind and some others. */
    static Step of(Owner owner, String letters, List<byte[]> keys) {
        List<byte[]> values = new ArrayList<>();
        values.add(Arguments.text(Kind.of(owner.space()).letter() + letters));
        return new Step(OwnerKeys.bucket(owner), new ArrayList<>(keys), values);
    }

    Step key(byte[] key) {
        keys.add(key);
        return this;
    }

    Step text(String text) {
        return value(text.getBytes(StandardCharsets.US_ASCII));
    }

    Step number(long number) {
        return value(Bytes.of(number));
    }

    Step member(String name) {
        return value(Members.field(name));
    }

    Step label(String label) {
        values.addAll(Members.label(label));
        return this;
    }

    private Step value(byte[] value) {
        values.add(value);
        return this;
    }
}
