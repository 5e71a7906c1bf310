package io.feedkit.fanout;

/** The same mode for everybody. */
record SamePolicy(FanoutMode mode) implements FanoutPolicy {

    @Override
    public FanoutMode decide(AuthorStatus author) {
        return mode;
    }
}
