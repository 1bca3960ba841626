package dev.keelson.authn;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.util.Set;

/** Another server answered, and not with what was asked for. */
public final class UnexpectedResponseException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Too many requests, an error of the server's own, and an answer that took a gateway too long.
   */
  private static final Set<Integer> PASSING = Set.of(429, 500, 504);

  private final boolean passing;

  /**
   * @param retry whether the server said when to come again
   */
  UnexpectedResponseException(URI uri, int status, boolean retry) {
    super(uri + " answered " + status);
    this.passing = retry || PASSING.contains(status);
  }

  /**
   * Whether the same question may have an answer a moment later, as Kubernetes' webhooks see it: a
   * server that is slow, unknown or talks nonsense is not asked again. A connection that was reset
   * or ended before the answer counts as passing, since the server may have closed one that was
   * kept open while the question was on its way.
   */
  public static boolean mayPass(IOException failure) {
    if (failure instanceof UnexpectedResponseException answered) {
      return answered.passing;
    }
    // the HTTP client wraps what the connection told it
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
