package dev.keelson.api;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A failed request, with the fields of its Status object. Thrown from the registry up; {@code http}
 * has the one mapper. The factory methods hold the message forms that Kubernetes clients know.
 */
public final class ApiException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final Reason reason;
  private final transient ErrorDetails details;

  /** An error with a message for the user. */
  public ApiException(Reason reason, String message) {
    this(reason, message, ErrorDetails.NONE, null);
  }

  /** An error with details; {@code cause} is logged, never sent. */
  public ApiException(
      Reason reason, String message, ErrorDetails details, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
    this.details = details;
  }

  /** The reason that clients test. */
  public Reason reason() {
    return reason;
  }

  /** The object and fields concerned. */
  public ErrorDetails details() {
    return details;
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

  public static ApiException alreadyExists(GroupResource resource, String name) {
    return new ApiException(
        Reason.ALREADY_EXISTS,
        resource + " \"" + name + "\" already exists",
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
   * The object is invalid; every violation is a cause.
   *
   * @param kind the object's group and kind; the Status names the kind, not the plural
   */
  public static ApiException invalid(GroupVersionKind kind, String name, List<FieldCause> causes) {
    StringBuilder message = new StringBuilder();
    message.append(kind.kind());
    if (!kind.group().isEmpty()) {
      message.append('.').append(kind.group());
    }
    message.append(" \"").append(name).append("\" is invalid");
    if (causes.size() == 1) {
      message.append(": ").append(causes.get(0).summary());
    } else if (!causes.isEmpty()) {
      message.append(": [");
      message.append(String.join(", ", causes.stream().map(FieldCause::summary).toList()));
      message.append(']');
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
