package dev.keelson.authn;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.util.Set;

/** Another server responded with an unexpected status. */
public final class UnexpectedResponseException extends IOException {

  private static final long serialVersionUID = 1L;

  /** Too Many Requests, Internal Server Error and Gateway Timeout. */
  private static final Set<Integer> PASSING = Set.of(429, 500, 504);

  private final int status;
  private final boolean passing;

  /**
   * @param retry whether the response has a {@code Retry-After} header
   */
  UnexpectedResponseException(URI uri, int status, boolean retry) {
    super(uri + " answered " + status);
    this.status = status;
    this.passing = retry || PASSING.contains(status);
  }

  /** The HTTP status. */
  public int status() {
    return status;
  }

  /**
   * Whether a request should be retried, by the rules of Kubernetes' webhook client: timeouts,
   * unknown hosts and malformed responses are not retried. A connection that is reset or closed
   * before the response is, since the server may have closed an idle connection while the request
   * was sent.
   */
  public static boolean isRetryable(IOException failure) {
    if (failure instanceof UnexpectedResponseException answered) {
      return answered.passing;
    }
    // the HTTP client wraps the exception of the connection
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof ConnectException) {
        return false;
      }
      if (cause instanceof SocketException || cause instanceof EOFException) {
        return true;
      }
    }
    return false;
  }
}
