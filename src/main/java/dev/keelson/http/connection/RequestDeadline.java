package dev.keelson.http.connection;

import dev.keelson.api.ApiException;
import dev.keelson.http.ApiRequest;
import dev.keelson.request.LongRunning;
import dev.keelson.request.RequestInfo;
import dev.keelson.value.GoDuration;
import dev.keelson.value.ValueFormatException;
import java.time.Duration;

/**
 * The deadline of a request: the query parameter {@code timeout}, a Go duration, up to the server's
 * maximum. Long-running requests (watches and connections to nodes) have none (source:
 * endpoints/filters/request_deadline.go).
 */
final class RequestDeadline {

  private static final String PARAMETER = "timeout";

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
    if (text.isEmpty() || LongRunning.is(info)) {
      return most;
    }
    Duration wanted = parse(text);
    return wanted.isPositive() && wanted.compareTo(most) < 0 ? wanted : most;
  }

  private static Duration parse(String text) {
    try {
      return GoDuration.parse(text).toDuration();
    } catch (ValueFormatException e) {
      throw ApiException.badRequest("invalid timeout specified in the request URL - " + e.text());
    }
  }
}
