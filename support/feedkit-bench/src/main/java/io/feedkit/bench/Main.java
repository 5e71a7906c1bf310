package io.feedkit.bench;

import java.io.IOException;

/** Runs the benchmarks; takes JMH's own options. */
public final class Main {

    private Main() {}

    /**
     * Hands the arguments to JMH.
     *
     * @param args JMH's options, {@code -h} lists them
     * @throws IOException if JMH cannot read or write its files
     */
    public static void main(String[] args) throws IOException {
        org.openjdk.jmh.Main.main(args);
    }
}
