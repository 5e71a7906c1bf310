package io.feedkit.redis.internal.counter;

import io.feedkit.redis.internal.format.Arguments;
import io.feedkit.spi.counter.Owner;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A script's keys and arguments for one step of an owner. Not thread-safe until it is complete.
 *
 * @param bucket the bucket of the owner's keys
 * @param keys the keys of the step
 * @param values the letters of the step, and its values
 */
record StepArguments(int bucket, List<byte[]> keys, List<byte[]> values) {

    /** Begins a step. Its letters are the letter of the owner's kind, and others. */
    static StepArguments of(Owner owner, String letters, List<byte[]> keys) {
        List<byte[]> values = new ArrayList<>();
        values.add(Arguments.text(OwnerKind.of(owner.space()).letter() + letters));
        return new StepArguments(OwnerKeys.bucket(owner), new ArrayList<>(keys), values);
    }

    StepArguments key(byte[] key) {
        keys.add(key);
        return this;
    }

    StepArguments text(String text) {
        return value(text.getBytes(StandardCharsets.US_ASCII));
    }

    StepArguments decimal(int number) {
        return value(Arguments.number(number));
    }

    StepArguments number(long number) {
        return value(CompactNumbers.of(number));
    }

    StepArguments member(String name) {
        return value(MemberCodec.field(name));
    }

    StepArguments label(String label) {
        values.addAll(MemberCodec.label(label));
        return this;
    }

    private StepArguments value(byte[] value) {
        values.add(value);
        return this;
    }
}
