package dev.keelson.http.relay;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The path below {@code proxy} without empty and dot segments, so that the server sees the path
 * that was asked for, and none above it (source: apimachinery's {@code
 * JoinPreservingTrailingSlash}).
 */
public final class ProxiedPath {

  private ProxiedPath() {}

  /**
   * Cleans a path.
   *
   * @param path empty, or with a leading slash
   */
  public static String clean(String path) {
    if (path.isEmpty()) {
      return "";
    }
    Deque<String> kept = new ArrayDeque<>();
    for (String segment : path.split("/", -1)) {
      if (segment.equals("..")) {
        String unused = kept.pollLast();
      } else if (!segment.isEmpty() && !segment.equals(".")) {
        kept.addLast(segment);
      }
    }
    String joined = "/" + String.join("/", kept);
    return path.endsWith("/") && !joined.endsWith("/") ? joined + "/" : joined;
  }
}
