package io.feedkit.tools.input;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.zip.GZIPInputStream;

/**
 * A text file with one record per line, plain or gzip. The first two bytes show which. The file is read line by line,
 * and can be read several times.
 */
public record InputFile(Path path) {

    private static final int BUFFER = 1 << 16;
    private static final int GZIP_MAGIC = 0x1f8b;

    /** Passes every line to a consumer. */
    public void forEach(Consumer<InputLine> record) {
        if (!Files.isRegularFile(path)) {
            throw new InputException(path, Files.exists(path) ? "is not a regular file" : "does not exist");
        }
        long number = 0;
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(open(), ISO_8859_1), BUFFER)) {
            for (String text = reader.readLine(); text != null; text = reader.readLine()) {
                number++;
                record.accept(new InputLine(this, number, text));
            }
        } catch (EOFException e) {
            throw new InputException(path, number + 1, "cannot be read: the gzip file is cut short");
        } catch (IOException e) {
            throw new InputException(path, number + 1, "cannot be read: " + e.getMessage());
        }
    }

    private InputStream open() throws IOException {
        InputStream plain = new BufferedInputStream(Files.newInputStream(path), BUFFER);
        try {
            plain.mark(2);
            boolean gzip = (plain.read() << 8 | plain.read()) == GZIP_MAGIC;
            plain.reset();
            return gzip ? new GZIPInputStream(plain, BUFFER) : plain;
        } catch (IOException e) {
            plain.close();
            throw e;
        }
    }
}
