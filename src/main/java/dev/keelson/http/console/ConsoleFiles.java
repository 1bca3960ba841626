package dev.keelson.http.console;

import dev.keelson.http.Body;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * The files of the page, resources of this program that the build has compressed ({@code
 * bin/build-console}). Nothing is read before the first request.
 */
final class ConsoleFiles {

  private static final String FOLDER = "/keelson/console/";

  /** The names that the build gives; no other is looked up. */
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");

  private ConsoleFiles() {}

  /**
   * Returns a file.
   *
   * @param name without a folder
   * @param compressed whether it is wanted as gzip
   */
  static Optional<Body.Payload> find(String name, boolean compressed) {
    if (!NAME.matcher(name).matches()) {
      return Optional.empty();
    }
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(FOLDER + name + ".gz")) {
      if (in == null) {
        return Optional.empty();
      }
      byte[] bytes = in.readAllBytes();
      return Optional.of(Body.Payload.of(compressed ? bytes : inflated(bytes)));
    } catch (IOException e) {
      throw new UncheckedIOException(FOLDER + name + " cannot be read", e);
    }
  }

  private static byte[] inflated(byte[] bytes) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    }
  }
}
