package dev.keelson.schema.validation.certificates;

import dev.keelson.schema.validation.certificates.PemBlocks.Block;
import java.util.Base64;
import java.util.Optional;

/**
 * The blocks of a text in PEM, found as Go's {@code encoding/pem} finds them: each ends at the
 * first line of an end, begins at the last line of a beginning before it, and what does not fit
 * together is passed over. Every part of the text is looked at a fixed number of times, whatever it
 * is.
 */
final class PemBlocks {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "\n-----END ";
  private static final String DASHES = "-----";

  /**
   * One block.
   *
   * @param type what stands behind BEGIN
   * @param headers whether there are any
   * @param bytes what the text between stands for
   */
  @SuppressWarnings("ArrayRecordComponent") // made for one reader, never compared
  record Block(String type, boolean headers, byte[] bytes) {}

  private final String text;

  private int at;

  /**
   * @param text one character a byte
   */
  PemBlocks(String text) {
    this.text = text;
  }

  /** The next block; empty if there is none left. */
  Optional<Block> next() {
    while (true) {
      int end = text.indexOf(END, at);
      if (end < 0) {
        at = text.length();
        return Optional.empty();
      }
      int from = at;
      at = end + END.length();
      Optional<Block> block = between(from, end);
      if (block.isPresent()) {
        return block;
      }
    }
  }

  /** The block that ends with the line behind {@code end}; moves on behind that. */
  private Optional<Block> between(int from, int end) {
    // in a part of its own, since a search backwards does not stop at `from`
    int begin = text.substring(from, end).lastIndexOf(BEGIN);
    if (begin < 0 || (begin > 0 && text.charAt(from + begin - 1) != '\n')) {
      return Optional.empty();
    }
    int line = from + begin + BEGIN.length();
    String typeLine = line(line);
    if (!typeLine.endsWith(DASHES)) {
      return Optional.empty();
    }
    String type = typeLine.substring(0, typeLine.length() - DASHES.length());
    int body = after(line);
    boolean headers = false;
    while (body < text.length() && line(body).indexOf(':') >= 0) {
      headers = true;
      body = after(body);
    }
    if (body == text.length()) {
      at = text.length();
      return Optional.empty();
    }
    if (headers && body > end) {
      at = Math.max(at, body);
      return Optional.empty();
    }
    int trailer = end + END.length();
    int behind = trailer + type.length() + DASHES.length();
    if (!text.startsWith(type + DASHES, trailer) || !line(behind).isEmpty()) {
      return Optional.empty();
    }
    Optional<byte[]> bytes = bytes(body < end ? text.substring(body, end) : "");
    if (bytes.isPresent()) {
      at = after(behind);
    }
    boolean any = headers;
    return bytes.map(found -> new Block(type, any, found));
  }

  /** The line from {@code start} on, without white space at its end. */
  private String line(int start) {
    int feed = text.indexOf('\n', start);
    int stop = feed < 0 ? text.length() : feed;
    if (feed > start && text.charAt(feed - 1) == '\r') {
      stop--;
    }
    while (stop > start && (text.charAt(stop - 1) == ' ' || text.charAt(stop - 1) == '\t')) {
      stop--;
    }
    return text.substring(start, stop);
  }

  /** Where the line behind that of {@code place} begins. */
  private int after(int place) {
    int feed = text.indexOf('\n', place);
    return feed < 0 ? text.length() : feed + 1;
  }

  private static Optional<byte[]> bytes(String body) {
    StringBuilder dense = new StringBuilder(body.length());
    for (int i = 0; i < body.length(); i++) {
      char c = body.charAt(i);
      if (c != ' ' && c != '\t' && c != '\r' && c != '\n') {
        dense.append(c);
      }
    }
    if (dense.length() % 4 != 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(Base64.getDecoder().decode(dense.toString()));
    } catch (IllegalArgumentException e) {
      // what cannot be decoded is no block
      return Optional.empty();
    }
  }
}
