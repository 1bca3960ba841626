package dev.keelson.http.node;

import dev.keelson.api.ApiException;
import dev.keelson.api.ErrorDetails;
import dev.keelson.api.Reason;
import dev.keelson.http.ApiResponse;
import dev.keelson.http.relay.ClientRequest;
import dev.keelson.http.relay.Connections;
import dev.keelson.http.relay.Outbound;
import dev.keelson.http.relay.Target;
import dev.keelson.http.relay.UpgradeRequest;
import dev.keelson.value.HostPort;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/**
 * One request on its way, with its errors.
 *
 * @param client the client's request
 */
record Passing(ClientRequest client) {

  /** As long as client and server like. */
  private static final Duration FOR_EVER = Duration.ofDays(365);

  /** Those without a body, which may be sent twice. */
  private static final Set<String> SAFE = Set.of("GET", "HEAD", "OPTIONS");

  /** The host and the port of a server as in the header Host. */
  static String authority(Target target) {
    return HostPort.join(target.host(), Integer.toString(target.port()));
  }

  /**
   * Sends a request with the client's body.
   *
   * @param failure the error for a server that does not answer
   */
  ApiResponse plain(
      Connections pool, Outbound.Head head, Function<Throwable, ApiException> failure) {
    try {
      return sent(client.plain(pool, head));
    } catch (ExecutionException e) {
      // a kept connection may be closed by the server at the moment in which it is used
      if (!SAFE.contains(head.method()) || !Outbound.wasClosed(e)) {
        throw failure.apply(Outbound.causeOf(e));
      }
    }
    try {
      return sent(client.plain(pool, head));
    } catch (ExecutionException e) {
      throw failure.apply(Outbound.causeOf(e));
    }
  }

  /**
   * Asks for another protocol.
   *
   * @param failure the error for a server that does not answer
   */
  ApiResponse upgraded(
      Connections pool,
      Outbound.Head head,
      UpgradeRequest.Switch onSwitch,
      Function<Throwable, ApiException> failure) {
    try {
      return sent(UpgradeRequest.of(pool, head, onSwitch));
    } catch (ExecutionException e) {
      throw failure.apply(Outbound.causeOf(e));
    } catch (UnknownHostException e) {
      throw failure.apply(e);
    }
  }

  private ApiResponse sent(Outbound sending) throws ExecutionException {
    try {
      return client.sent(sending, FOR_EVER);
    } catch (TimeoutException | InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ApiException(Reason.TIMEOUT, "the request was interrupted", ErrorDetails.NONE, e);
    }
  }
}
