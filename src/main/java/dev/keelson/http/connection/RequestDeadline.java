package dev.keelson.http.connection;

import dev.keelson.api.ApiException;
import dev.keelson.api.Verb;
import dev.keelson.http.ApiRequest;
import dev.keelson.request.RequestInfo;
import dev.keelson.value.GoDuration;
import dev.keelson.value.ValueFormatException;
import java.time.Duration;
import java.util.Set;

/**
 * How long one request may take: what its parameter {@code timeout} asks for, in Go's form of
 * durations, up to the server's bound. Watches and connections to nodes have no end by this
 * (source: endpoints/filters/request_deadline.go).
 */
final class RequestDeadline {

  private static final String PARAMETER = "timeout";
  private static final Set<String> CONNECTIONS =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  private RequestDeadline() {}

  /**
   * The time that {@code request} has.
   *
   * @param info what it is about
   * @param most the server's bound, which also counts where the client says nothing, or no positive
   *     time
   * @throws ApiException BadRequest if what the client says is no duration
   */
  static Duration of(ApiRequest request, RequestInfo info, Duration most) {
    String text = request.query().first(PARAMETER);
    if (text.isEmpty() || isLong(info)) {
      return most;
    }
    Duration wanted = parse(text);
    return wanted.isPositive() && wanted.compareTo(most) < 0 ? wanted : most;
  }

  private static boolean isLong(RequestInfo info) {
    return info instanceof RequestInfo.Resource resource
        && (resource.verb() == Verb.WATCH || CONNECTIONS.contains(resource.subresource()));
  }

  private static Duration parse(String text) {
    try {
      return GoDuration.parse(text).toDuration();
    } catch (ValueFormatException e) {
      throw ApiException.badRequest("invalid timeout specified in the request URL - " + e.text());
    }
  }
}
