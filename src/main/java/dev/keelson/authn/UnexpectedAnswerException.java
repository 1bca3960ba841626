package dev.keelson.authn;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.util.Set;

/** Another server answered, and not with what was asked for. */
public final class UnexpectedAnswerException extends IOException {

  private static final long serialVersionUID = 1L;

  /**
   * Too many requests, an error of the server's own, and an answer that took a gateway too long.
   */
  private static final Set<Integer> PASSING = Set.of(429, 500, 504);

  private final boolean passing;

  /**
   * @param retry whether the server said when to come again
   */
  UnexpectedAnswerException(URI uri, int status, boolean retry) {
    super(uri + " answered " + status);
    this.passing = retry || PASSING.contains(status);
  }

  /**
   * Whether the same question may have an answer a moment later, as Kubernetes' webhooks see it: a
   * server that is slow, unknown or talks nonsense is not asked again.
   */
  public static boolean mayPass(IOException failure) {
    return switch (failure) {
      case UnexpectedAnswerException answered -> answered.passing;
      case ConnectException refused -> false;
      case SocketException reset -> true;
      default -> false;
    };
  }
}
