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
 * The deadline of a request: the query parameter {@code timeout}, a Go duration, up to the server's
 * maximum. Long-running requests (watches and connections to nodes) have none (source:
 * endpoints/filters/request_deadline.go).
 */
final class RequestDeadline {

  private static final String PARAMETER = "timeout";
  private static final Set<String> CONNECTIONS =
      Set.of("attach", "exec", "log", "portforward", "proxy");

  private RequestDeadline() {}

  /**
   * Returns the maximum duration of a request.
   *
   * @param info the request info
   * @param most the server's maximum, also the default without a positive {@code timeout}
   * @throws ApiException BadRequest if {@code timeout} is not a duration
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
