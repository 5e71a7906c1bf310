package io.feedkit.examples.microblog.web;

import io.feedkit.counter.FeedCounters;
import io.feedkit.spring.SpringTransactions;
import org.springframework.stereotype.Component;

/** FeedKit's counters in the transaction of the caller, if there is one. */
@Component
public class JoinedCounters {

    private final FeedCounters counters;
    private final SpringTransactions transactions;

    JoinedCounters(FeedCounters counters, SpringTransactions transactions) {
        this.counters = counters;
        this.transactions = transactions;
    }

    public FeedCounters get() {
        return transactions.find().map(counters::in).orElse(counters);
    }
}
