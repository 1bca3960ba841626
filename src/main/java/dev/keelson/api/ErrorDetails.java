package dev.keelson.api;

import java.util.List;

/**
 * The {@code details} of a Status.
 *
 * @param group the API group of the object, or empty
 * @param kind the plural resource, or for {@code Invalid} the kind; empty if no object is concerned
 * @param name the object's name, or empty
 * @param uid the object's uid, or empty
 * @param causes what is wrong, field by field
 * @param retryAfterSeconds how long to wait before retrying; 0 if not set
 * @param continueToken a token to continue a list after the error, or empty; it travels in the
 *     Status metadata
 * @param always whether the Status has details even if they are empty
 */
public record ErrorDetails(
    String group,
    String kind,
    String name,
    String uid,
    List<FieldCause> causes,
    int retryAfterSeconds,
    String continueToken,
    boolean always) {

  /** No details. */
  public static final ErrorDetails NONE = new ErrorDetails("", "", "", "", List.of(), 0);

  public ErrorDetails {
    causes = List.copyOf(causes);
  }

  /** Details without a token. */
  public ErrorDetails(
      String group,
      String kind,
      String name,
      String uid,
      List<FieldCause> causes,
      int retryAfterSeconds) {
    this(group, kind, name, uid, causes, retryAfterSeconds, "", /* always= */ false);
  }

  /** The object {@code name} of {@code resource}; of a path, which is neither, empty details. */
  public static ErrorDetails of(GroupResource resource, String name) {
    return new ErrorDetails(
        resource.group(), resource.resource(), name, "", List.of(), 0, "", /* always= */ true);
  }

  /** The same with {@code causes}. */
  public ErrorDetails withCauses(List<FieldCause> causes) {
    return new ErrorDetails(
        group, kind, name, uid, causes, retryAfterSeconds, continueToken, always);
  }

  /** The same with a retry delay in seconds. */
  public ErrorDetails withRetryAfterSeconds(int seconds) {
    return new ErrorDetails(group, kind, name, uid, causes, seconds, continueToken, always);
  }

  /** The same with a continue token. */
  public ErrorDetails withContinue(String token) {
    return new ErrorDetails(group, kind, name, uid, causes, retryAfterSeconds, token, always);
  }
}
