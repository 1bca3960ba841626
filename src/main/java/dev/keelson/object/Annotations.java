package dev.keelson.object;

import dev.keelson.object.Node.MapNode;
import java.nio.charset.StandardCharsets;

/** The size of an object's annotations. */
public final class Annotations {

  /** The most bytes that the keys and values of all annotations of an object may have. */
  public static final int MAX_BYTES = 256 * 1024;

  /** The most bytes of a {@code char}. */
  private static final int MOST_BYTES = 3;

  private Annotations() {}

  /** Whether the annotations have more bytes than an object may have. */
  public static boolean areTooLarge(MapNode annotations) {
    long characters = 0;
    for (int i = 0; i < annotations.size(); i++) {
      String key = annotations.keyAt(i);
      characters += key.length() + annotations.text(key).length();
    }
    if (characters <= MAX_BYTES / MOST_BYTES) {
      return false;
    }
    long bytes = 0;
    for (int i = 0; i < annotations.size(); i++) {
      String key = annotations.keyAt(i);
      bytes += bytes(key) + bytes(annotations.text(key));
    }
    return bytes > MAX_BYTES;
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
