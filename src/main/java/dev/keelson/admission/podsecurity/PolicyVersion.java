package dev.keelson.admission.podsecurity;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A version of the Pod Security Standards: that of a minor version of Kubernetes, or the latest.
 *
 * @param minor the minor version, not negative; {@link Integer#MAX_VALUE} is the latest
 */
public record PolicyVersion(int minor) {

  /** The newest version. */
  public static final PolicyVersion LATEST = new PolicyVersion(Integer.MAX_VALUE);

  /** What a text that is no version must be. */
  static final String ALLOWED = "must be \"latest\" or \"v1.x\"";

  private static final Pattern FORM = Pattern.compile("v1\\.(0|[1-9][0-9]*)");

  /** Returns the version of a text such as {@code v1.25} or {@code latest}. */
  static Optional<PolicyVersion> of(String text) {
    if (text.equals("latest")) {
      return Optional.of(LATEST);
    }
    // a number of ten digits may be that of the latest version
    return FORM.matcher(text).matches() && text.length() <= 12
        ? Optional.of(new PolicyVersion(Integer.parseInt(text.substring(3))))
        : Optional.empty();
  }

  @Override
  public String toString() {
    return equals(LATEST) ? "latest" : "v1." + minor;
  }
}
