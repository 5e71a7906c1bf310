package io.feedkit.examples.microblog.timeline;

import io.feedkit.Post;
import io.feedkit.examples.microblog.account.Account;
import io.feedkit.examples.microblog.account.Accounts;
import io.feedkit.examples.microblog.panel.ReadMeter;
import io.feedkit.examples.microblog.panel.ReadMeter.Measured;
import io.feedkit.examples.microblog.status.BoostRule;
import io.feedkit.examples.microblog.status.Status;
import io.feedkit.examples.microblog.status.StatusRows;
import io.feedkit.examples.microblog.status.StatusView;
import io.feedkit.examples.microblog.status.StatusViews;
import io.feedkit.examples.microblog.web.ApiException;
import io.feedkit.examples.microblog.web.ListPage;
import io.feedkit.examples.microblog.web.PageBounds;
import io.feedkit.examples.microblog.web.PageLinks;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The home feed, an account's statuses, and everybody's. */
@RestController
class TimelineController {

    private final StatusViews views;
    private final StatusRows rows;
    private final BoostRule boosts;
    private final Accounts accounts;
    private final ReadMeter meter;

    TimelineController(StatusViews views, StatusRows rows, BoostRule boosts, Accounts accounts, ReadMeter meter) {
        this.views = views;
        this.rows = rows;
        this.boosts = boosts;
        this.accounts = accounts;
        this.meter = meter;
    }

    @GetMapping("/api/v1/timelines/home")
    ResponseEntity<List<StatusView>> home(Account me, PageBounds bounds, HttpServletRequest request) {
        Measured<ListPage<StatusView>> read = meter.measure(() ->
                Places.read(bounds, page -> views.home(me.key(), page, posts -> boosts.load(me.key(), posts))));
        return answer(read.result(), request, read.header(read.result().newer()));
    }

    @GetMapping("/api/v1/accounts/{id}/statuses")
    ResponseEntity<List<StatusView>> ofAccount(
            Account me,
            @PathVariable long id,
            PageBounds bounds,
            @RequestParam(name = "exclude_replies", defaultValue = "false") boolean excludeReplies,
            @RequestParam(name = "exclude_reblogs", defaultValue = "false") boolean excludeReblogs,
            @RequestParam(name = "only_media", defaultValue = "false") boolean onlyMedia,
            @RequestParam(defaultValue = "false") boolean pinned,
            HttpServletRequest request) {
        Account author = accounts.find(id).orElseThrow(ApiException::notFound);
        if (onlyMedia || pinned) {
            return ResponseEntity.ok(List.of()); // there are none
        }
        Predicate<Status> wanted =
                status -> !(excludeReplies && status.inReplyToAccountId().isPresent())
                        && !(excludeReblogs && status.reblogOfId().isPresent());
        ListPage<StatusView> page = Places.read(
                bounds, part -> views.ofAccount(author.key(), part, me.key(), posts -> load(posts, wanted)));
        return answer(page, request, new HttpHeaders());
    }

    private Map<Post, Status> load(List<Post> posts, Predicate<Status> wanted) {
        return rows.load(posts).entrySet().stream()
                .filter(entry -> wanted.test(entry.getValue()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    @GetMapping("/api/v1/timelines/public")
    ResponseEntity<List<StatusView>> ofAll(Account me, PageBounds bounds, HttpServletRequest request) {
        boolean upwards = bounds.minId().isPresent();
        List<Status> page = new ArrayList<>(rows.newest(
                bounds.minId().orElse(bounds.sinceId().orElse(0)),
                bounds.maxId().orElse(Long.MAX_VALUE),
                upwards,
                bounds.limit()));
        page.sort(Comparator.comparingLong(Status::id).reversed());
        List<StatusView> items = views.of(me.key(), page);
        boolean atEnd = !upwards && page.size() < bounds.limit();
        return ResponseEntity.ok().headers(links(items, !atEnd, request)).body(items);
    }

    private static ResponseEntity<List<StatusView>> answer(
            ListPage<StatusView> page, HttpServletRequest request, HttpHeaders headers) {
        headers.putAll(links(page.items(), page.older().isPresent(), request));
        return ResponseEntity.ok().headers(headers).body(page.items());
    }

    private static HttpHeaders links(List<StatusView> items, boolean older, HttpServletRequest request) {
        Optional<String> lowest = items.isEmpty() || !older
                ? Optional.empty()
                : Optional.of(items.get(items.size() - 1).id());
        return PageLinks.of(request, lowest, items.stream().map(StatusView::id).findFirst());
    }
}
