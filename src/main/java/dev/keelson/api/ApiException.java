package dev.keelson.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A failed request, with the fields of its Status object. Thrown from the registry up; {@code http}
 * has the one mapper. The factory methods hold the message forms that Kubernetes clients know.
 */
public final class ApiException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /*
   * Refusals and objects that are not there are ordinary answers, and the trace of a request's stack costs as much as the rest of
   * such an answer natively. Tests run with assertions and have the traces.
   */
  private static final boolean TRACED = ApiException.class.desiredAssertionStatus();

  private final Reason reason;
  private final transient ErrorDetails details;
  private final int code;
  private final String word;

  /** An error with a message for the user. */
  public ApiException(Reason reason, String message) {
    this(reason, message, ErrorDetails.NONE, null);
  }

  /** An error with details; {@code cause} is logged, never sent. */
  public ApiException(
      Reason reason, String message, ErrorDetails details, @Nullable Throwable cause) {
    this(reason, message, details, cause, 0, reason.word());
  }

  private ApiException(
      Reason reason,
      String message,
      ErrorDetails details,
      @Nullable Throwable cause,
      int code,
      String word) {
    super(
        message,
        cause,
        /* enableSuppression= */ true,
        /* writableStackTrace= */ TRACED || reason == Reason.INTERNAL_ERROR);
    this.reason = reason;
    this.details = details;
    this.code = code;
    this.word = word;
  }

  /**
   * An error with a status that somebody else has chosen, such as a webhook.
   *
   * @param code the HTTP status, at least 400
   * @param word the reason, which need not be a known one; may be empty
   */
  public static ApiException ofStatus(int code, String word, String message, ErrorDetails details) {
    Reason known = Reason.UNKNOWN;
    for (Reason reason : Reason.values()) {
      if (reason.word().equals(word)) {
        known = reason;
      }
    }
    return new ApiException(known, message, details, null, code, word);
  }

  /** The HTTP status; 0 if it is that of the reason. */
  public int code() {
    return code;
  }

  /** The word of {@code Status.reason}; empty if there is none. */
  public String word() {
    return word;
  }

  /** The reason that clients test. */
  public Reason reason() {
    return reason;
  }

  /** The object and fields concerned. */
  public ErrorDetails details() {
    return details;
  }

  /** An error of the server itself, which kube-apiserver tells as a cause as well. */
  public static ApiException internal(String why, @Nullable Throwable cause) {
    return new ApiException(
        Reason.INTERNAL_ERROR,
        "Internal error occurred: " + why,
        ErrorDetails.NONE.withCauses(List.of(new FieldCause("", why, ""))),
        cause);
  }

  /** Whether an object could not be created since its namespace is being deleted. */
  public boolean isNamespaceTerminating() {
    return reason == Reason.FORBIDDEN
        && details.causes().stream()
            .anyMatch(cause -> cause.reason().equals("NamespaceTerminating"));
  }

  /** The message, which is never null. */
  public String text() {
    String message = getMessage();
    return message == null ? reason.word() : message;
  }

  public static ApiException badRequest(String message) {
    return new ApiException(Reason.BAD_REQUEST, message);
  }

  public static ApiException notFound(GroupResource resource, String name) {
    return new ApiException(
        Reason.NOT_FOUND,
        resource + " \"" + name + "\" not found",
        ErrorDetails.of(resource, name),
        null);
  }

  public static ApiException conflict(GroupResource resource, String name, String detail) {
    return new ApiException(
        Reason.CONFLICT,
        "Operation cannot be fulfilled on " + resource + " \"" + name + "\": " + detail,
        ErrorDetails.of(resource, name),
        null);
  }

  public static ApiException forbidden(GroupResource resource, String name, String detail) {
    String message =
        resource.resource().isEmpty()
            ? "forbidden: " + detail
            : name.isEmpty()
                ? resource + " is forbidden: " + detail
                : resource + " \"" + name + "\" is forbidden: " + detail;
    return new ApiException(Reason.FORBIDDEN, message, ErrorDetails.of(resource, name), null);
  }

  /**
   * The object is invalid; every violation is a cause, within the bounds of {@link CauseList}.
   *
   * @param kind the object's group and kind; the Status names the kind, not the plural
   */
  public static ApiException invalid(GroupVersionKind kind, String name, List<FieldCause> found) {
    List<FieldCause> causes = CauseList.of(found);
    StringBuilder message = new StringBuilder();
    message.append(kind.kind());
    if (!kind.group().isEmpty()) {
      message.append('.').append(kind.group());
    }
    message.append(" \"").append(name).append("\" is invalid");
    // the message lists a text once, however many causes have it
    List<String> texts = causes.stream().map(FieldCause::summary).distinct().toList();
    if (texts.size() == 1) {
      message.append(": ").append(texts.getFirst());
    } else if (!texts.isEmpty()) {
      message.append(": [").append(String.join(", ", texts)).append(']');
    }
    return new ApiException(
        Reason.INVALID,
        message.toString(),
        new ErrorDetails(kind.group(), kind.kind(), name, "", causes, 0),
        null);
  }

  public static ApiException methodNotAllowed(GroupResource resource, String action) {
    return new ApiException(
        Reason.METHOD_NOT_ALLOWED,
        action + " is not supported on resources of kind \"" + resource + "\"",
        ErrorDetails.of(resource, ""),
        null);
  }
}
