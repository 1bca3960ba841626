package dev.keelson.request;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The context of a request: user, audit id and warnings. Used by one thread.
 *
 * <p>Warnings beyond 4 KiB in total are dropped, as in Kubernetes, since they are sent in headers.
 */
public final class RequestContext {

  private static final int MAX_WARNING_CHARACTERS = 4096;

  private UserInfo user;
  private final String auditId;
  private final Set<String> warnings = new LinkedHashSet<>();
  private int warningCharacters;

  /** Null while nobody audits the request. */
  private @Nullable Map<String, String> annotations;

  private @Nullable Instant received;
  private @Nullable Impersonation impersonation;

  /**
   * As whom the request acts.
   *
   * @param user the impersonated user
   * @param constraint the verb of a constrained impersonation; empty for the legacy verb
   */
  public record Impersonation(UserInfo user, String constraint) {}

  /**
   * @param user the user, anonymous until {@link #identify} is called
   * @param auditId the id in the log, the audit log and the response
   */
  public RequestContext(UserInfo user, String auditId) {
    this.user = user;
    this.auditId = auditId;
  }

  public UserInfo user() {
    return user;
  }

  /** Sets the user. */
  public void identify(UserInfo user) {
    this.user = user;
  }

  public String auditId() {
    return auditId;
  }

  /** Adds a warning for the client; duplicates are dropped. */
  public void warn(String text) {
    if (warningCharacters + text.length() <= MAX_WARNING_CHARACTERS && warnings.add(text)) {
      warningCharacters += text.length();
    }
  }

  /** The warnings so far, in order. */
  public List<String> warnings() {
    return new ArrayList<>(warnings);
  }

  /** Makes the request act as another user from here on. */
  public void impersonate(UserInfo other, String constraint) {
    impersonation = new Impersonation(other, constraint);
    identify(other);
  }

  /** As whom the request acts; null if the user is the one who sent it. */
  public @Nullable Impersonation impersonation() {
    return impersonation;
  }

  /** Records when the request arrived; the request is audited from here on. */
  public void received(Instant time) {
    received = time;
    annotations = new LinkedHashMap<>(4);
  }

  /** Whether annotations of the request are read by anyone. */
  public boolean isAudited() {
    return annotations != null;
  }

  /** When the request arrived; null if nobody recorded it. */
  public @Nullable Instant received() {
    return received;
  }

  /**
   * Adds an annotation to the audit events of the request; the first value of a key stays. Does
   * nothing if the request is not audited.
   */
  public void annotate(String key, String value) {
    Map<String, String> sofar = annotations;
    if (sofar != null) {
      sofar.putIfAbsent(key, value);
    }
  }

  /** The annotations so far; a view. */
  public Map<String, String> annotations() {
    Map<String, String> sofar = annotations;
    return sofar == null ? Map.of() : Collections.unmodifiableMap(sofar);
  }
}
