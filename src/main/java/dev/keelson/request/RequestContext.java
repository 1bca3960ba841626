package dev.keelson.request;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What goes with a request through the layers. One thread works on a request; the warnings are its
 * only mutable part.
 *
 * <p>Kubernetes drops warnings beyond 4 KiB in sum; so does this, since they travel in header
 * lines.
 */
public final class RequestContext {

  private static final int MAX_WARNING_CHARACTERS = 4096;

  private UserInfo user;
  private final String auditId;
  private final Set<String> warnings = new LinkedHashSet<>();
  private int warningCharacters;

  /**
   * A request of {@code user}, who is anonymous until {@link #identify} says otherwise.
   *
   * @param auditId the identifier that log, audit trail and answer carry
   */
  public RequestContext(UserInfo user, String auditId) {
    this.user = user;
    this.auditId = auditId;
  }

  public UserInfo user() {
    return user;
  }

  /** Says who asks. */
  public void identify(UserInfo user) {
    this.user = user;
  }

  public String auditId() {
    return auditId;
  }

  /** Adds a text for the user who reads the answer; the same text twice is told once. */
  public void warn(String text) {
    if (warningCharacters + text.length() <= MAX_WARNING_CHARACTERS && warnings.add(text)) {
      warningCharacters += text.length();
    }
  }

  /** The warnings so far, in order. */
  public List<String> warnings() {
    return new ArrayList<>(warnings);
  }
}
