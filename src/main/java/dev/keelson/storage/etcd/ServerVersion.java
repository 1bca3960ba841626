package dev.keelson.storage.etcd;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The version of an etcd member, such as 3.5.13. */
record ServerVersion(int major, int minor, int patch) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,6})\\.(\\d{1,6})\\.(\\d{1,6})(-.*)?");

  /** The version in {@code text}, or null if malformed. */
  static @Nullable ServerVersion parse(String text) {
    Matcher match = FORM.matcher(text);
    return match.matches()
        ? new ServerVersion(
            Integer.parseInt(match.group(1)),
            Integer.parseInt(match.group(2)),
            Integer.parseInt(match.group(3)))
        : null;
  }

  /**
   * Whether this version's answers to a request for progress never run ahead of the events. Older
   * ones could (etcd issue 15220, and a race mended later); the bounds are those that
   * kube-apiserver demands for the same purpose.
   */
  boolean tellsProgressSoundly() {
    if (major != 3) {
      return major > 3;
    }
    return switch (minor) {
      case 4 -> patch >= 31;
      case 5 -> patch >= 13;
      default -> minor > 5;
    };
  }
}
