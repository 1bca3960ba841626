package dev.keelson.pem;

import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the blocks of a text as Go's {@code encoding/pem} does: a block ends at the first END line
 * and begins at the last BEGIN line before it; what does not fit together is skipped. Takes linear
 * time for any text. By hand, since Bouncy Castle's reader fails at the first malformed block
 * instead of skipping it, and accepts headers within the base64 and text after an END mark.
 */
public final class PemBlocks {
  private static final String BEGIN = "-----BEGIN ";
  private static final String END = "\n-----END ";
  private static final String DASHES = "-----";

  private final String text;

  private int at;

  /**
   * @param text anything; a block has only characters of ASCII
   */
  public PemBlocks(String text) {
    this.text = text;
  }

  /** All blocks of a text, in its order; empty if there is none. */
  public static List<PemBlock> in(String text) {
    List<PemBlock> found = new ArrayList<>();
    PemBlocks blocks = new PemBlocks(text);
    for (var block = blocks.next(); block.isPresent(); block = blocks.next()) {
      found.add(block.get());
    }
    return found;
  }

  /** The next block; empty if there is none left. */
  public Optional<PemBlock> next() {
    while (true) {
      int end = text.indexOf(END, at);
      if (end < 0) {
        at = text.length();
        return Optional.empty();
      }
      int from = at;
      at = end + END.length();
      Optional<PemBlock> block = between(from, end);
      if (block.isPresent()) {
        return block;
      }
    }
  }

  /** The block that ends with the line after {@code end}; moves on to the text after that. */
  private Optional<PemBlock> between(int from, int end) {
    // a substring, since a backward search does not stop at `from`
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
    Map<String, String> headers = new LinkedHashMap<>();
    int body = headers(nextLine(line), headers);
    if (body == text.length()) {
      at = text.length();
      return Optional.empty();
    }
    if (!headers.isEmpty() && body > end) {
      at = Math.max(at, body);
      return Optional.empty();
    }
    int trailer = end + END.length();
    int rest = trailer + type.length() + DASHES.length();
    if (!text.startsWith(type + DASHES, trailer) || !line(rest).isEmpty()) {
      return Optional.empty();
    }
    Optional<byte[]> der = decode(body < end ? text.substring(body, end) : "");
    if (der.isPresent()) {
      at = nextLine(rest);
    }
    return der.map(bytes -> new PemBlock(type, headers, bytes));
  }

  /** Reads the lines with a colon from {@code start} on; returns where the first other begins. */
  private int headers(int start, Map<String, String> headers) {
    int body = start;
    while (body < text.length()) {
      String line = line(body);
      int colon = line.indexOf(':');
      if (colon < 0) {
        break;
      }
      headers.put(line.substring(0, colon).strip(), line.substring(colon + 1).strip());
      body = nextLine(body);
    }
    return body;
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

  /** Where the line after that of {@code place} begins. */
  private int nextLine(int place) {
    int feed = text.indexOf('\n', place);
    return feed < 0 ? text.length() : feed + 1;
  }

  private static Optional<byte[]> decode(String body) {
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
