package io.feedkit.spi.counter;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Splits large requests into pieces of {@value CounterReads#AT_ONCE}, so that none takes too long. */
final class Pieces {

    private Pieces() {}

    /** Makes a call for each piece, and returns all answers in order. */
    static <I, A> List<A> of(List<I> things, Function<List<I>, List<A>> call) {
        if (things.size() <= CounterReads.AT_ONCE) {
            return call.apply(things);
        }
        List<A> answers = new ArrayList<>(things.size());
        for (int from = 0; from < things.size(); from += CounterReads.AT_ONCE) {
            answers.addAll(call.apply(things.subList(from, Math.min(things.size(), from + CounterReads.AT_ONCE))));
        }
        return answers;
    }
}
