package dev.keelson.pem;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads files that hold PEM. */
final class PemFiles {

  private PemFiles() {}

  /**
   * The text of a file, one character a byte: the text around the blocks may be anything.
   *
   * @throws PemException naming the file, if it cannot be read
   */
  static String read(Path file) {
    try {
      return Files.readString(file, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      // with its kind, since the message of many is the bare file name
      throw new PemException(
          "cannot read " + file + ": " + e.getClass().getSimpleName() + ": " + e.getMessage(), e);
    }
  }
}
