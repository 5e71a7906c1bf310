package io.feedkit.examples.microblog.world;

import io.feedkit.FeedKitException;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.Accounts;
import io.feedkit.examples.microblog.status.Status;
import io.feedkit.examples.microblog.status.Statuses;
import io.feedkit.examples.microblog.web.ApiException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.dao.DataAccessException;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/** The invented accounts go on: every few seconds, one of them posts, replies, boosts or likes. */
@Component
@ConditionalOnExpression("'${microblog.world}' == 'small' and !${microblog.quiet}")
class Poster {

    private static final Logger log = LoggerFactory.getLogger(Poster.class);
    private static final int REMEMBERED = 20;

    private final Accounts accounts;
    private final Statuses statuses;
    private final Random random = new Random();
    private final Deque<Status> recent = new ArrayDeque<>();

    Poster(Accounts accounts, Statuses statuses) {
        this.accounts = accounts;
        this.statuses = statuses;
    }

    @Scheduled(initialDelayString = "PT5S", fixedDelayString = "${microblog.pace:PT4S}")
    void act() {
        String name = any(Texts.PEOPLE)[0];
        try {
            accounts.findByName(name).ifPresent(this::act);
        } catch (ApiException e) {
            recent.clear(); // somebody has deleted what was to be liked
        } catch (FeedKitException | DataAccessException | TransactionException e) {
            log.warn("{} could not post: {}", name, e.toString());
        }
    }

    private void act(Account account) {
        int kind = random.nextInt(10);
        if (recent.isEmpty() || kind < 5) {
            remember(statuses.post(account, any(Texts.POSTS), OptionalLong.empty()));
            return;
        }
        long status = any(List.copyOf(recent)).id();
        if (kind < 7) {
            remember(statuses.post(account, any(Texts.REPLIES), OptionalLong.of(status)));
        } else if (kind < 8) {
            statuses.reblog(account, status);
        } else {
            statuses.favourite(account, status);
        }
    }

    private void remember(Status status) {
        recent.addFirst(status);
        if (recent.size() > REMEMBERED) {
            recent.removeLast();
        }
    }

    private <T> T any(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
