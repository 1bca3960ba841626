package dev.keelson.storage.encryption;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A value could not be transformed. The messages are kube-apiserver's. */
public final class TransformationException extends RuntimeException {

  /** The status of failures without a remote call, in metrics. */
  public static final String LOCAL = "unknown-non-grpc";

  private static final long serialVersionUID = 1L;

  private final String status;

  /** A failure without a remote call. */
  public TransformationException(String message) {
    this(message, LOCAL, null);
  }

  /**
   * A failure.
   *
   * @param status the gRPC code of a remote call in Go's spelling, such as {@code Unavailable}
   */
  public TransformationException(String message, String status, @Nullable Throwable cause) {
    super(message, cause);
    this.status = status;
  }

  /** The gRPC code of the failed call in Go's spelling; {@code unknown-non-grpc} without one. */
  public String status() {
    return status;
  }

  /** The message; never null. */
  public String text() {
    return String.valueOf(getMessage());
  }

  /**
   * One failure for all of {@code failures}, of which there is at least one. Equal messages are
   * reported once (apimachinery pkg/util/errors, Aggregate).
   */
  static TransformationException all(List<TransformationException> failures) {
    TransformationException first = failures.getFirst();
    if (failures.size() == 1) {
      return first;
    }
    Set<String> messages = new LinkedHashSet<>();
    failures.forEach(failure -> messages.add(failure.text()));
    String text = messages.size() == 1 ? first.text() : "[" + String.join(", ", messages) + "]";
    return new TransformationException(text, first.status(), first);
  }
}
