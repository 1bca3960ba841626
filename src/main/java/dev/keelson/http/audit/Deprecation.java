package dev.keelson.http.audit;

import dev.keelson.request.RequestContext;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The annotations of requests for deprecated versions (KEP-1693). */
public final class Deprecation {

  private static final Pattern REMOVED = Pattern.compile("unavailable in v(\\d+\\.\\d+)\\+");

  private Deprecation() {}

  /**
   * Marks a request as one for a deprecated version.
   *
   * @param warning what the client is told, which names the release that removes the version
   */
  public static void annotate(RequestContext context, String warning) {
    context.annotate("k8s.io/deprecated", "true");
    String removed = removedRelease(warning);
    if (!removed.isEmpty()) {
      context.annotate("k8s.io/removed-release", removed);
    }
  }

  /** The release that removes a version, as its warning names it; empty if it names none. */
  public static String removedRelease(String warning) {
    Matcher removed = REMOVED.matcher(warning);
    return removed.find() ? removed.group(1) : "";
  }
}
