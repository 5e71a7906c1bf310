package io.feedkit.tools.docs;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/**
 * A page of Markdown.
 *
 * @param path its path from the project's root, with slashes
 * @param source its text
 */
record Page(String path, String source) {

    private static final Parser PARSER =
            Parser.builder().extensions(List.of(TablesExtension.create())).build();

    /** The anchors of the headings, as GitHub makes them. */
    List<String> anchors() {
        List<String> anchors = new ArrayList<>();
        Map<String, Integer> times = new HashMap<>();
        visit(new AbstractVisitor() {
            @Override
            public void visit(Heading heading) {
                String slug = text(heading)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "")
                        .replace(' ', '-');
                int before = times.merge(slug, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? slug : slug + "-" + before);
            }
        });
        return anchors;
    }

    /** The destinations of all links. */
    List<String> links() {
        List<String> links = new ArrayList<>();
        visit(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                links.add(link.getDestination());
                visitChildren(link);
            }
        });
        return links;
    }

    /** The texts of paragraphs, items included, without code and tables. */
    List<String> paragraphs() {
        List<String> paragraphs = new ArrayList<>();
        visit(new AbstractVisitor() {
            @Override
            public void visit(Paragraph paragraph) {
                paragraphs.add(text(paragraph));
            }
        });
        return paragraphs;
    }

    /** The lines below a heading of the second level, to the next one; none without the heading. */
    List<String> section(String heading) {
        return source.lines()
                .dropWhile(line -> !line.equals("## " + heading))
                .skip(1)
                .takeWhile(line -> !line.startsWith("## "))
                .toList();
    }

    /** The words of the source, as {@code wc -w} counts them. */
    int words() {
        String trimmed = source.strip();
        return trimmed.isEmpty() ? 0 : trimmed.split("\\s+", -1).length;
    }

    private void visit(AbstractVisitor visitor) {
        PARSER.parse(source).accept(visitor);
    }

    private static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new AbstractVisitor() {
            @Override
            public void visit(Text part) {
                text.append(part.getLiteral());
            }

            @Override
            public void visit(Code code) {
                text.append(code.getLiteral());
            }

            @Override
            public void visit(SoftLineBreak line) {
                text.append(' ');
            }
        });
        return text.toString();
    }
}
