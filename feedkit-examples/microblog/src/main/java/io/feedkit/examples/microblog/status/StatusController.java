package io.feedkit.examples.microblog.status;

import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.web.ApiException;
import java.util.List;
import java.util.Optional;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Posts, replies, boosts and favourites over HTTP. */
@RestController
class StatusController {

    private static final int LONGEST_KEY = 200;

    private final Statuses statuses;
    private final StatusRows rows;
    private final StatusViews views;

    StatusController(Statuses statuses, StatusRows rows, StatusViews views) {
        this.statuses = statuses;
        this.rows = rows;
        this.views = views;
    }

    record Context(List<StatusView> ancestors, List<StatusView> descendants) {}

    @PostMapping("/api/v1/statuses")
    StatusView post(
            Account me, @RequestBody NewStatus body, @RequestHeader("Idempotency-Key") Optional<String> idempotency) {
        Optional<String> key = idempotency.filter(value -> !value.isEmpty());
        if (key.filter(value -> value.length() > LONGEST_KEY).isPresent()) {
            throw ApiException.badRequest("Idempotency-Key must have at most " + LONGEST_KEY + " characters");
        }
        return view(me, posted(me, key).orElseGet(() -> write(me, body, key)));
    }

    private Status write(Account me, NewStatus body, Optional<String> key) {
        try {
            return statuses.post(me, body.text(), body.parent(), key);
        } catch (DuplicateKeyException e) {
            // A second request with the key came at the same time.
            return posted(me, key).orElseThrow(() -> e);
        }
    }

    private Optional<Status> posted(Account me, Optional<String> key) {
        return key.flatMap(value -> rows.find(me.id(), value));
    }

    @GetMapping("/api/v1/statuses/{id}")
    StatusView show(Account me, @PathVariable long id) {
        return view(me, find(id));
    }

    @DeleteMapping("/api/v1/statuses/{id}")
    StatusView delete(Account me, @PathVariable long id) {
        Status status = find(id);
        StatusView deleted = view(me, status).withText(status.text());
        statuses.delete(me, id);
        return deleted;
    }

    @GetMapping("/api/v1/statuses/{id}/context")
    Context context(Account me, @PathVariable long id) {
        Status status = find(id);
        return new Context(views.of(me.key(), rows.ancestors(status)), views.of(me.key(), rows.descendants(status)));
    }

    @PostMapping("/api/v1/statuses/{id}/favourite")
    StatusView favourite(Account me, @PathVariable long id) {
        statuses.favourite(me, id);
        return view(me, find(id));
    }

    @PostMapping("/api/v1/statuses/{id}/unfavourite")
    StatusView unfavourite(Account me, @PathVariable long id) {
        statuses.unfavourite(me, id);
        return view(me, find(id));
    }

    @PostMapping("/api/v1/statuses/{id}/reblog")
    StatusView reblog(Account me, @PathVariable long id) {
        return view(me, statuses.reblog(me, id));
    }

    @PostMapping("/api/v1/statuses/{id}/unreblog")
    StatusView unreblog(Account me, @PathVariable long id) {
        return view(me, statuses.unreblog(me, id));
    }

    private Status find(long id) {
        return rows.find(id).orElseThrow(ApiException::notFound);
    }

    private StatusView view(Account me, Status status) {
        return views.of(me.key(), status).orElseThrow(ApiException::notFound);
    }
}
