package io.feedkit.examples.microblog.status;

import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.web.util.HtmlUtils;

/** The text of a status, and the HTML that shows it. */
public final class StatusText {

    public static final int MAX_LENGTH = 500;

    private static final Pattern LINK =
            Pattern.compile("(?<url>\\bhttps?://[^\\s<>\"']*[^\\s<>\"'.,;:!?)])|(?<![\\w/@.])@(?<name>\\w{1,30})\\b");

    private StatusText() {}

    /** The names that a text mentions, whether or not there are such accounts. */
    static Set<String> names(String text) {
        return LINK.matcher(text)
                .results()
                .map(found -> found.group(2))
                .filter(name -> name != null)
                .map(name -> name.toLowerCase(Locale.ROOT))
                .collect(Collectors.toSet());
    }

    /** The text as HTML. Everything is escaped, and only links and mentions of accounts are elements. */
    static String html(String text, Map<String, String> urlsByName) {
        StringBuilder html = new StringBuilder();
        String plain = text.strip().replace("\r\n", "\n");
        Matcher matcher = LINK.matcher(plain);
        int end = 0;
        while (matcher.find()) {
            html.append(escaped(plain.substring(end, matcher.start()))).append(element(matcher, urlsByName::get));
            end = matcher.end();
        }
        html.append(escaped(plain.substring(end)));
        return html.isEmpty()
                ? ""
                : "<p>" + html.toString().replaceAll("\n{2,}", "</p><p>").replace("\n", "<br />") + "</p>";
    }

    private static String element(MatchResult found, Function<String, String> urls) {
        String text = escaped(found.group());
        String name = found.group(2);
        if (name == null) {
            return "<a href=\"" + text + "\" rel=\"nofollow noopener noreferrer\" target=\"_blank\">" + text + "</a>";
        }
        String url = urls.apply(name.toLowerCase(Locale.ROOT));
        return url == null ? text : "<a href=\"" + escaped(url) + "\" class=\"u-url mention\">" + text + "</a>";
    }

    private static String escaped(String text) {
        return HtmlUtils.htmlEscape(text, StandardCharsets.UTF_8.name());
    }
}
